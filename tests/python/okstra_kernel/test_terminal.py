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
        ("ｙ\n", False),
        ("\x04", False),  # the end of input
    ],
)
def test_only_y_is_a_yes(typed: str, answer: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    master, slave = pty.openpty()
    try:
        monkeypatch.setattr(terminal, "DEVICE", os.ttyname(slave))
        os.write(master, typed.encode())
        assert terminal.confirm("Trust 결제? ", flag="--yes") is answer
        assert "Trust 결제? " in os.read(master, 1000).decode()
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
