"""Git runs nothing of the repository's (Z-042, G-021, XS-03, XS-04)."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from okstra_kernel import UserError, git_process


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "빈 repo"
    subprocess.run(["git", "init", "-q", "-b", "main", folder], check=True)
    return folder


def test_an_answer_and_one_line_of_it(repository: Path) -> None:
    assert git_process.line(str(repository), "rev-parse", "--show-toplevel") == str(repository)
    assert git_process.line(str(repository), "rev-parse", "no-such") == ""
    answer = git_process.run(str(repository), "rev-parse", "no-such")
    assert answer.status == 128 and "no-such" in answer.err


def test_neither_hooks_nor_a_monitor_of_the_repository_run(repository: Path) -> None:
    script = repository / "harm.sh"
    script.write_text(f"#!/bin/sh\ntouch '{repository}/ran'\n", encoding="utf-8")
    script.chmod(0o755)
    hook = repository / ".git/hooks/post-checkout"
    hook.parent.mkdir(exist_ok=True)
    hook.write_bytes(script.read_bytes())
    hook.chmod(0o755)
    config = ["git", "-C", str(repository), "config"]
    for name in ("core.fsmonitor", "diff.external", "core.sshCommand", "core.pager"):
        subprocess.run([*config, name, f"'{script}'"], check=True)  # Git's shell splits it
    for words in (["status"], ["diff"], ["checkout", "-q", "-b", "x"], ["ls-files", "-o"]):
        git_process.run(str(repository), *words)
    assert not (repository / "ran").exists()
    subprocess.run(["git", "-C", str(repository), "status"], check=True, capture_output=True)
    assert (repository / "ran").exists(), "the harm would not have shown"


def test_the_folder_decides_whatever_the_environment_says(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_EXTERNAL_DIFF"):
        monkeypatch.setenv(name, str(tmp_path / "elsewhere"))
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    assert git_process.line(str(repository), "rev-parse", "--show-toplevel") == str(repository)
    allowed = {"GIT_TERMINAL_PROMPT", "GIT_PAGER"}
    assert {name for name in git_process.environment() if name.startswith("GIT_")} == allowed


def test_no_git_a_git_that_hangs_and_one_that_cannot_be_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UserError, match="git is not installed"):
        git_process.run(str(tmp_path), "status")
    git = tmp_path / "git"
    git.write_text("#!/bin/sh\nexec /bin/sleep 60\n", encoding="utf-8")
    git.chmod(0o755)
    monkeypatch.setattr(git_process, "TIMEOUT", 0.1)
    with pytest.raises(UserError, match="git status took more than"):
        git_process.run(str(tmp_path), "status")
    git.write_text("\0", encoding="utf-8")
    with pytest.raises(UserError, match="git cannot be started"):
        git_process.run(str(tmp_path), "status")


def test_a_path_that_is_not_utf_8_keeps_its_bytes(repository: Path) -> None:
    name = b"caf\xe9"
    Path(os.fsdecode(bytes(repository) + b"/" + name)).touch()
    answer = git_process.run(str(repository), "ls-files", "-z", "-o")
    assert os.fsencode(answer.out) == name + b"\0"
