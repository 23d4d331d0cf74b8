"""Processes that okstra recorded, and no others (Z-011).

A pid is reused; together with the moment its process started it is not. That moment is a text that
only this module and `lib/okstra/worker-exec.sh` make: compare it, and read nothing into it.
"""

from __future__ import annotations

import contextlib
import os
import signal
import time

TERM_GRACE = 10.0  # seconds between TERM and KILL
_POLL = 0.05  # seconds


def started(pid: int) -> str:
    """Return when a process started, as a text; empty if there is no such process.

    From /proc: clock ticks since boot. Elsewhere from `ps`, to the second.
    """
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as stream:
            fields = stream.read().rpartition(")")[2].split()
    except FileNotFoundError:
        return "" if os.path.isdir("/proc/self") else _from_ps(pid)
    except (OSError, ProcessLookupError):
        return ""
    return "" if fields[0] in "ZX" else fields[19]


def is_alive(pid: int, start: str) -> bool:
    """Tell whether the recorded process still runs; another of its number does not count."""
    return bool(start) and started(pid) == start


def group_is_alive(group: int) -> bool:
    """Tell whether a process group has a member that runs."""
    if os.path.isdir("/proc/self"):
        return any(_group_of(name) == group for name in os.listdir("/proc") if name.isdigit())
    try:
        os.killpg(group, 0)
    except (ProcessLookupError, PermissionError):
        return False
    return True


def end_group(group: int, leader_start: str, *, grace: float = TERM_GRACE) -> bool:
    """End the group whose leader was recorded: TERM, later KILL. Return whether none is left.

    A group that is led by another process than the recorded one is left alone. One whose leader is
    gone is still ours while members live: its number is not given anew before the last has ended.
    """
    if group < 2:
        return True  # no group of ours: 0 is the caller's own, 1 the system's
    leader = started(group)
    if leader and leader != leader_start:
        return True  # the number was given to somebody else, so ours has ended
    for sign, wait in ((signal.SIGTERM, grace), (signal.SIGKILL, grace)):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(group, sign)
        end = time.monotonic() + wait
        while group_is_alive(group):
            if time.monotonic() >= end:
                break
            time.sleep(_POLL)
        else:
            return True
    return False


def _group_of(name: str) -> int:
    try:
        with open(f"/proc/{name}/stat", encoding="utf-8", errors="replace") as stream:
            fields = stream.read().rpartition(")")[2].split()
    except OSError:
        return 0
    return 0 if fields[0] in "ZX" else int(fields[2])


def _from_ps(pid: int) -> str:
    import subprocess

    words = ["ps", "-o", "lstart=", "-p", str(pid)]
    try:
        run = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, timeout=2)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return " ".join(run.stdout.decode("utf-8", "replace").split())
