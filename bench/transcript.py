"""Q-24: a worker whose transcript is 1 GB: the wrapper's memory, and how long it takes to end."""

from __future__ import annotations

import os
import time
from pathlib import Path
from statistics import median
from typing import Iterator, NamedTuple

import crew
import measure
from measure import Cost, Place, Row

SIZE, ROOM = 1_000_000_000, 1_500_000_000  # bytes
RUNS = 3
PEAK, DELAY = 32.0, 50.0  # MiB, ms
WRITE = f"head -c {SIZE} /dev/zero\n"
DONE = ': >"$HOME/done"\n'  # its time is when the CLI ended


class Ended(NamedTuple):
    peak: float  # MiB of the wrapper and what it started
    delay: float  # ms from the end of the CLI to that of the wrapper


def rows(place: Place) -> Iterator[Row]:
    here = crew.project(place, "told", DONE)
    alone = median(_wrapper(here).delay for _ in range(RUNS + 2))
    long = crew.with_cli(here, f"{WRITE}{DONE}")
    ended = [_wrapper(long) for _ in range(RUNS)]
    yield Row("Q-24", "wrapper, transcript of 1 GB", max(one.peak for one in ended), PEAK, "MiB")
    late = median(one.delay for one in ended) - alone
    yield Row("Q-24", f"its end, beside {alone:.0f} ms with an empty one", late, DELAY, "ms later")
    yield Row("XF-15", "await, transcript of 1 GB", _await(long).peak, 64.0, "MiB")


def _wrapper(here: Place) -> Ended:
    found = crew.of(here, 1)
    cost = measure.cost(here, found.wrapper(found.prompts()[0]))
    end = time.time()
    done = os.stat(Path(here.env["HOME"], "done")).st_mtime
    return Ended(cost.peak, 1000 * (end - done))


def _await(here: Place) -> Cost:
    found = crew.of(here, 1)
    here.run(found.team("dispatch"))
    return measure.cost(here, found.team("await"))


if __name__ == "__main__":
    with measure.sealed(measure.memory(ROOM)) as here:
        measure.show(rows(here))
