"""Q-22: 32 commands that need one lock all finish, and waiting for it costs next to nothing."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from typing import Iterator

import measure
import projects
from measure import OKSTRA, ROOT, Place, Row

COMMANDS = 32
HELD = 4.0  # seconds for which the lock is kept from one that waits
BUSY = 5.0  # per cent of a core
HOLD = f"""
import sys, time
sys.path.insert(0, {str(ROOT / "lib/python")!r})
from okstra_kernel import locks
with locks.hold(sys.argv[1], sys.argv[2]):
    print("held", flush=True)
    time.sleep({HELD})
"""
WAIT = f"""
import os, sys, time
sys.path.insert(0, {str(ROOT / "lib/python")!r})
from okstra_kernel import locks
before, begin = time.process_time(), time.monotonic()
with locks.hold(sys.argv[1], sys.argv[2]):
    print(100 * (time.process_time() - before) / (time.monotonic() - begin))
"""


def rows(place: Place) -> Iterator[Row]:
    here = projects.project(place, "racing")
    here.run(projects.prepare("T-1"))
    words = [OKSTRA, "set-work-status", "T-1", "in-progress"]
    quiet = subprocess.DEVNULL
    racers = [
        subprocess.Popen(words, cwd=here.folder, env=here.env, stdout=quiet, stderr=quiet)
        for _ in range(COMMANDS)
    ]
    failed = sum(racer.wait() != 0 for racer in racers)
    yield Row("Q-22", f"{COMMANDS} x set-work-status", failed, 0, "failed")
    yield Row("Q-22", "while waiting", _busy(here), BUSY, "% of a core")


def _busy(here: Place) -> float:
    lock = [os.fspath(here.folder), "bench.lock"]
    python = [sys.executable, "-c"]
    holder = subprocess.Popen([*python, HOLD, *lock], env=here.env, stdout=subprocess.PIPE)
    assert holder.stdout
    holder.stdout.readline()
    time.sleep(0.1)
    waited = subprocess.run(
        [*python, WAIT, *lock], env=here.env, capture_output=True, text=True, check=True
    )
    holder.communicate()
    return float(waited.stdout)


if __name__ == "__main__":
    with measure.sealed() as here:
        measure.show(rows(here))
