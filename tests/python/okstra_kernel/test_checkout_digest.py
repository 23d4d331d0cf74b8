"""Every change of a checkout is seen; okstra's own folder does not count (D-276, Z-092)."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from okstra_kernel import UserError, checkout_digest

GIT = ("git", "-c", "user.name=a", "-c", "user.email=a@b.c")


def sh(folder: Path, *words: str) -> None:
    subprocess.run([*GIT, "-C", folder, *words], check=True, capture_output=True)


def digest(folder: Path) -> dict[str, str]:
    return checkout_digest.of(str(folder), leave_out=".okstra")


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    root = tmp_path / "빈 shop"
    root.mkdir()
    sh(root, "init", "-q")
    (root / "a b.py").write_text("1\n")
    (root / "new").write_text("1\n")
    sh(root, "add", "a b.py")
    sh(root, "commit", "-qm", "x")
    return root


def test_each_kind_of_change_is_seen(checkout: Path) -> None:
    def step(act: str, *words: str) -> list[str]:
        before = digest(checkout)
        if act == "write":
            Path(checkout, words[0]).parent.mkdir(exist_ok=True)
            Path(checkout, words[0]).write_text(words[1])
        else:
            sh(checkout, *words)
        return checkout_digest.difference(before, digest(checkout))

    assert step("write", "a b.py", "2\n") == ["a b.py"]
    assert step("write", "a b.py", "3\n") == ["a b.py"]  # changed before, and changed again
    assert step("git", "add", "a b.py") == ["a b.py"]
    assert step("write", "new", "2\n") == ["new"]
    assert step("write", ".okstra/x", "2\n") == []
    assert step("git", "commit", "-qm", "y") == ["HEAD", "a b.py"]
    assert step("git", "checkout", "-qb", "other") == ["branch"]
    assert step("git", "status") == []


def test_a_name_that_is_no_utf8_and_a_place_without_git(checkout: Path, tmp_path: Path) -> None:
    try:
        Path(os.fsdecode(os.fsencode(checkout) + b"/\xff")).write_text("1")
    except OSError:
        pytest.skip("this file system has no such names")
    assert "\\udcff" in digest(checkout) or "\\xff" in digest(checkout)
    assert digest(tmp_path) == {}


def test_a_git_that_was_killed_saw_nothing_and_nothing_is_concluded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else a turn that changed nothing would be told to have changed HEAD (D-276)."""
    program = tmp_path / "git"
    program.write_text("#!/bin/sh\nkill -9 $$\n", encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    with pytest.raises(UserError, match="ended by signal 9"):
        digest(tmp_path)
