"""Lets a wrapper keep what its CLI leaves behind out of its group (ADR 7, XI-21). Linux.

There a process may ask to become the parent of the orphans among its descendants. Bash cannot ask,
but the request outlives `exec`: whoever starts the wrapper asks in its place.
"""

from __future__ import annotations

import functools
import sys
from typing import Callable

_SET_CHILD_SUBREAPER = 36  # of prctl(2)


@functools.lru_cache(1)
def keeper() -> Callable[[], None] | None:
    """Return what a child calls before it becomes a wrapper; None where there is no such thing."""
    if sys.platform != "linux":
        return None
    import ctypes

    try:
        prctl = ctypes.CDLL(None).prctl
    except (OSError, AttributeError):
        return None

    def ask() -> None:
        prctl(_SET_CHILD_SUBREAPER, 1, 0, 0, 0)

    return ask
