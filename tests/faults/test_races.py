"""Many at once: prepares of one task, of many, and for one lock (XC-01, XC-02, XC-07)."""

from __future__ import annotations

import os
import signal
import subprocess
import time

from faults import soundness, sweep
from faults.sandbox import PYTHON, TREE, Sandbox, prepare

MANY = 6 if sweep.LEVEL == sweep.SAMPLE else 32
IN_A_ROW = 50
BUSY = 75


def test_prepares_of_one_task_at_once(box: Sandbox) -> None:
    """Each gets a number of its own, and the highest is the task's latest run (XC-01)."""
    failures = _together(box, [prepare() for _ in range(MANY)])
    paths = soundness.manifests(box)
    numbers = sorted(int(path.stem.rpartition("-")[2]) for path in paths)
    rows = [row["seq"] for row in soundness.timeline(box)]
    failures += [] if numbers == list(range(1, len(numbers) + 1)) else [f"numbers {numbers}"]
    failures += [] if rows == [f"{n:03d}" for n in numbers] else [f"timeline {rows}"]
    latest = soundness.latest(box)
    failures += [] if latest == paths[-1] else [f"latest run {latest}"]
    failures += soundness.faults(box, paths)
    sweep.report("XC-01 prepares of one task at once", MANY, failures)


def test_prepares_of_many_tasks_at_once(box: Sandbox) -> None:
    """All of them are in the catalogue and in the index (XC-02)."""
    failures = _together(box, [prepare(f"T{n}") for n in range(1, MANY + 1)])
    listed = box.run(TREE / "bin" / "okstra", "task-list", "--json").out
    failures += [f"not listed: T{n}" for n in range(1, MANY + 1) if f'"shop:g:T{n}"' not in listed]
    failures += soundness.faults(box, soundness.manifests(box))
    sweep.report("XC-02 prepares of as many tasks", MANY, failures)


def test_prepares_in_a_row(box: Sandbox) -> None:
    count = IN_A_ROW if sweep.LEVEL else 3
    failures = []
    for number in range(1, count + 1):
        done = box.run(*prepare())
        if f"-{number:03d}.json" not in done.out:
            failures.append(f"{number}: exit {done.status}: {done.told}")
    failures += soundness.faults(box, soundness.manifests(box))
    sweep.report("prepares in a row", count, failures)


def _together(box: Sandbox, commands: list[list[str]]) -> list[str]:
    """Run all at once. Return what ended neither well nor, in one sentence, as busy."""
    running = [
        subprocess.Popen(
            command, cwd=box.project, env=box.env(), stdin=subprocess.DEVNULL, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )
        for command in commands
    ]  # fmt: skip
    failures = []
    for number, process in enumerate(running):
        out, err = process.communicate(timeout=300)
        told = [x for x in err.splitlines() if not x.startswith(("waiting for", "okstra hides"))]
        if process.returncode not in (0, BUSY) or (process.returncode == 0 and told):
            failures.append(f"{number}: exit {process.returncode}: {out}{err}")
    return failures


HOLDER = """
import sys, time
sys.path.insert(0, sys.argv[1])
from okstra_kernel import locks
with locks.hold(sys.argv[2], "task-shop-g-t1.lock"):
    print(flush=True)
    time.sleep(600)
"""
WAITER = """
import sys, time
sys.path.insert(0, sys.argv[1])
from okstra_kernel import locks
print(flush=True)
with locks.hold(sys.argv[2], "task-shop-g-t1.lock"):
    print(time.monotonic(), flush=True)
"""
WAITING = 10


def test_the_holder_of_a_lock_is_killed(box: Sandbox) -> None:
    """The next has the lock within a second, all ten soon after, and none is left (XC-07)."""
    box.okstra_home.mkdir(mode=0o700)
    holder = _python(box, HOLDER)
    waiters = [_python(box, WAITER) for _ in range(WAITING)]
    time.sleep(0.3)
    os.kill(holder.pid, signal.SIGKILL)
    killed = time.monotonic()
    taken = sorted(float(process.communicate(timeout=60)[0]) - killed for process in waiters)
    failures = [] if taken[0] < 1 else [f"the first waited {taken[0]:.2f} s"]
    failures += [] if taken[-1] < 10 else [f"the last waited {taken[-1]:.2f} s"]
    holder.communicate()
    done = box.run(*prepare())
    failures += [] if done.status == 0 else [done.told]
    sweep.report("XC-07 lock holder killed while others wait", WAITING, failures)


def _python(box: Sandbox, program: str) -> subprocess.Popen[str]:
    """Start a program and wait for its first line."""
    words = [PYTHON, "-c", program, str(TREE / "lib" / "python"), str(box.okstra_home)]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert process.stdout
    process.stdout.readline()
    return process
