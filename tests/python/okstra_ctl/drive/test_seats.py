"""How turns stand, from the records of their dispatches (D-066, D-135)."""

from __future__ import annotations

from typing import Any

from okstra_ctl.drive import seats
from okstra_ctl.drive.progress import GOING, HELD, LOST, SOUND, UNSTARTED, Seat


def record(worker: str, kind: str, status: str, reason: str = "", **more: Any) -> dict[str, Any]:
    told = {"workerId": worker, "dispatchKind": kind, "status": status, "reason": reason}
    return {**told, "attempt": 1, "detail": "", "resetAt": None, **more}


def test_a_seat_for_each_worker_by_its_newest_dispatch() -> None:
    found = [
        record("a", "initial", "error", "crashed"),
        record("b", "initial", "error", "auth-required", detail="log in"),
        record("c", "initial", "held", "quota-exhausted", resetAt="2026-01-01T00:00:00Z"),
        record("d", "initial", "error", "crashed"),
        record("d", "initial-retry1", "completed"),
        record("e", "initial", "queued"),
        record("f", "reverify-r1", "completed"),
    ]
    assert seats.seats(found, "abcdef", "initial") == [
        Seat("a", GOING),  # its retry is due
        Seat("b", LOST, "auth-required: log in"),
        Seat("c", HELD, "quota-exhausted until 2026-01-01T00:00:00Z"),
        Seat("d", SOUND),
        Seat("e", GOING),
        Seat("f", UNSTARTED),
    ]


def test_a_spent_retry_makes_a_later_failure_final() -> None:
    found = [
        record("a", "initial", "error", "crashed"),
        record("a", "initial-retry1", "completed"),
        record("a", "reverify-r1", "error", "missing-result"),
    ]
    assert seats.seats(found, "a", "reverify-r1") == [Seat("a", LOST, "missing-result")]
