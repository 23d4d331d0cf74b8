"""Who has a retry, and what it is told (D-062, D-134, D-135)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from okstra_ctl.dispatch import outcome, retry

SPARED = ("auth-required", "quota-exhausted", "permission-blocked", "touched-checkout", "cancelled")


def record(worker: str, kind: str, status: str, reason: str = "") -> dict[str, Any]:
    return {"workerId": worker, "dispatchKind": kind, "status": status, "reason": reason}


def test_each_reason_is_either_retried_or_spared() -> None:
    assert sorted((*retry.RETRIED, *SPARED)) == sorted(outcome.REASONS)


@pytest.mark.parametrize("reason", outcome.REASONS)
def test_a_failure_has_a_retry_by_its_reason(reason: str) -> None:
    found = [record("a", "initial", "error", reason)]
    assert retry.due(found) == ([] if reason in SPARED else found)


@pytest.mark.parametrize("status", ["completed", "held", "queued", "in-progress", "not-run"])
def test_only_a_failure_has_one(status: str) -> None:
    assert retry.due([record("a", "initial", status, "crashed")]) == []


def test_the_retry_of_a_worker_is_one_for_all_its_dispatches() -> None:
    spent = [record("a", "initial", "error", "crashed"), record("a", "initial-retry1", "completed")]
    later = record("a", "reverify-r1", "error", "crashed")
    other = record("b", "reverify-r1", "timeout", "deadline")
    assert retry.due([*spent, later, other]) == [other]


def test_the_newest_dispatch_of_a_worker_decides() -> None:
    again = record("a", "by-hand", "completed")
    assert retry.due([record("a", "initial", "error", "crashed"), again]) == []


@given(
    st.lists(
        st.tuples(
            st.sampled_from("abc"),
            st.sampled_from(["error", "timeout", "completed"]),
            st.sampled_from(outcome.REASONS),
        )
    )
)
def test_whatever_happens_a_worker_starts_at_most_twice_for_a_kind(
    ends: list[tuple[str, str, str]],
) -> None:
    found = [record(worker, "initial", "error", "crashed") for worker in "abc"]
    for _, status, reason in ends:
        for failed in retry.due(found):
            kind = f"{failed['dispatchKind']}{retry.SUFFIX}"
            found.append(record(failed["workerId"], kind, status, reason))
    assert len(found) <= 6


def test_the_prompt_of_a_retry_has_its_own_headers_and_a_note() -> None:
    quoted = "body **Result Path:** x\n**Result Path:** y\n"
    text = f"# Do\n\n**Worker:** a\n**Result Path:** /old\n\n{quoted}"
    changed = {"Result Path": "/new\\1", "Dispatch Kind": "initial-retry1"}
    assert retry.prompt(text, changed, "## Why\n") == (
        f"# Do\n\n**Worker:** a\n**Result Path:** /new\\1\n\n{quoted}\n## Why\n"
    )
