"""Records of dispatches, and how they stand in a team state (D-066 to D-068)."""

from __future__ import annotations

from typing import Any

import pytest

from okstra_ctl.dispatch import records
from okstra_ctl.dispatch.jobs import Job
from okstra_ctl.dispatch.outcome import Outcome
from okstra_ctl.runs import team_state

JOB = Job("claude-analyser", "claude", "analyser", "opus", "p.md", "r.md", "a.md", ("r.md",), "k")


def record(kind: str = "k", attempt: int = 1) -> dict[str, Any]:
    job = JOB._replace(dispatch_kind=kind)
    return records.new(job, attempt=attempt, outbox="o", work_dir="/w", digest="d.json")


@pytest.mark.parametrize(
    ("asked", "used", "mismatch"),
    [
        ("opus", "claude-opus-9-1", False),
        ("opus[1m]", "claude-opus-9-1", False),
        ("claude-sonnet-4-5", "claude-sonnet-4-5-20270929", False),
        ("opus", "claude-sonnet-9", True),
        ("gpt-5", "vendor/gpt-5", False),
        ("gpt-5", "gpt-5-mini", True),
        ("", "anything", False),
        ("opus", "", False),
    ],
)
def test_another_model_is_a_mark(asked: str, used: str, mismatch: bool) -> None:
    """D-278, Z-016."""
    begun = records.started({**record(), "modelExecutionValue": asked}, "2027-01-15T08:00:00Z")
    done = Outcome("completed")
    ended = records.ended(begun, done, now="2027-01-15T08:00:05Z", exit_code=0, model=used)
    shown = (ended["modelMismatch"], ended["durationMs"], ended["endedAt"])
    assert shown == (mismatch, 5000, "2027-01-15T08:00:05Z")


def test_a_held_one_has_not_ended_and_its_next_attempt_is_fresh() -> None:
    begun = records.started(record(), "2027-01-15T08:00:00Z")
    held = Outcome("held", "quota-exhausted", 1_800_000_000, "later")
    found = records.ended(begun, held, now="2027-01-15T08:00:05Z", exit_code=0, model="")
    assert (found["status"], found["endedAt"], found["resetAt"]) == (
        *("held", None),
        "2027-01-15T08:00:00Z",
    )
    assert records.again(found) == {**record(), "attempt": 2}


def test_a_record_keeps_its_place_and_its_end() -> None:
    state: dict[str, Any] = {"workers": [], "workerDispatches": [record("a"), record("b")]}
    moved = team_state.with_dispatch(state, {**record("a"), "status": "completed"})
    kinds = [(one["dispatchKind"], one["status"]) for one in moved["workerDispatches"]]
    assert kinds == [("a", "completed"), ("b", "queued")]
    assert (team_state.has_ended(moved, record("a")), team_state.has_ended(moved, record("b"))) == (
        True,
        False,
    )
    assert len(team_state.with_dispatch(moved, record("a", 2))["workerDispatches"]) == 3
