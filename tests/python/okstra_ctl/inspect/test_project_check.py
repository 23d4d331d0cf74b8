"""What is wrong with a project, and its cure (L-192, U-20, XI-15)."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Callable

import pytest

from okstra_ctl.inspect import project_check, project_check_files
from okstra_kernel import UserError
from okstra_project import trust_files

Put = Callable[..., Path]


def checks(root: str = "") -> tuple[int, dict[str, tuple[str, str, str]]]:
    status, text = project_check.report(root, as_json=True)
    found = json.loads(text)
    assert found["ok"] is (status == 0)
    return status, {c["name"]: (c["state"], c["detail"], c["fix"]) for c in found["checks"]}


@pytest.fixture
def home(project: Path, tmp_path: Path) -> Path:
    place = tmp_path / "빈 home"
    place.mkdir(0o700)
    trust_files.record(str(place), str(project), "asked")
    return place


def test_all_is_well(project: Path, home: Path, put: Put) -> None:
    put("a", "DEV-1")
    assert checks() == (
        0,
        {
            "project-root": ("ok", str(project), ""),
            "project-json": ("ok", "project id shop", ""),
            "trust": ("ok", "trusted", ""),
            "git-exclude": ("ok", "no git here", ""),
            "tasks": ("ok", "1 tasks", ""),
            "home": ("ok", str(home), ""),
        },
    )


def test_broken_records_fail_with_a_command_that_cures(project: Path, home: Path, put: Put) -> None:
    (project / ".okstra/project.json").write_bytes(b"{")
    for id in ("DEV-1", "DEV-2"):
        (put("a", id) / "task-manifest.json").write_bytes(b"")
    status, found = checks()
    assert status == 1
    assert found["project-json"][0] == found["tasks"][0] == "fail"
    assert found["tasks"][1].endswith("and 1 more")
    for name in ("project-json", "tasks"):
        subprocess.run(found[name][2], shell=True, check=True)
    again = checks(str(project))[1]["tasks"][2]  # nothing marks the folder as a project now
    subprocess.run(again, shell=True, check=True)
    status, found = checks(str(project))
    assert (status, found["tasks"][:2]) == (0, ("ok", "0 tasks"))
    assert found["project-json"][:2] == ("warn", "not registered yet")


def test_an_untrusted_project_and_none_at_all(project: Path, tmp_path: Path) -> None:
    status, found = checks()
    assert (status, found["trust"][0], found["trust"][2]) == (0, "warn", "okstra trust")
    assert found["home"][:2] == ("ok", f"made by the first run: {tmp_path}/빈 home")
    status, found = checks("none")
    assert (status, set(found), found["project-root"][0]) == (1, {"project-root", "home"}, "fail")
    (tmp_path / "bare").mkdir()
    assert checks(str(tmp_path / "bare"))[1]["trust"][1] == "nothing to trust yet"


def test_links_fail_and_nothing_is_read_through_them(project: Path, tmp_path: Path) -> None:
    (tmp_path / "q r").mkdir()
    (tmp_path / "q r/.okstra").symlink_to(project / ".okstra")
    status, found = checks(str(tmp_path / "q r"))
    assert (status, set(found)) == (1, {"project-root", "links", "home"})
    subprocess.run(found["links"][2], shell=True, check=True)
    assert not (tmp_path / "q r/.okstra").is_symlink() and (project / ".okstra").is_dir()


def test_git_and_the_folder(project: Path, home: Path) -> None:
    def git(*words: str) -> None:
        subprocess.run(["git", "-C", str(project), *words], check=True, capture_output=True)

    git("init", "-q")
    assert checks()[1]["git-exclude"][:2] == ("warn", "git sees .okstra/")
    (project / ".git/info").mkdir(exist_ok=True)
    (project / ".git/info/exclude").write_text("/.okstra/\n", encoding="utf-8")
    assert checks()[1]["git-exclude"][1] == "git sees nothing of .okstra/"
    git("add", "-f", ".okstra")
    assert checks()[1]["git-exclude"][1] == "tracked by git"
    (project / ".git/index").write_bytes(b"x")
    state, detail, _ = checks()[1]["git-exclude"]
    assert state == "fail" and detail.startswith("git ls-files: ")


def test_the_home(project: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home.chmod(0o755)
    state, detail, fix = checks()[1]["home"]
    assert (state, detail) == ("warn", f"open to others: {home}")
    subprocess.run(fix, shell=True, check=True)
    assert checks()[1]["home"][0] == "ok"
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert checks()[1]["home"][:2] == ("fail", f"not writable: {home}")
    monkeypatch.setattr(os, "geteuid", lambda: 12345)
    assert checks()[1]["home"][:2] == ("fail", f"belongs to another user: {home}")
    monkeypatch.setenv("OKSTRA_HOME", "relative")
    assert checks()[1]["home"][0] == "fail"
    assert project_check_files.home("a\0b"[:1] + "/" * 5000)[0] == "fail"


def test_what_cannot_be_read_fails_by_name(
    project: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / ".okstra/tasks").touch()

    def broken(*_: object) -> bool:
        raise UserError("trust.jsonl: broken")

    monkeypatch.setattr(trust_files, "is_trusted", broken)
    status, found = checks()
    assert status == 1
    assert found["tasks"][0] == found["trust"][0] == "fail"


@pytest.mark.usefixtures("terminal")
def test_on_a_terminal(project: Path) -> None:
    lines = project_check.report("", as_json=False)[1].splitlines()
    assert lines[0] == f"ok    project-root  {project}"
    assert lines[2:4] == [
        "warn  trust         its .okstra is only read",
        "      next: okstra trust",
    ]
