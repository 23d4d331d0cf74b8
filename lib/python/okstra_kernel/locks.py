"""Locks between processes: who holds one can be seen, and a wait has an end (P-075, P-076).

The lock is the kernel's (`flock`): a process that dies lets go of it, and none is ever broken. The
file stays, and holds who took it last: for the sentence that names the holder, not for the lock.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import sys
import time
from typing import Iterator

from okstra_kernel import Busy, notice, store

FOLDER = ".locks"  # below okstra's home
WAIT = 60.0  # seconds
_POLL = (0.002, 0.05)  # seconds: the first pause, and the longest


@contextlib.contextmanager
def hold(home: str, name: str, *, wait: float = WAIT) -> Iterator[None]:
    """Hold the lock `name` of this home. Raises Busy, naming the holder, after `wait` seconds."""
    relative = f"{FOLDER}/{name}"
    with store.open_append(home, relative, mode=store.PRIVATE) as stream:  # closed, it is let go
        with store.told(f"{home}/{relative}"):
            if not _take(stream):
                _wait(stream, name, wait)
            os.ftruncate(stream, 0)
            os.write(stream, f"{os.getpid()} {os.path.basename(sys.argv[0])}\n".encode())
        yield


def _wait(stream: int, name: str, wait: float) -> None:
    end = time.monotonic() + wait
    pause, longest = _POLL
    told = False
    while not _take(stream):
        if time.monotonic() >= end:
            raise Busy(
                f"busy: {_holder(stream)} holds the lock {name}", next_step="try again later"
            )
        if pause >= longest and not told:
            told = True
            notice.tell(f"waiting for another okstra process: {_holder(stream)}")
        time.sleep(pause)
        pause = min(pause * 1.5, longest)


def _take(stream: int) -> bool:
    try:
        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _holder(stream: int) -> str:
    pid, _, command = os.pread(stream, 200, 0).decode("utf-8", "replace").strip().partition(" ")
    return f"process {pid} ({command})" if command else "another process"
