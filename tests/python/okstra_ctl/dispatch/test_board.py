"""What somebody who waits sees: a board on a terminal, else a line for each change (U-12)."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import pty_run
import pytest

from okstra_ctl.dispatch import board

LIB = Path(__file__).parents[4] / "lib/python"
PROGRAM = """
import sys
sys.path.insert(0, sys.argv[1])
from okstra_ctl.dispatch import board
def record(worker, status, reason=""):
    return dict(workerId=worker, dispatchKind="initial", attempt=1, status=status, reason=reason,
                detail="", startedAt="2026-01-01T00:00:00Z", durationMs=7000)
with board.watching(quiet=len(sys.argv) > 2) as watch:
    watch([record("a", "in-progress"), record("b", "queued")])
    watch([record("a", "error", "crashed"), record("b", "in-progress")])
    if len(sys.argv) == 2:
        raise SystemExit(3)
"""
ROW: dict[str, Any] = {
    **{"workerId": "a", "dispatchKind": "initial", "attempt": 1, "status": "completed"},
    **{"reason": "", "detail": "", "startedAt": "2026-01-01T00:00:00Z", "durationMs": 7999},
}


def on_a_terminal(*more: str) -> tuple[int, str]:
    command = [sys.executable, "-c", PROGRAM, str(LIB), *more]
    status, shown = pty_run.run(command, [], 30)
    return status, shown.decode()


def test_a_board_on_a_terminal_is_drawn_in_place_and_the_cursor_given_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Also when the wait ends with a fault."""
    monkeypatch.setenv("TERM", "xterm")
    status, shown = on_a_terminal()
    assert status == 3
    assert "PROGRESS" not in shown
    assert shown.rindex("\x1b[?25h") > shown.rindex("\x1b[?25l")
    last = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown[shown.rindex("a  initial") :])
    assert " ".join(last.split()) == "a initial error 7 s crashed b initial in-progress 7 s"


@pytest.mark.parametrize("term", ["dumb", "xterm"])
def test_lines_where_no_board_can_be_drawn_or_is_wanted(
    monkeypatch: pytest.MonkeyPatch, term: str
) -> None:
    monkeypatch.setenv("TERM", term)
    status, shown = on_a_terminal("quiet")
    assert (status, shown.replace("\r", "").splitlines()) == (
        0,
        [
            "PROGRESS: a  initial  in-progress  7 s",
            "PROGRESS: b  initial  queued  7 s",
            "PROGRESS: a  initial  error  7 s  crashed",
            "PROGRESS: b  initial  in-progress  7 s",
        ],
    )


def test_a_line_for_each_change_and_no_more(capfd: pytest.CaptureFixture[str]) -> None:
    with board.watching(quiet=False) as watch:
        for _ in range(3):
            watch([ROW])
        watch([{**ROW, "attempt": 2}])
    assert capfd.readouterr().err.splitlines() == ["PROGRESS: a  initial  completed  7 s"] * 2


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({}, "a  initial  completed  7 s"),
        ({"reason": "crashed", "detail": "x"}, "a  initial  completed  7 s  crashed  x"),
        ({"durationMs": None, "startedAt": None, "status": "queued"}, "a  initial  queued  0 s"),
    ],
)
def test_a_row(changed: dict[str, Any], expected: str) -> None:
    assert board.row({**ROW, **changed}) == expected
