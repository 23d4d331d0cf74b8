"""`okstra task-show`: one task, its state and its runs (P-320, Z-006)."""

from __future__ import annotations

import os

from okstra_ctl.inspect import task_runs
from okstra_ctl.inspect.answers import Answer, Document, answer
from okstra_kernel import display
from okstra_project import task_target
from okstra_project.root import resolve_project_root
from okstra_project.task_manifest import DEFAULT_WORK_CATEGORY

_STATUS = ("workStatus", "workStatusUpdatedAt", "workStatusNote")
_LATEST = ("latestRunPath", "latestRunStatus", "relatedTasks", "createdAt", "updatedAt")
_HEADS = ("RUN", "STATUS", "STARTED", "LEAD", "REPORT")


def report(token: str, project_root: str, group: str, *, as_json: bool) -> Answer:
    root = resolve_project_root(project_root, os.getcwd())
    return answer(lambda: _document(root, token, group), _told, as_json)


def _document(root: str, token: str, group: str) -> Document:
    target = task_target.resolve(root, token, group)
    members = target.manifest.members
    runs, faults = task_runs.read(root, target.key)
    return {
        "taskKey": target.key.text,
        "taskRoot": target.root,
        "taskType": members.get("taskType"),
        "workflow": members.get("workflow", {}),
        **{name: members.get(name) for name in _STATUS},
        "workCategory": members.get("workCategory") or DEFAULT_WORK_CATEGORY,
        "briefPath": members.get("taskBriefPath"),
        **{name: members.get(name) for name in _LATEST},
        "runs": runs,
        "faults": faults,
        "worktree": None,
        "stages": [],
    }


def _told(found: Document) -> str:
    workflow = found["workflow"] if isinstance(found["workflow"], dict) else {}
    pairs = [
        ("task", found["taskKey"]),
        ("folder", found["taskRoot"]),
        ("phase", workflow.get("currentPhase") or found["taskType"]),
        ("status", " ".join(str(found[n]) for n in ("workStatus", "workStatusNote") if found[n])),
        ("category", found["workCategory"]),
        ("brief", found["briefPath"]),
    ]
    lines = [f"{name:<10}{display.visible(str(value or '-'))}" for name, value in pairs]
    if found["runs"]:
        lines += ["", display.table(_HEADS, map(_cells, found["runs"]))]
    lines += [
        f"sandbox waived for {_waiver(run)}" for run in found["runs"] if "sandboxWaiver" in run
    ]
    return "\n".join([*lines, *(f"unreadable: {display.visible(why)}" for why in found["faults"])])


def _cells(run: Document) -> list[str]:
    stage = f"/stage-{run['stage']}" if run["stage"] else ""
    name = f"{run['taskType']}{stage}/{run['seq']}"
    return [
        name,
        *(str(run[n] or "-") for n in ("status", "startedAt", "leadRuntime")),
        _report(run),
    ]


def _report(run: Document) -> str:
    return str(run["reportPath"] or "-")


def _waiver(run: Document) -> str:
    waiver = run["sandboxWaiver"]
    how = {"tty": "asked on the terminal", "--yes": "by --yes"}.get(waiver.get("grantedBy"), "?")
    flags = " ".join(map(str, waiver.get("flags", [])))
    return display.visible(f"{run['taskType']}/{run['seq']}, {how}: {flags}")
