"""Whether a worker is alive, from its own signs (D-121 to D-126). Pure.

Clock and files are the caller's (`liveness_probe`). Times are seconds since 1970 (UTC), spans are
seconds. Only judged, never ended: what to do about it is the lead's.
"""

from __future__ import annotations

from typing import Iterable, NamedTuple

from okstra_ctl.runs.team_state import TERMINAL

AUDIT_HEARTBEAT, WRAPPER_STATUS = "audit-heartbeat", "wrapper-status"
LIVE, STALLED, NOT_LAUNCHED = "live", "stalled", "did-not-launch"


class Verdict(NamedTuple):
    word: str  # one of the three, or the status of a worker that has ended
    silence: int  # since its last sign of life

    @property
    def healthy(self) -> bool:
        return self.word not in (STALLED, NOT_LAUNCHED)


def of_heartbeats(
    status: str, started_at: int, beats: Iterable[int], *, now: int, max_idle: int
) -> Verdict:
    """Judge an in-process worker by the start of its dispatch and its heartbeats.

    The dispatch is the first sign. A heartbeat from before it is an earlier dispatch's, and one
    from the future shows nothing: neither counts (D-123, D-255).
    """
    silence = now - max((at for at in beats if started_at <= at <= now), default=started_at)
    if status in TERMINAL:
        return Verdict(status, silence)
    return Verdict(STALLED if silence > max_idle else LIVE, silence)


def of_wrapper(
    status: str, started_at: int, signs: Iterable[int], *, now: int, grace: int, max_idle: int
) -> Verdict:
    """Judge a worker with a wrapper by when its transcript and its status last changed.

    Without a sign it did not launch once the grace is over; with old ones it has stalled.
    """
    seen = [at for at in signs if at]
    silence = now - max((min(at, now) for at in seen), default=started_at)
    if status in TERMINAL:
        return Verdict(status, silence)
    if not seen:
        return Verdict(NOT_LAUNCHED if silence > grace else LIVE, silence)
    return Verdict(STALLED if silence > max_idle else LIVE, silence)
