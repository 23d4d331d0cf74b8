"""Only a clear yes is one (U-15, Z-008)."""

from __future__ import annotations

import os
import pty
from pathlib import Path

import pytest

from okstra_kernel import UserError, terminal


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("y\n", True),
        ("Y\n", True),
        ("\n", False),
        ("n\n", False),
        ("yes\n", False),
        ("y \n", False),
        ("\uff59\n", False),
        ("\x04", False),  # the end of input
    ],
)
def test_only_y_is_a_yes(typed: str, answer: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    master, slave = pty.openpty()
    try:
        monkeypatch.setattr(terminal, "DEVICE", os.ttyname(slave))
        os.write(master, typed.encode())
        assert terminal.confirm("Trust 결제? ", flag="--yes") is answer
        shown = ""
        while "Trust 결제? " not in shown:  # after the echo of what was typed
            shown += os.read(master, 1000).decode()
    finally:
        os.close(master)
        os.close(slave)


def test_without_a_terminal_the_flag_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(terminal, "DEVICE", str(tmp_path / "none"))
    with pytest.raises(UserError, match="no terminal") as caught:
        terminal.confirm("?", flag="--yes")
    assert (caught.value.status, caught.value.next_step) == (2, "pass --yes")


def test_a_line_is_asked_for_and_told(monkeypatch: pytest.MonkeyPatch) -> None:
    master, slave = pty.openpty()
    try:
        monkeypatch.setattr(terminal, "DEVICE", os.ttyname(slave))
        assert terminal.is_there()
        terminal.tell("결제")
        assert os.read(master, 100).decode() == "결제\r\n"
        os.write(master, b"  x y \n")
        assert terminal.ask("? ") == "  x y "
        os.write(master, b"\x04")
        assert terminal.ask("? ") is None
    finally:
        os.close(master)
        os.close(slave)


def test_nobody_there_is_told_nothing_and_answers_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(terminal, "DEVICE", str(tmp_path / "none"))
    terminal.tell("x")
    assert (terminal.is_there(), terminal.ask("? ")) == (False, None)
