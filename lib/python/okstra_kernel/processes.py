"""Processes that okstra recorded, and no others (Z-011).

A pid is reused; together with the moment its process started it is not. That moment is a text that
only this module and `lib/okstra/worker-processes.sh` make: compare it, and read nothing into it.
"""

from __future__ import annotations

import contextlib
import os
import signal
import time
from typing import Iterable

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


def end_group(
    group: int, leader_start: str, *, session: int = 0, grace: float = TERM_GRACE
) -> bool:
    """End the group whose leader was recorded: TERM, later KILL. Return whether none is left.

    A group that is led by another process than the recorded one is left alone. Of one whose leader
    is gone the number may have been given anew since: it is ours if `session`, where that is
    known, is its members' (XT-05).
    """
    if group < 2:
        return True  # no group of ours: 0 is the caller's own, 1 the system's
    leader = started(group)
    if leader and leader != leader_start:
        return True  # the number was given to somebody else, so ours has ended
    if not leader and session and _sessions(group) - {session}:
        return True
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


def end_each(found: Iterable[tuple[int, str]], *, grace: float = TERM_GRACE) -> bool:
    """End recorded processes, given as pid and start, as `end_group` does a group."""
    left = [(pid, start) for pid, start in found if is_alive(pid, start)]
    for sign in (signal.SIGTERM, signal.SIGKILL):
        for pid, start in left:
            if is_alive(pid, start):
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, sign)
        end = time.monotonic() + grace
        while left and time.monotonic() < end:
            left = [one for one in left if is_alive(*one)]
            time.sleep(_POLL if left else 0)
    return not left


def _group_of(name: str) -> int:
    return _places(name)[0]


def _sessions(group: int) -> set[int]:
    """Return the sessions of a group's members; empty where that is not to be seen."""
    if not os.path.isdir("/proc/self"):
        return set()
    found = map(_places, filter(str.isdigit, os.listdir("/proc")))
    return {session for of, session in found if of == group}


def _places(name: str) -> tuple[int, int]:
    """Return group and session of a process that runs; else zeros."""
    try:
        with open(f"/proc/{name}/stat", encoding="utf-8", errors="replace") as stream:
            fields = stream.read().rpartition(")")[2].split()
    except OSError:
        return 0, 0
    return (0, 0) if fields[0] in "ZX" else (int(fields[2]), int(fields[3]))


def _from_ps(pid: int) -> str:
    import subprocess

    words = ["ps", "-o", "lstart=", "-p", str(pid)]
    try:
        run = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, timeout=2)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return " ".join(run.stdout.decode("utf-8", "replace").split())
