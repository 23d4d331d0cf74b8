"""Projects in odd places and repositories in odd states (XI-04, XI-19, XT-02).

A run works there, or says why not before anything has changed.
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Callable

import pytest

from faults import soundness, sweep
from faults.sandbox import BRIEF, Done, Sandbox, prepare

WORKS = [
    "with a space",
    "'single' and \"double\"",
    "-rf",
    "--project-root=x",
    "$(touch canary)`touch canary`;touch canary",
    "*",
    "결제 서비스",
    "x" * 200,
    "{{TASK_KEY}}%s\\n",
]
REFUSED = ["new\nline", "tab\t", "esc\x1b[31m"]


@pytest.mark.parametrize("name", sweep.chosen(WORKS, 3), ids=lambda name: ascii(name[:24]))
def test_a_project_with_an_odd_name(box: Sandbox, name: str) -> None:
    done = _inside(box, box.live / name)
    assert done.status == 0, done.told
    assert not list(box.live.rglob("canary"))
    sweep.report(f"XI-04 project {name[:24]!r}", 1, soundness.faults(box, soundness.manifests(box)))


@pytest.mark.parametrize("name", sweep.chosen(REFUSED, 1), ids=ascii)
def test_a_project_that_no_line_can_hold(box: Sandbox, name: str) -> None:
    place = box.live / name
    done = _inside(box, place)
    assert (done.status, len(done.err.splitlines())) == (2, 1), done.told
    assert not (place / ".okstra").exists()
    assert not box.okstra_home.exists()


def test_a_path_that_is_not_utf8(box: Sandbox) -> None:
    place = box.live / os.fsdecode(b"\xff\xfe")
    try:
        place.mkdir()
    except OSError:
        pytest.skip("this file system has only UTF-8 names")
    done = _inside(box, place)
    assert (done.status, len(done.err.splitlines())) == (2, 1), done.told
    assert "not UTF-8" in done.err
    assert not (place / ".okstra").exists()
    assert not box.okstra_home.exists()


def test_a_home_with_an_odd_name(box: Sandbox) -> None:
    home = box.live / "o 'k' \"s\" $(touch canary)\n홈"
    done = box.run(*prepare(), env=box.env(OKSTRA_HOME=str(home)))
    assert done.status == 0, done.told
    assert (home / "recent.jsonl").is_file()
    assert not list(box.live.rglob("canary"))
    assert not box.okstra_home.exists()


def _inside(box: Sandbox, place: Path) -> Done:
    """Move the project there and prepare a run from within it."""
    if place.exists():
        place.rmdir()
    box.project.rename(place)
    box.project = place
    return box.run(*prepare())


def _no_git(box: Sandbox) -> Path:
    place = box.live / "plain"
    place.mkdir()
    return place


def _bare(box: Sandbox) -> Path:
    box.git("clone", "-q", "--bare", ".", str(box.live / "bare.git"))
    return box.live / "bare.git"


def _shallow(box: Sandbox) -> Path:
    box.git("commit", "-q", "--allow-empty", "-m", "more")
    box.git("clone", "-q", "--depth=1", f"file://{box.project}", str(box.live / "shallow"))
    return box.live / "shallow"


def _submodule(box: Sandbox) -> Path:
    box.git("clone", "-q", ".", str(box.live / "outer"))
    box.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(box.project), "sub",
            folder=box.live / "outer")  # fmt: skip
    return box.live / "outer" / "sub"


def _worktree(box: Sandbox) -> Path:
    box.git("worktree", "add", "-q", str(box.live / "tree"))
    box.git("worktree", "add", "-q", "-b", "b", str(box.live / "tree 2"), folder=box.live / "tree")
    return box.live / "tree 2"


def _detached(box: Sandbox) -> Path:
    box.git("checkout", "-q", "--detach")
    return box.project


def _unborn(box: Sandbox) -> Path:
    box.git("checkout", "-q", "--orphan", "new")
    return box.project


def _locked(box: Sandbox) -> Path:
    (box.project / ".git" / "index.lock").touch()
    return box.project


def _rebase(box: Sandbox) -> Path:
    box.git("checkout", "-q", "-b", "side")
    _commit(box, "side")
    box.git("checkout", "-q", "main")
    _commit(box, "main")
    with pytest.raises(subprocess.CalledProcessError):
        box.git("rebase", "side")
    assert (box.project / ".git" / "rebase-merge").is_dir()
    return box.project


def _commit(box: Sandbox, text: str) -> None:
    (box.project / "report.py").write_text(text, encoding="utf-8")
    box.git("commit", "-q", "-a", "-m", text)


def _empty_git(box: Sandbox) -> Path:
    place = _no_git(box)
    (place / ".git").mkdir()
    return place


def _broken_git_file(box: Sandbox) -> Path:
    place = _no_git(box)
    (place / ".git").write_text("gitdir: /nowhere\n", encoding="utf-8")
    return place


# What a repository is like -> how it is made, and its exclude file, if that gets the block.
REPOSITORIES: dict[str, tuple[Callable[[Sandbox], Path], str]] = {
    "no git": (_no_git, ""),
    "empty .git": (_empty_git, ""),
    "broken .git file": (_broken_git_file, ""),
    "bare": (_bare, ""),
    "shallow": (_shallow, "shallow/.git/info/exclude"),
    "submodule": (_submodule, "outer/.git/modules/sub/info/exclude"),
    "worktree of a worktree": (_worktree, "project/.git/info/exclude"),
    "detached HEAD": (_detached, "project/.git/info/exclude"),
    "unborn branch": (_unborn, "project/.git/info/exclude"),
    "locked index": (_locked, "project/.git/info/exclude"),
    "rebase under way": (_rebase, "project/.git/info/exclude"),
}


@pytest.mark.parametrize("kind", sweep.chosen(REPOSITORIES, 4))
def test_a_repository_in_an_odd_state(box: Sandbox, kind: str) -> None:
    make, exclude = REPOSITORIES[kind]
    box.project = make(box)
    (box.project / "brief.md").write_text(BRIEF, encoding="utf-8")
    done = box.run(*prepare(), f"--project-root={box.project}")
    assert done.status == 0, done.told
    found = [p for p in box.live.rglob("info/exclude") if "# okstra: begin" in p.read_text("utf-8")]
    assert found == ([box.live / exclude] if exclude else [])
    if exclude:
        assert ".okstra" not in box.git("status", "--short")
    box.run(*prepare(), f"--project-root={box.project}")
    numbers = soundness.numbers(box, "t1")
    sweep.report(f"XI-19 {kind}", 1, [] if numbers == [1, 2] else [f"numbers: {numbers}"])


ZONES = ["Asia/Seoul", "America/New_York", "XXX-14:30", ":/nowhere", "\n"]


@pytest.mark.parametrize("zone", sweep.chosen(ZONES, 1), ids=ascii)
def test_times_are_utc(box: Sandbox, zone: str) -> None:
    """Whatever TZ says, what is written is ISO UTC (XT-02)."""
    done = box.run(*prepare(), env=box.env(TZ=zone))
    assert done.status == 0, done.told
    utc = subprocess.run(["date", "-u", "+%Y-%m-%dT%H"], capture_output=True, text=True).stdout
    row = soundness.rows(box)[0]["startedAt"]
    assert row.endswith("Z")
    assert row.startswith(utc.strip())
    manifest = json.loads(soundness.manifests(box)[0].read_text("utf-8"))
    assert manifest["createdAt"] == row
