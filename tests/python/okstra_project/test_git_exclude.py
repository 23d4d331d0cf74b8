from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from okstra_project.git_exclude import hide, pattern, with_line


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "# okstra: begin\n/.okstra/\n# okstra: end\n"),
        ("*.o", "*.o\n# okstra: begin\n/.okstra/\n# okstra: end\n"),
        (
            "# okstra: begin\n/a/.okstra/\n# okstra: end\n*.o\n",
            "# okstra: begin\n/.okstra/\n/a/.okstra/\n# okstra: end\n*.o\n",
        ),
        ("/.okstra/\n", "/.okstra/\n"),
    ],
)
def test_with_line(before: str, after: str) -> None:
    assert with_line(before, "/.okstra/") == after


@given(st.text())
def test_a_line_is_added_once_and_nothing_is_lost(text: str) -> None:
    once = with_line(text, "/.okstra/")
    assert with_line(once, "/.okstra/") == once
    assert once.startswith(text) or "# okstra: begin" in text


def git(folder: Path, *words: str) -> str:
    run = subprocess.run(["git", *words], cwd=folder, capture_output=True, text=True, check=True)
    return run.stdout


@pytest.mark.parametrize("place", ["", "a b/[x]*?", "결제", "#c", "!d"])
def test_git_no_longer_sees_the_folder_wherever_the_project_lies(
    tmp_path: Path, place: str
) -> None:
    git(tmp_path, "init", "-q")
    project = tmp_path / place
    (project / ".okstra").mkdir(parents=True)
    (project / ".okstra" / "project.json").write_text("{}", encoding="utf-8")
    assert hide(str(project)).endswith("/info/exclude")
    assert git(tmp_path, "status", "--porcelain", "-uall") == ""
    assert hide(str(project)) == ""


def test_a_worktree_is_hidden_by_the_file_of_its_repository(tmp_path: Path) -> None:
    main = tmp_path / "main"
    main.mkdir()
    git(main, "init", "-q")
    git(main, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-mx")
    git(main, "worktree", "add", "-q", str(tmp_path / "other"))
    (tmp_path / "other" / ".okstra").mkdir()
    assert hide(str(tmp_path / "other")) == str(main / ".git" / "info" / "exclude")


def test_what_git_ignores_or_tracks_already_is_left_alone(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    (tmp_path / ".gitignore").write_text(".okstra/\n", encoding="utf-8")
    assert hide(str(tmp_path)) == ""
    (tmp_path / ".gitignore").write_text("", encoding="utf-8")
    (tmp_path / ".okstra").mkdir()
    (tmp_path / ".okstra" / "project.json").write_text("{}", encoding="utf-8")
    git(tmp_path, "add", "-f", ".okstra/project.json")
    assert hide(str(tmp_path)) == ""


def test_without_git_nothing_is_written(tmp_path: Path) -> None:
    assert hide(str(tmp_path)) == ""
    (tmp_path / ".git").mkdir()  # what a killed sandbox leaves (80 §7)
    assert hide(str(tmp_path)) == ""


def test_a_pattern_takes_the_path_word_for_word() -> None:
    assert pattern("a b/[x]*?/") == r"/a\ b/\[x]\*\?/.okstra/"
