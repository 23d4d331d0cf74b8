"""Did the workers inside the host's session show signs of life as they should (R-126, D-220)? Pure.

Workers of a wrapper are watched by it; these tell of themselves in their audit sidecars.
"""

from __future__ import annotations

import itertools
from typing import Iterable

from okstra_ctl.evidence import heartbeat
from okstra_kernel import iso_time


def silence(started_at: int, ended_at: int, beats: Iterable[int]) -> str:
    """Return what is wrong with a worker's heartbeats; empty: nothing. Seconds since 1970.

    Beats from before its start or after its end are another's, and show nothing.
    """
    within = sorted(at for at in beats if started_at <= at <= ended_at)
    signs = [started_at, *within, ended_at]
    longest = max((later - before, before) for before, later in itertools.pairwise(signs))
    if longest[0] <= heartbeat.BUDGET:
        return ""
    since = iso_time.show(longest[1])
    return f"no heartbeat for {longest[0]} s since {since}; at most {heartbeat.BUDGET}"
