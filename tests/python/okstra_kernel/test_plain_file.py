"""XI-05, XI-15: what is no plain file is named at once, and never waited for."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Callable

import pytest

from okstra_ctl.runs import index_files, outcome_files
from okstra_kernel import UserError, jsonl, plain_file, strict_json
from okstra_project import git_exclude


def fifo(folder: Path, name: str = "pipe") -> str:
    path = folder / name
    os.mkfifo(path)
    return str(path)


@pytest.mark.parametrize(
    "read",
    [
        strict_json.read,
        jsonl.read,
        lambda path: plain_file.read(path, path, limit=10),
        lambda path: index_files.numbers(os.path.dirname(path), "p:g:i", "t"),
    ],
    ids=["strict_json", "jsonl", "plain_file", "index"],
)
def test_a_pipe_is_not_waited_for(tmp_path: Path, read: Callable[[str], object]) -> None:
    path = fifo(tmp_path, index_files.RECENT)
    try:
        found = read(path)
    except UserError as err:
        assert path in str(err)
    else:
        assert found == []  # the index is a cache: without it the folders are counted alone


def test_a_pipe_in_place_of_a_run_s_status_says_nothing(tmp_path: Path) -> None:
    assert outcome_files.outcome(fifo(tmp_path)) == ""
    assert outcome_files.outcome("/a\0b") == ""


def test_a_pipe_in_place_of_git_s_exclude_file_is_named(tmp_path: Path) -> None:
    import subprocess

    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    exclude = tmp_path / ".git" / "info" / "exclude"
    exclude.unlink(missing_ok=True)
    exclude.parent.mkdir(exist_ok=True)
    os.mkfifo(exclude)
    with pytest.raises(UserError, match="Not a plain file"):
        git_exclude.hide(str(tmp_path))


@pytest.mark.parametrize("path", ["/dev/zero", "/dev/null", "."])
def test_devices_and_folders_are_named(path: str) -> None:
    with pytest.raises(UserError, match="not a file: x"):
        plain_file.read(path, "x", limit=10)
