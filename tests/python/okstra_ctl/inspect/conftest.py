"""A sealed home and a project with tasks, for what only reads."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Callable

import pytest

from okstra_kernel import display
from okstra_project.dirs import task_dir

Put = Callable[..., Path]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a registered project, which is the current folder. Answers go to no terminal."""
    for name in ("OKSTRA_LANG", "LC_ALL", "LANG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("OKSTRA_HOME", str(tmp_path / "빈 home"))
    root = tmp_path / "빈 project"
    (root / ".okstra").mkdir(parents=True)
    text = '{"schemaVersion": 1, "projectId": "shop"}'
    (root / ".okstra/project.json").write_text(text, encoding="utf-8")
    monkeypatch.chdir(root)
    display._secrets.cache_clear()
    return root


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let stdout be a terminal."""
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)


@pytest.fixture
def put(project: Path) -> Put:
    """Return what puts a task into the project and returns its folder."""

    def make(group: str, id: str, **members: Any) -> Path:
        place = Path(task_dir(str(project), group, id))
        place.mkdir(parents=True)
        ids = {"projectId": "shop", "taskGroup": group, "taskId": id}
        names = {"schemaVersion": 1, "taskKey": f"shop:{group}:{id}", **ids}
        text = json.dumps({**names, **members}, ensure_ascii=False)
        (place / "task-manifest.json").write_text(text, encoding="utf-8")
        return place

    return make
