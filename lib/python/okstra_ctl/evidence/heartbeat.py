"""The heartbeat lines that an in-process worker appends to its audit sidecar (D-118, D-119).

- PROGRESS: 2026-03-01T10:05:00Z read-inputs, 14 of 20 files

Shape and cadence have their one home here: whom the live probe passes cannot fail a later check.
The lead's own `PROGRESS: <phase>` lines are something else (D-120).
"""

from __future__ import annotations

from typing import Iterator

from okstra_ctl.evidence import own_lines
from okstra_kernel import iso_time

EVERY = 300  # seconds, while the result is pending
GRACE = 60  # seconds more before a worker counts as stalled
BUDGET = EVERY + GRACE

_START = "- PROGRESS: "


def line(at: float, text: str) -> str:
    """Return a heartbeat: when, in seconds since 1970 (UTC), and what the worker is doing."""
    return f"{_START}{iso_time.show(at)} {' '.join(text.split())}".rstrip()


def times(text: str) -> Iterator[int]:
    """Yield the time of each heartbeat, in seconds since 1970 (UTC).

    A worker wrote the text: a line whose time cannot be read is no heartbeat, and no error. Nor is
    a line that it only quotes (XS-15).
    """
    for one in own_lines.own(text):
        if one.text.startswith(_START):
            try:
                yield iso_time.parse(one.text[len(_START) :].partition(" ")[0])
            except ValueError:
                continue


def is_one(text: str) -> bool:
    """Tell whether a line is meant as a heartbeat, readable or not."""
    return text.startswith(_START.rstrip())
