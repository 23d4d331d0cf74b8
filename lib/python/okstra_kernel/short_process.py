"""Runs a short program and returns what it printed, without the cost of `subprocess` (Q-2).

Importing that module is a third of an interpreter's start, and nearly every command asks git. No
shell, no input, two pipes, an end to the wait. Longer-lived programs are `subprocess`'s.
"""

from __future__ import annotations

import os
import select
import time
from typing import Mapping, NamedTuple

_SIGKILL, _SIGPIPE = 9, 13  # everywhere; importing `signal` builds tables nobody needs here
_PIECE = 65536


class Output(NamedTuple):
    status: int  # negative: the signal that ended it
    out: bytes
    err: bytes


def run(words: list[str], environment: Mapping[str, str], *, timeout: float) -> Output:
    """Return the output of a program. Raises OSError if it cannot be started, TimeoutError."""
    out, out_end = os.pipe()
    err, err_end = os.pipe()
    try:
        actions = (
            (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
            (os.POSIX_SPAWN_DUP2, out_end, 1),
            (os.POSIX_SPAWN_DUP2, err_end, 2),
        )
        try:
            pid = os.posix_spawnp(
                words[0], words, environment, file_actions=actions, setsigdef=[_SIGPIPE]
            )
        finally:
            os.close(out_end)
            os.close(err_end)
        try:
            pieces = _read_all((out, err), time.monotonic() + timeout)
        except BaseException:  # allowed: raised again; a program that is not awaited stays
            os.kill(pid, _SIGKILL)
            os.waitpid(pid, 0)
            raise
        status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        return Output(status, pieces[out], pieces[err])
    finally:
        os.close(out)
        os.close(err)


def _read_all(streams: tuple[int, int], end: float) -> dict[int, bytes]:
    """Read both streams to their ends. Raises TimeoutError."""
    found = dict.fromkeys(streams, b"")
    left = set(streams)
    while left:
        ready, _, _ = select.select(list(left), [], [], max(0.0, end - time.monotonic()))
        if not ready:
            raise TimeoutError
        for stream in ready:
            piece = os.read(stream, _PIECE)
            found[stream] += piece
            if not piece:
                left.discard(stream)
    return found
