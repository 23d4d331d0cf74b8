"""How a dispatch ended: the order in which its traces count (D-076, Z-014, Z-093)."""

from __future__ import annotations

import pytest

from okstra_ctl.dispatch import outcome
from okstra_ctl.dispatch.outcome import IN_PROGRESS, Outcome, Product
from okstra_ctl.dispatch.wrapper_status import WrapperStatus
from okstra_ctl.providers.turn import AUTH, QUOTA, RATE, Turn

SOUND, GONE, CUT = Product(""), Product("missing-result"), Product("incomplete-result", "cut")
GOOD, SILENT = Turn(True, ok=True), Turn(None)


def status(state: str = "completed", code: int = 0, reason: str = "") -> WrapperStatus:
    return WrapperStatus(state, 2, "a", 3, 3, "b", 10, 20, 30, code, reason)


@pytest.mark.parametrize(
    ("wrapper", "turn", "product", "touched", "expected"),
    [
        (status(), GOOD, SOUND, "", ("completed", "")),
        (status(), SILENT, SOUND, "", ("completed", "")),
        (status("timeout", 124, "idle-timeout"), GOOD, SOUND, "x", ("timeout", "idle-timeout")),
        (status("timeout", 124), GOOD, SOUND, "", ("timeout", "deadline")),
        (status("failed", 143, "cancelled"), GOOD, SOUND, "x", ("error", "cancelled")),
        (status(), Turn(None, failure=QUOTA, reset_at=9), GONE, "", ("held", QUOTA)),
        (status(), Turn(None, failure=QUOTA), GONE, "", ("error", QUOTA)),
        (status("failed", 1), Turn(None, failure=QUOTA), SOUND, "", ("error", QUOTA)),
        (status(), Turn(False, failure=QUOTA), SOUND, "", ("error", QUOTA)),
        (status(), Turn(True, failure=AUTH), SOUND, "", ("error", AUTH)),
        (status(), Turn(True, ok=True, failure=RATE), SOUND, "", ("completed", "")),
        (status(), Turn(None, failure=RATE), SOUND, "", ("completed", "")),
        (status(), GOOD, SOUND, "shop.py", ("error", "touched-checkout")),
        (status(), GOOD._replace(denied=("Write",)), GONE, "", ("error", "permission-blocked")),
        (status(), GOOD._replace(denied=("Bash",)), SOUND, "", ("error", "permission-blocked")),
        (status(), GOOD._replace(refused=("x",)), GONE, "", ("error", "permission-blocked")),
        (status(), GOOD._replace(refused=("x",)), SOUND, "", ("completed", "")),
        (status("failed", 1), Turn(True, refused=("x",)), GONE, "", ("error", "crashed")),
        (status("failed", 3), GOOD, SOUND, "", ("error", "crashed")),
        (status(), Turn(False), SOUND, "", ("error", "crashed")),
        (status(), Turn(True), SOUND, "", ("error", "crashed")),
        # who was killed did not say by it how its turn went
        (status("failed", 137), GOOD, SOUND, "", ("completed", "")),
        (status("failed", 137), SILENT, SOUND, "", ("completed", "")),
        (status("failed", 137, "crashed"), GOOD, SOUND, "", ("completed", "")),
        (status("failed", 143, "crashed"), GOOD, SOUND, "", ("completed", "")),
        (status("failed", 143), GOOD, SOUND, "", ("error", "crashed")),
        (status("failed", 137), Turn(False), SOUND, "", ("error", "crashed")),
        (status("failed", 137), GOOD, CUT, "", ("error", "crashed")),
        (status("failed", 137), SILENT, GONE, "", ("error", "crashed")),
        (status("failed", 137), GOOD, SOUND, "x", ("error", "touched-checkout")),
        (status("failed", 127), Turn(False), GONE, "", ("error", "launch-failed")),
        (status("failed", 126), SILENT, GONE, "", ("error", "launch-failed")),
        (status("failed", 127), SILENT, SOUND, "", ("error", "crashed")),
        (status(), GOOD, GONE, "", ("error", "missing-result")),
        (status(), GOOD, CUT, "", ("error", "incomplete-result")),
    ],
)
def test_an_end(
    wrapper: WrapperStatus,
    turn: Turn,
    product: Product,
    touched: str,
    expected: tuple[str, str],
) -> None:
    found = outcome.of_end(wrapper, turn, product, touched=touched)
    assert (found.status, found.reason) == expected
    assert found.reason in ("", *outcome.REASONS)


@pytest.mark.parametrize(
    ("alive", "quiet", "expected"),
    [(True, 99, "in-progress"), (False, 5, "in-progress"), (False, 31, "error")],
)
def test_a_wrapper_that_has_not_ended(alive: bool, quiet: float, expected: str) -> None:
    found = outcome.of_life(status("running"), alive=alive, quiet=quiet, patience=30)
    assert found.status == expected


def test_no_trace_is_a_failed_launch_only_after_the_grace() -> None:
    assert outcome.of_silence(60, grace=60) is IN_PROGRESS
    assert outcome.of_silence(61, grace=60)[:2] == Outcome("error", "launch-failed")[:2]


def test_a_wrapper_that_is_gone_is_judged_as_if_it_had_said_so() -> None:
    left = outcome.abandoned(status("running"))
    assert (left.state, left.exit_code, left.reason) == ("failed", 137, "crashed")
    assert outcome.of_end(left, GOOD, SOUND, touched="").status == "completed"
    assert outcome.of_end(left, SILENT, GONE, touched="").reason == "crashed"
