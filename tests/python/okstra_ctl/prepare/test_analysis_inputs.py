from __future__ import annotations

import os
from pathlib import Path

import pytest

from okstra_ctl.prepare.analysis_inputs import evidence, target
from okstra_kernel import UserError


@pytest.fixture
def root(tmp_path: Path) -> str:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "결제.py").write_bytes(b"12345")
    os.symlink("/etc", tmp_path / "out")
    os.mkfifo(tmp_path / "pipe")
    return str(tmp_path)


@pytest.mark.parametrize("word", ["src/결제.py", " src ", "pay.Total", "결제()", ""])
def test_a_target_is_a_path_of_the_project_or_a_symbol(root: str, word: str) -> None:
    """P-120."""
    assert target(root, word) == word.strip()


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("src/none.py", "no such path: --analysis-target=src/none.py"),
        ("../x", "outside the project: --analysis-target=../x"),
        ("/etc/passwd", "outside the project: --analysis-target=/etc/passwd"),
        ("out/passwd", "outside the project: --analysis-target=out/passwd"),
        ("a\x1b[31m", "not a path or symbol: --analysis-target='a\\x1b[31m'"),
        ("a/\0", "not a path or symbol: --analysis-target='a/\\x00'"),
    ],
)
def test_another_target_is_refused(root: str, word: str, message: str) -> None:
    with pytest.raises(UserError) as caught:
        target(root, word)
    assert str(caught.value) == message


def test_evidence_is_a_list_of_readable_files(root: str) -> None:
    assert evidence(root, " src/결제.py ,, src/결제.py") == [("src/결제.py", "5 bytes")] * 2
    assert evidence(root, " ") == []


@pytest.mark.parametrize("word", ["none", "src", "pipe", "a\0b", "x" * 5000])
def test_evidence_that_is_no_file_is_refused(root: str, word: str) -> None:
    with pytest.raises(UserError, match="--evidence-inputs: "):
        evidence(root, word)
