"""What became of each worker, beside what should have (H-051)."""

from __future__ import annotations

from typing import Any

import pytest

from okstra_ctl.rehearse import matrix
from okstra_ctl.rehearse.matrix import Row
from okstra_ctl.rehearse.scenarios import Scenario

CUT = Scenario("cut", ("claude",), "incomplete-result", 0, "no", "yes", "yes", "")
FIRST = {
    **{"provider": "claude", "dispatchKind": "initial", "status": "error", "exitCode": 0},
    **{"reason": "incomplete-result", "resetAt": None, "modelMismatch": False},
}
AGAIN = {**FIRST, "dispatchKind": "initial-retry1"}
GOOD: dict[str, Any] = {"status": "completed", "reason": ""}
HELD: dict[str, Any] = {"status": "held", "reason": "quota-exhausted", "resetAt": "2026-01-01"}


@pytest.mark.parametrize(
    ("records", "row"),
    [
        ([{**FIRST, **GOOD}], ("", 0, "", "no", "yes")),
        ([{**FIRST, **GOOD, "modelMismatch": True}], ("", 0, "", "no", "marked")),
        ([FIRST], ("incomplete-result", 0, "", "no", "no")),
        ([FIRST, {**AGAIN, **GOOD}], ("incomplete-result", 0, "", "yes", "yes")),
        ([FIRST, AGAIN], ("incomplete-result", 0, "", "second", "no")),
        ([{**FIRST, **HELD}], ("quota-exhausted", 0, "2026-01-01", "no", "no")),
        ([{**FIRST, **HELD, "status": "error"}], ("quota-exhausted", 0, "", "no", "no")),
    ],
)
def test_rows(records: list[dict[str, Any]], row: tuple[Any, ...]) -> None:
    other = {**FIRST, **GOOD, "provider": "grok"}
    assert matrix.rows(CUT, [other, *records]) == [Row("cut", "claude", *row)]


def test_a_worker_that_was_not_dispatched_has_no_row() -> None:
    assert matrix.rows(CUT, []) == []


FINE = Row("cut", "claude", "incomplete-result", 0, "", "yes", "yes")


@pytest.mark.parametrize(
    ("row", "retries", "faults"),
    [
        (FINE, True, {}),
        (FINE, False, {"retry": "no", "counted": "no"}),
        (FINE._replace(retry="no", counted="no"), False, {}),
        (FINE._replace(retry="no", counted="no"), True, {"retry": "yes", "counted": "yes"}),
        (FINE._replace(reason=""), True, {"reason": "incomplete-result"}),
        (FINE._replace(exit_code=None), True, {"exit": "0"}),
        (FINE._replace(held_until="2026"), True, {"held until": "no"}),
    ],
)
def test_faults(row: Row, retries: bool, faults: dict[str, str]) -> None:
    assert matrix.faults(CUT, row, retries=retries) == faults


def test_what_never_fails_is_the_same_without_a_retry() -> None:
    fine = CUT._replace(reason="", retry="no", counted="marked")
    assert matrix.expected(fine, retries=False) == matrix.expected(fine, retries=True)


def test_a_row_that_differs_says_what_was_expected() -> None:
    cells = matrix.cells(FINE._replace(reason=""), {"reason": "incomplete-result"})
    told = "expected: reason incomplete-result"
    assert cells == ("cut", "claude", "-", "0", "no", "yes", "yes", told)
    assert len(cells) == len(matrix.heads())
