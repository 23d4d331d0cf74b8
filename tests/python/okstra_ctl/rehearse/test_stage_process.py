"""A rehearsal has an environment of its own, and counts what it leaves alive (H-051, Z-011)."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from okstra_ctl.rehearse import processes_files, stage_process
from okstra_ctl.rehearse.stage_process import Programs, Stage
from okstra_kernel import UserError, processes

TREE = Path(__file__).parents[4]


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    return Stage(str(tmp_path), "/빈 home", "/notes")


def test_nothing_of_the_users_gets_in(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        monkeypatch.delenv(name)
    monkeypatch.setenv("PATH", "/usr/bin")
    for name in ("ANTHROPIC_API_KEY", "OKSTRA_HOME", "CLAUDECODE", "GIT_DIR", "HOME"):
        monkeypatch.setenv(name, "/mine")
    assert stage.environment() == {
        "PATH": f"{TREE}/tests/rehearsal/bin:/usr/bin",
        "HOME": "/빈 home",
        "OKSTRA_PYTHON": sys.executable,
        "OKSTRA_REHEARSAL": "/notes",
        "OKSTRA_WRAPPER_IDLE_SECONDS": "3",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": "/dev/null",
    }


def test_what_is_called_off_starts_no_more(stage: Stage) -> None:
    programs = Programs()
    assert programs.run(["/bin/sh", "-c", "echo no >&2; exit 3"], stage) == (3, "no\n")
    programs.end()
    with pytest.raises(stage_process.Interrupted):
        programs.run(["/bin/sh", "-c", ":"], stage)
    assert programs.run(["/bin/sh", "-c", ":"], stage, last=True) == (0, "")


def test_a_kept_folder_is_a_new_one(tmp_path: Path) -> None:
    with stage_process.place(str(tmp_path / "a b")) as folder:
        assert folder == os.path.realpath(tmp_path / "a b")
    with (
        pytest.raises(UserError, match="cannot make this folder anew"),
        stage_process.place(str(tmp_path / "a b")),
    ):
        pass
    with stage_process.place("") as folder:
        assert os.stat(folder).st_mode & 0o777 == 0o700
    assert not os.path.exists(folder)


def test_a_recorded_process_is_one_of_its_number_and_start(tmp_path: Path) -> None:
    """Another one of the same number does not count."""
    own = f"{os.getpid()} {processes.started(os.getpid())}"
    notes = tmp_path / "cut" / "notes"
    notes.mkdir(parents=True)
    (notes / "pids").write_text(f"{own}\n{own}\n{os.getpid()} 1\n", encoding="utf-8")
    assert processes_files.count(str(tmp_path), wait=0) == (1, 2)
