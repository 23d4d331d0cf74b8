"""Q-13: how soon an end is noticed, what one look at many workers costs, and what waiting costs."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from statistics import median
from typing import Iterator

import crew
import measure
from measure import OKSTRA, ROOT, START, Place, Row

SIZES, RUNS = (1, 16, 64), 9
POLL = 250.0  # ms between two looks
STARTS, EACH = 3.5, 0.0002  # interpreter starts; seconds a worker
IDLE = 1.0  # % of a core
WATCH = f"""
import sys, time
sys.path[:0] = {[str(ROOT / "lib/python")]!r}
from okstra_ctl.dispatch import team
looks = []
def watch(found):
    looks.append((time.monotonic(), time.process_time()))
team.await_all(team.load(".", sys.argv[1]), watch=watch)
chosen = [look for look in looks if 0.5 < look[0] - looks[0][0] < 3.5]
(begin, before), (end, after) = chosen[0], chosen[-1]
print(100 * (after - before) / (end - begin))
"""


def rows(place: Place) -> Iterator[Row]:
    here = crew.project(place, "awaited", f"sleep 1\n{crew.DELIVER}{crew.FINAL}")
    late = median(_late(here) for _ in range(RUNS))
    yield Row("Q-13", "await, from a worker's end to its own", late, POLL, "ms")
    waiting = crew.with_cli(here, "sleep 6\n")
    for size in SIZES:
        yield from _looks(waiting, size)


def _late(here: Place) -> float:
    """Return the milliseconds from the end of a wrapper to that of the await for it."""
    found = crew.of(here, 1)
    here.run(found.team("dispatch"))
    here.run(found.team("await"))
    status = Path(found.prompts()[0].removesuffix(".md") + ".status.json")
    return 1000 * (time.time() - status.stat().st_mtime)


def _looks(here: Place, size: int) -> Iterator[Row]:
    """Yield what one look at so many running workers costs, and what awaiting them does."""
    found = crew.of(here, size)
    here.run(found.team("dispatch"))
    state = f"--team-state={crew.RUN}/state/team-state-{crew.NAME}.json"
    workers = [word for n in range(size) for word in (state, f"--worker=worker-{n + 1}")]
    pairs = [
        (measure.cost(here, [OKSTRA, "worker-liveness", *workers]), measure.cost(here, START))
        for _ in range(RUNS)
    ]
    times = median(one.seconds / (STARTS * bare.seconds + EACH * size) for one, bare in pairs)
    name = f"worker-liveness of {size}: {STARTS} starts + {1000 * EACH} ms each"
    yield Row("Q-13", name, times, 1.0, "x that")
    here.run(found.team("teardown"))
    yield Row("Q-13", f"await of {size}, while it waits", _idle(here, size), IDLE, "% of a core")


def _idle(here: Place, size: int) -> float:
    found = crew.of(here, size)
    here.run(found.team("dispatch"))
    words = [sys.executable, "-c", WATCH, f"{crew.RUN}/manifests/run-manifest-{crew.NAME}.json"]
    env = {**here.env, "OKSTRA_HOME": os.path.join(here.env["HOME"], ".okstra")}
    done = subprocess.run(
        words, cwd=here.folder, env=env, capture_output=True, text=True, check=True
    )
    return float(done.stdout)


if __name__ == "__main__":
    with measure.sealed() as here:
        measure.show(rows(here))
