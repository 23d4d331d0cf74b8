"""One task and its runs; keys of bare ids (P-320, P-321, R-204, Z-006)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Callable

import pytest

from okstra_ctl.inspect import task_keys, task_show
from okstra_kernel import UserError
from okstra_project import task_target

Put = Callable[..., Path]
NOW = "2026-03-01T10:00:00Z"


def run(task: Path, seq: str, *, stage: int | None = None, **members: Any) -> Path:
    """Put a run's manifest where it belongs, and return the run's folder."""
    folder = task / "runs/error-analysis" / (f"stage-{stage}" if stage else "")
    (folder / "manifests").mkdir(parents=True, exist_ok=True)
    facts = {"taskKey": "shop:a:DEV-1", "taskType": "error-analysis", "stage": stage, "seq": seq}
    text = json.dumps({"schemaVersion": 1, **facts, "startedAt": NOW, **members})
    path = folder / f"manifests/run-manifest-error-analysis-{seq}.json"
    path.write_text(text, encoding="utf-8")
    return folder


def shown(token: str = "DEV-1") -> dict[str, Any]:
    status, text = task_show.report(token, "", "", as_json=False)
    found = json.loads(text)
    assert isinstance(found, dict) and found["ok"] is (status == 0)
    return found


def test_a_task_without_runs(put: Put) -> None:
    place = put("a", "DEV-1", workStatus="todo", taskBriefPath="b.md", workflow={"x": 1})
    assert shown() == {
        **{"schemaVersion": 1, "ok": True, "taskKey": "shop:a:DEV-1", "taskRoot": str(place)},
        **{"taskType": None, "workflow": {"x": 1}, "workStatus": "todo"},
        **{"workStatusUpdatedAt": None, "workStatusNote": None, "workCategory": "feature"},
        **{"briefPath": "b.md", "latestRunPath": None, "latestRunStatus": None},
        **{"relatedTasks": None, "createdAt": None, "updatedAt": None},
        **{"runs": [], "faults": [], "worktree": None, "stages": []},
    }


def test_runs_of_phases_and_stages_with_status_report_and_waiver(put: Put) -> None:
    task = put("a", "DEV-1")
    waiver = {"flags": ["-x"], "note": "sandbox off", "grantedBy": "tty", "at": NOW}
    run(task, "002", sandboxWaiver=waiver, leadRuntime="codex", startedAt="2026-03-02T00:00:00Z")
    folder = run(task, "001", renderOnly=True)
    run(task, "001", stage=2, startedAt="2026-03-03T00:00:00Z")
    (folder / "reports").mkdir()
    (folder / "reports/final-report-error-analysis-001.md").touch()
    (folder / "status").mkdir()
    (folder / "status/final-error-analysis-001.status").write_text("failed\nx", encoding="utf-8")
    (task / "history").mkdir()
    row = {"runId": "shop:a:DEV-1/error-analysis/002", "status": "running"}
    text = json.dumps({"schemaVersion": 1, "runs": [row]})
    (task / "history/timeline.json").write_text(text, encoding="utf-8")

    first, second, third = shown()["runs"]
    base = ".okstra/tasks/a/dev-1/runs/error-analysis"
    assert first == {
        **{"runId": "shop:a:DEV-1/error-analysis/001", "taskType": "error-analysis"},
        **{"stage": None, "seq": "001", "status": "failed", "startedAt": NOW},
        **{"leadRuntime": "", "renderOnly": True},
        "reportPath": f"{base}/reports/final-report-error-analysis-001.md",
        "manifestPath": f"{base}/manifests/run-manifest-error-analysis-001.json",
    }
    assert (second["status"], second["sandboxWaiver"]) == ("running", waiver)
    assert (third["runId"], third["status"]) == (
        "shop:a:DEV-1/error-analysis/stage-2/001",
        "prepared",
    )
    assert third["manifestPath"].startswith(f"{base}/stage-2/")


@pytest.mark.parametrize(
    ("members", "fault"),
    [
        ({"schemaVersion": 2}, "this okstra reads 1, found 2"),
        ({"taskKey": "shop:a:DEV-2"}, "another run's"),
        ({"seq": "../../x"}, "not a run's number: '../../x'"),
        ({"seq": "\u0660\u0660\u0661"}, "not a run's number"),
        ({"taskType": "../../x"}, "out of its folder"),
        ({"stage": "2"}, "expected a whole number"),
        ({"stage": 3}, "another run's"),
        ({"startedAt": None}, "expected text"),
        ({"sandboxWaiver": "x"}, "expected an object"),
    ],
)
def test_a_manifest_that_is_none_is_told_and_hides_no_other(
    members: dict[str, Any], fault: str, put: Put
) -> None:
    task = put("a", "DEV-1")
    run(task, "001")
    path = run(task, "002") / "manifests/run-manifest-error-analysis-002.json"
    path.write_text(json.dumps({**json.loads(path.read_bytes()), **members}), encoding="utf-8")
    found = shown()
    assert [one["seq"] for one in found["runs"]] == ["001"]
    assert len(found["faults"]) == 1 and fault in found["faults"][0]


def test_links_and_strangers_among_the_runs_are_passed_over(put: Put, tmp_path: Path) -> None:
    task = put("a", "DEV-1")
    folder = run(task, "001")
    manifests = folder / "manifests"
    (manifests / "notes.json").touch()
    (manifests / "run-manifest-error-analysis-002.json").symlink_to("/dev/zero")
    (tmp_path / "else").mkdir()
    (task / "runs/linked").symlink_to(tmp_path / "else")
    (folder / "stage-1").mkdir()
    (folder / "stage-1/manifests").symlink_to(manifests)
    found = shown()
    assert ([one["seq"] for one in found["runs"]], found["faults"]) == (["001"], [])


@pytest.mark.usefixtures("terminal")
def test_on_a_terminal(put: Put) -> None:
    task = put("a", "DEV-1", workStatus="blocked", workStatusNote="waits\x1b[2J", workflow=[])
    waiver = {"flags": ["-x"], "note": "sandbox off", "grantedBy": "--yes", "at": NOW}
    run(task, "001", sandboxWaiver=waiver, leadRuntime="codex")
    (run(task, "002") / "manifests/run-manifest-error-analysis-002.json").write_bytes(b"")
    lines = task_show.report("DEV-1", "", "", as_json=False)[1].splitlines()
    assert lines[:6] == [
        "task      shop:a:DEV-1",
        f"folder    {task}",
        "phase     -",
        "status    blocked waits\\x1b[2J",
        "category  feature",
        "brief     -",
    ]
    assert lines[7:10] == [
        "RUN                 STATUS    STARTED               LEAD   REPORT",
        f"error-analysis/001  prepared  {NOW}  codex  -",
        "sandbox waived for error-analysis/001, by --yes: -x",
    ]
    assert lines[10].startswith("unreadable: /")


def test_a_task_that_is_not_there_or_several(put: Put) -> None:
    put("a", "DEV-1")
    put("b", "DEV-1")
    found = shown()
    assert (found["ok"], found["stage"]) == (False, "ambiguous")
    assert found["matches"] == ["shop:a:DEV-1", "shop:b:DEV-1"]
    assert shown("none")["stage"] == "not-found"
    assert shown("shop:a:none")["stage"] == "not-found"
    with pytest.raises(UserError, match="not a task key"):
        shown("a:b")


@pytest.mark.usefixtures("terminal")
def test_on_a_terminal_that_is_an_error(put: Put) -> None:
    with pytest.raises(task_target.NotFound):
        task_show.report("none", "", "", as_json=False)


@pytest.mark.parametrize(
    ("token", "group", "answer"),
    [
        ("dev-1", "a", {"ok": True, "taskKey": "shop:a:DEV-1", "matches": ["shop:a:DEV-1"]}),
        ("shop:b:DEV-1", "", {"ok": True, "taskKey": "shop:b:DEV-1", "matches": ["shop:b:DEV-1"]}),
        (
            "DEV-1",
            "",
            {
                **{"ok": False, "stage": "ambiguous", "next": "give the full key"},
                "error": "several tasks have the id 'DEV-1': shop:a:DEV-1, shop:b:DEV-1",
                "matches": ["shop:a:DEV-1", "shop:b:DEV-1"],
            },
        ),
        (
            "x",
            "",
            {
                **{"ok": False, "stage": "not-found", "next": "okstra task-list"},
                "error": "no task with the id 'x'",
            },
        ),
    ],
)
def test_resolve_task_key(token: str, group: str, answer: dict[str, Any], put: Put) -> None:
    put("a", "DEV-1")
    put("b", "DEV-1")
    status, text = task_keys.report(token, "", group, as_json=True)
    assert json.loads(text) == {"schemaVersion": 1, **answer}
    assert status == (0 if answer["ok"] else 1)


@pytest.mark.usefixtures("terminal")
def test_resolve_task_key_on_a_terminal(put: Put) -> None:
    put("a", "DEV-1")
    assert task_keys.report("dev-1", "", "", as_json=False) == (0, "shop:a:DEV-1")
