from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from okstra_ctl.briefs.brief import Brief
from okstra_ctl.briefs.brief_files import load
from okstra_kernel import UserError

ROOT = Path(__file__).parents[4]


def test_a_brief_is_loaded(tmp_path: Path) -> None:
    path = tmp_path / "한 brief.md"
    path.write_bytes(b"bug\r\n")
    assert load(str(path), "b") == Brief(b"bug\r\n", "bug\r\n", True)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("none", "cannot read b: No such file or directory"),
        ("folder", "not a file: b"),
        ("pipe", "not a file: b"),
        ("/dev/zero", "not a file: b"),
        ("a\0b", "cannot read b: embedded null byte"),
        ("long", "this brief cannot be used: b: larger than 4 MiB"),
        ("empty", "this brief cannot be used: b: empty: it has neither a letter nor a digit"),
    ],
)
def test_what_is_no_brief_is_named_and_never_waited_for(
    tmp_path: Path, name: str, message: str
) -> None:
    """XI-05."""
    (tmp_path / "folder").mkdir()
    (tmp_path / "empty").touch()
    os.mkfifo(tmp_path / "pipe")
    with open(tmp_path / "long", "wb") as stream:
        stream.truncate(200 << 20)  # takes no place
    with pytest.raises(UserError) as caught:
        load(os.path.join(tmp_path, name), "b")
    assert str(caught.value) == message


def test_the_validator_runs_alone(tmp_path: Path) -> None:
    """P-079."""
    (tmp_path / "good.md").write_text("bug\n")
    (tmp_path / "bad.md").write_bytes(b"\0")

    def validate(*names: str) -> tuple[int, str]:
        command = [sys.executable, "-I", str(ROOT / "validators/validate-brief.py"), *names]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, encoding="utf-8")
        return done.returncode, done.stderr

    assert validate("good.md") == (0, "")
    assert validate() == (2, "validate-brief: name a file\n")
    status, told = validate("good.md", "bad.md", "none.md")
    assert status == 1
    assert [line.split(";")[0] for line in told.splitlines()] == [
        "validate-brief: this brief cannot be used: bad.md: byte 0 is NUL: a binary file",
        "validate-brief: cannot read none.md: No such file or directory",
    ]
