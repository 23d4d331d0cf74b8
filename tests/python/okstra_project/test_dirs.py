"""Where things lie (P-005, P-048, L-003, L-007, XI-23)."""

from __future__ import annotations

from pathlib import Path

import pytest

from okstra_kernel import UserError
from okstra_project import dirs


@pytest.mark.parametrize(
    ("environment", "home"),
    [
        ({"OKSTRA_HOME": "/x y/결제", "HOME": "/h"}, "/x y/결제"),
        ({"OKSTRA_HOME": "", "HOME": "/h"}, "/h/.okstra"),
        ({"HOME": "/h"}, "/h/.okstra"),
    ],
)
def test_home(environment: dict[str, str], home: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OKSTRA_HOME", raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert dirs.okstra_home() == home


@pytest.mark.parametrize(
    ("okstra_home", "home", "message"),
    [("", "", "neither"), ("x", "/h", "not an absolute path: x"), ("<file>", "/h", "not a folder")],
)
def test_a_home_that_cannot_be_used(
    okstra_home: str, home: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("OKSTRA_HOME", okstra_home.replace("<file>", str(tmp_path / "file")))
    monkeypatch.setenv("HOME", home)
    with pytest.raises(UserError, match=message):
        dirs.okstra_home()


def test_places() -> None:
    assert dirs.okstra_dir("/p") == "/p/.okstra"
    assert dirs.project_json_path("/p") == "/p/.okstra/project.json"
    assert dirs.tasks_dir("/p") == "/p/.okstra/tasks"
    assert dirs.task_dir("/p", "Epic 1", "DEV-1") == "/p/.okstra/tasks/epic-1/dev-1"
    assert dirs.task_relative("Epic 1", "DEV-1") == ".okstra/tasks/epic-1/dev-1"
    with pytest.raises(UserError):
        dirs.task_dir("/p", "..", "x")
