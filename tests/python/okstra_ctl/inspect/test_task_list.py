"""The list of tasks (P-318, P-319, R-200, R-206)."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any, Callable

import pytest

from okstra_ctl.inspect import task_list

Put = Callable[..., Path]
ROW = {
    **{"taskKey": "shop:a:DEV-1", "taskGroup": "a", "taskId": "DEV-1", "taskType": None},
    **{"workStatus": None, "workCategory": "feature", "latestRunStatus": None},
    **{"latestRunPath": None, "updatedAt": None, "currentPhase": None},
}


def listed() -> dict[str, Any]:
    status, text = task_list.report("", as_json=False)
    found = json.loads(text)
    assert status == 0 and isinstance(found, dict)
    return found


def test_a_project_without_tasks(project: Path) -> None:
    assert listed() == {
        **{"schemaVersion": 1, "ok": True, "projectRoot": str(project), "projectId": "shop"},
        **{"tasks": [], "latestTask": None},
    }


def test_tasks_and_the_latest_of_them(put: Put) -> None:
    put("a", "DEV-1")
    put("b", "결제", updatedAt="2026-03-01T10:00:00+09:00", workflow={"currentPhase": "x"})
    put("c", "DEV-3", updatedAt="2026-03-01T02:00:00Z", taskType="t", workCategory="ops")
    put("d", "DEV-4", updatedAt="yesterday", workflow=5)
    found = listed()
    assert found["tasks"][0] == ROW
    assert [task["taskId"] for task in found["tasks"]] == ["DEV-1", "결제", "DEV-3", "DEV-4"]
    assert [task["currentPhase"] for task in found["tasks"]] == [None, "x", None, None]
    assert found["latestTask"] == found["tasks"][2]


def test_without_times_the_first_is_the_latest(put: Put) -> None:
    put("a", "DEV-1")
    put("a", "DEV-2")
    assert listed()["latestTask"]["taskId"] == "DEV-1"


def test_a_broken_manifest_hides_no_other_and_names_its_repair(put: Put) -> None:
    put("a", "DEV-1")
    place = put("a", "DEV-2")
    (place / "task-manifest.json").write_bytes(b'{"schemaVersion": 1,')
    broken = listed()["tasks"][1]
    assert (broken["taskKey"], broken["taskGroup"], broken["taskId"]) == (None, "a", "dev-2")
    assert broken["unreadable"].startswith(f"{place}/task-manifest.json:1:")
    subprocess.run(broken["fix"], shell=True, check=True)
    assert len(listed()["tasks"]) == 1


def test_a_broken_project_record_hides_no_task(project: Path, put: Put) -> None:
    put("a", "DEV-1")
    (project / ".okstra/project.json").write_bytes(b"[]")
    found = listed()
    assert found["projectId"] is None and len(found["tasks"]) == 1


def test_secrets_do_not_leave(put: Put, monkeypatch: pytest.MonkeyPatch) -> None:
    token = "ghp_" + "Ab1d" * 9
    put("a", "DEV-1", workStatus=f"x {token}")
    assert listed()["tasks"][0]["workStatus"] == "x [redacted:github-token]"


@pytest.mark.usefixtures("terminal")
def test_a_table_on_a_terminal(project: Path, put: Put) -> None:
    assert task_list.report("", as_json=False) == (0, f"no tasks yet in {project}")
    put("a", "결제", workStatus="todo\x1b[2J", taskType="t")
    (put("b", "x") / "task-manifest.json").write_text("", encoding="utf-8")
    lines = task_list.report("", as_json=False)[1].splitlines()
    assert lines[:2] == [
        "TASK         TYPE  STATUS       LATEST RUN  UPDATED",
        "shop:a:결제  t     todo\\x1b[2J  -           -",
    ]
    assert lines[2].startswith("b/x          -     unreadable   -           mv ")
    assert task_list.report("", as_json=True)[1].startswith("{")
