"""`okstra task-list`: the tasks of a project and the latest of them (P-318, P-319).

Of ten thousand manifests only the row of each is kept, as text (Q-4).
"""

from __future__ import annotations

import os
from typing import Any, Iterable, Iterator

from okstra_kernel import UserError, display, iso_time
from okstra_project import catalog, project_json
from okstra_project.root import resolve_project_root
from okstra_project.task_manifest import DEFAULT_WORK_CATEGORY

_MEMBERS = (
    *("taskKey", "taskGroup", "taskId", "taskType", "workStatus", "workCategory"),
    *("latestRunStatus", "latestRunPath", "updatedAt"),
)
_HEADS = ("TASK", "TYPE", "STATUS", "LATEST RUN", "UPDATED")

Row = dict[str, Any]


class Latest:
    """Keeps the row that was changed last of those that pass by; of equals, the first."""

    def __init__(self) -> None:
        self.row: Row | None = None
        self.when = ""

    def among(self, rows: Iterable[Row]) -> Iterator[Row]:
        for item in rows:
            when = _when(item)
            if when > self.when or self.row is None:
                self.row, self.when = item, when
            yield item


def report(project_root: str, *, as_json: bool) -> tuple[int, str]:
    """Return 0 and what to print about a project's tasks."""
    root = resolve_project_root(project_root, os.getcwd())
    if not display.wants_json(as_json):
        return 0, _table(root)
    latest = Latest()
    tasks = display.listing(latest.among(_rows(root)), "taskKey")
    head = {
        "schemaVersion": 1,
        "ok": True,
        "projectRoot": root,
        "projectId": _project_id(root) or None,
    }
    last = display.listing([latest.row], "taskKey") if latest.row else "null"
    tail = f'"tasks": [{tasks}],\n  "latestTask": {last}\n}}'
    return 0, f"{display.document(head).removesuffix(chr(10) + '}')},\n  {tail}"


def row(task: catalog.Task) -> Row:
    """Return what a list shows of a task; of a broken one, where it is and why (P-319)."""
    if task.manifest is None:
        group, id = task.root.split("/")[-2:]
        names = {"taskKey": None, "taskGroup": group, "taskId": id}
        return {**names, "unreadable": task.fault, "fix": catalog.repair(task.root)}
    members = task.manifest.members
    found = {name: members.get(name) for name in _MEMBERS}
    found["workCategory"] = found["workCategory"] or DEFAULT_WORK_CATEGORY
    workflow = members.get("workflow")
    found["currentPhase"] = workflow.get("currentPhase") if isinstance(workflow, dict) else None
    return found


def _rows(root: str) -> Iterator[Row]:
    return map(row, catalog.tasks(root))


def _when(item: Row) -> str:
    """Return when a task was last changed, in UTC; an empty text if it does not tell."""
    text = item.get("updatedAt")
    if not isinstance(text, str):
        return ""
    if len(text) == 20 and text.endswith("Z"):
        return text
    try:
        return iso_time.show(iso_time.parse(text))
    except ValueError:
        return ""


def _project_id(root: str) -> str:
    """Return the project's id; that its record is broken hides no task."""
    try:
        return project_json.project_id(root)
    except UserError:
        return ""


def _table(root: str) -> str:
    cells = []
    for item in _rows(root):
        if "unreadable" in item:
            place = f"{item['taskGroup']}/{item['taskId']}"
            cells.append([place, "-", "unreadable", "-", item["fix"]])
            continue
        names = ("taskKey", "taskType", "workStatus", "latestRunStatus", "updatedAt")
        cells.append([str(item[name] or "-") for name in names])
    if not cells:
        return f"no tasks yet in {display.visible(root)}"
    return display.table(_HEADS, cells)
