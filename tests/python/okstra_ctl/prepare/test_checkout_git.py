from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from okstra_ctl.prepare.checkout_git import base_commit, facts
from okstra_kernel import UserError


def git(root: Path, *words: str) -> str:
    about = ("-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "init.defaultBranch=main")
    command = ["git", "-C", str(root), *about, *words]
    return subprocess.run(command, check=True, capture_output=True, encoding="utf-8").stdout.strip()


def test_what_git_says_of_a_checkout(tmp_path: Path) -> None:
    """XI-19: none, unborn, on a branch, detached."""
    assert facts(str(tmp_path)) == []
    git(tmp_path, "init", "-q")
    assert facts(str(tmp_path)) == [("branch", "none yet")]
    git(tmp_path, "commit", "-q", "--allow-empty", "-m", "x")
    commit = git(tmp_path, "rev-parse", "HEAD")
    assert facts(str(tmp_path)) == [("head", commit), ("branch", "main")]
    git(tmp_path, "checkout", "-q", "--detach")
    assert facts(str(tmp_path)) == [("head", commit), ("branch", "detached")]


def test_a_base_is_a_commit(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"^no git checkout here, so no --base-ref=main$"):
        base_commit(str(tmp_path), "main")
    git(tmp_path, "init", "-q")
    git(tmp_path, "commit", "-q", "--allow-empty", "-m", "x")
    commit = git(tmp_path, "rev-parse", "HEAD")
    assert [base_commit(str(tmp_path), ref) for ref in ("", " main ", commit[:8], "HEAD")] == [
        *("", commit, commit, commit),
    ]
    for ref in ("nosuch", "--all", "-x", "main:file", "HEAD^{tree}", "main\nx"):
        with pytest.raises(UserError, match=r"^not a commit here: --base-ref="):
            base_commit(str(tmp_path), ref)
