"""Installations in process, with an environment that costs nothing, killed at every step."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, Callable

import pytest

from okstra_ctl.install import (
    install_files,
    layout,
    link_files,
    manifest_files,
    uninstall_files,
    venv_process,
)
from okstra_kernel import Refusal

STEPS = ("rename", "replace", "symlink", "mkdir", "unlink", "rmdir", "fsync", "sync")
ROOT = Path(__file__).resolve().parents[4]


def quiet(_: str) -> None:
    pass


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a small tree; what needs pip is replaced."""
    root = tmp_path / "빈 source"
    for name in layout.REQUIRED:
        place = root / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(f"{name}\n", encoding="utf-8")
    (root / "VERSION").write_text("1.0\n", encoding="utf-8")

    def make(build: str, final: str, tell: venv_process.Tell) -> None:
        os.makedirs(os.path.join(build, "venv", "bin"))
        os.symlink("/usr/bin/python3", os.path.join(build, "venv", "bin", "python3"))

    monkeypatch.setattr(venv_process, "make", make)
    monkeypatch.setattr(venv_process, "finish", lambda build, tell: None)
    monkeypatch.setattr(venv_process, "works", lambda version: True)
    monkeypatch.setattr(os, "fsync", lambda stream: None)  # a kill does not need the disk
    monkeypatch.setattr(os, "sync", lambda: None)
    return root


def install(source: Path, home: Path, version: str) -> str:
    (source / "VERSION").write_text(f"{version}\n", encoding="utf-8")
    return install_files.install(str(source), str(home), quiet)


def killed_at(number: int, work: Any) -> bool:
    """Do the work in a process that is gone at its n-th step; say whether it came so far."""
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9
    count = 0

    def counted(real: Callable[..., Any]) -> Callable[..., Any]:
        def step(*words: Any, **more: Any) -> Any:
            nonlocal count
            count += 1
            if count == number:
                os._exit(9)
            return real(*words, **more)

        return step

    for name in STEPS:
        setattr(os, name, counted(getattr(os, name)))
    status = 1
    try:
        work()
        status = 0
    finally:
        os._exit(status)


def state(home: Path) -> tuple[str, str]:
    """Return version in use and the one before, after a look that both are whole."""
    known = manifest_files.read(str(home))
    for name in filter(None, (known.current, known.previous)):
        assert (home / "versions" / name / "BUILD.json").is_file()
    return known.current.partition("-")[0], known.previous.partition("-")[0]


def test_killed_at_any_step_an_upgrade_leaves_a_whole_version_and_can_be_done_again(
    source: Path, tmp_path: Path
) -> None:
    number, reached = 0, True
    seen = set()
    while reached:
        number += 1
        home = tmp_path / f"home {number}"
        install(source, home, "1.0")
        reached = killed_at(number, lambda home=home: install(source, home, "2.0"))
        seen.add(state(home))
        if reached:
            install(source, home, "2.0")
        assert state(home) == ("2.0", "1.0")
        left = [
            path
            for path in home.rglob("*")
            if path.name.startswith(".build-") or path.name.endswith(".tmp")
        ]
        assert not left
    assert seen == {("1.0", ""), ("2.0", "1.0")}
    assert number > 30


def test_killed_at_any_step_a_rollback_and_a_removal_can_be_done_again(
    source: Path, tmp_path: Path
) -> None:
    for work in (install_files.rollback, uninstall_files.uninstall):
        number, reached = 0, True
        while reached:
            number += 1
            home = tmp_path / f"{work.__name__} {number}"
            install(source, home, "1.0")
            install(source, home, "2.0")
            reached = killed_at(number, lambda home=home, work=work: work(str(home)))
            current = link_files.current(str(home))
            assert not current or (home / "versions" / current / "BUILD.json").is_file()
            uninstall_files.uninstall(str(home))
            assert not home.exists(), number
        assert number > 3


def test_versions_kept_are_the_one_in_use_and_the_one_before(source: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    for version in ("1.0", "2.0", "3.0"):
        install(source, home, version)
    assert state(home) == ("3.0", "2.0")
    assert [name.partition("-")[0] for name in sorted(os.listdir(home / "versions"))] == [
        "2.0",
        "3.0",
    ]
    assert install(source, home, "2.0").startswith("installed: okstra 2.0-")
    assert state(home) == ("2.0", "3.0")


def test_a_file_that_changes_while_it_is_copied_stops_the_installation(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    install(source, home, "1.0")

    def edit(build: str, *_: object) -> None:
        raise OSError(28, "No space left on device", build)

    monkeypatch.setattr(venv_process, "make", edit)
    monkeypatch.setattr(venv_process, "works", lambda version: False)
    with pytest.raises(Refusal, match="No space left"):
        install(source, home, "2.0")
    assert state(home) == ("1.0", "")
    assert len(os.listdir(home / "versions")) == 1


def test_what_is_written_fits_its_schemas(source: Path, tmp_path: Path) -> None:
    from jsonschema import Draft202012Validator

    home = tmp_path / "home"
    install(source, home, "1.0")
    install(source, home, "2.0")
    written = {
        "install-manifest": home / "install-manifest.json",
        "build": home / "current/BUILD.json",
    }
    for name, path in written.items():
        schema = json.loads((ROOT / f"validators/schemas/{name}.schema.json").read_text("utf-8"))
        value = json.loads(path.read_text("utf-8"))
        assert [error.message for error in Draft202012Validator(schema).iter_errors(value)] == []
