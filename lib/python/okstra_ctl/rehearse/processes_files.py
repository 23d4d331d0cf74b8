"""Which of the processes that a rehearsal recorded still run: by pid and start time (Z-011)."""

from __future__ import annotations

import os
import time
from typing import Iterator

from okstra_ctl.dispatch import sidecars, wrapper_status
from okstra_kernel import processes

_POLL = 0.1  # seconds
PIDS = "pids"  # the stand-ins note themselves and their children here: `<pid> <start>`


def count(folder: str, *, wait: float) -> tuple[int, int]:
    """Return how many still run after at most `wait` seconds, and how many were recorded."""
    found = set(recorded(folder))
    end = time.monotonic() + wait
    while True:
        alive = sum(processes.is_alive(pid, start) for pid, start in found)
        if not alive or time.monotonic() >= end:
            return alive, len(found)
        time.sleep(_POLL)


def recorded(folder: str) -> Iterator[tuple[int, str]]:
    """Yield pid and start of the wrappers, the CLIs, and what the CLIs started."""
    for base, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(base, name)
            if path.endswith(_STATUS):
                status = wrapper_status.read(path.removesuffix(_STATUS) + ".md")
                if status:
                    yield status.wrapper_pid, status.wrapper_started
                    if status.pid:
                        yield status.pid, status.process_started
            elif name == PIDS:
                with open(path, encoding="utf-8") as lines:
                    for line in lines:
                        pid, _, start = line.strip().partition(" ")
                        yield int(pid), start


_STATUS = sidecars.status(".md")
