"""`okstra spawn-followups`: a task for each follow-up row of a report, once (R-112 to R-115).

The brief comes first and the record last: a task that was begun and cut off is finished by the
next call, one that is there is left alone, whoever made it.
"""

from __future__ import annotations

import os
from typing import Any

from okstra_ctl.reportdata import report
from okstra_ctl.reports import follow_ups
from okstra_ctl.reports.follow_ups import BRIEF, FollowUp
from okstra_kernel import Refusal, UserError, display, iso_time, locks, store
from okstra_project import catalog, dirs, project_json, task_key, task_manifest
from okstra_project.dirs import task_relative
from okstra_project.task_key import TaskKey

CREATED, EXISTING = "created", "existing"

Members = dict[str, Any]


def command(path: str, project_root: str, group: str, parent: str) -> tuple[int, str]:
    """Make the tasks, and return what became of each row as JSON."""
    if not os.path.isdir(project_root):
        raise UserError(f"not a folder: --project-root={project_root}")
    root = os.path.realpath(project_root)
    key = task_key.parse(parent)
    rows = spawn(dirs.okstra_home(), root, path, group, key)
    return 0, display.document({"schemaVersion": 1, "ok": True, "rows": rows})


def spawn(home: str, root: str, path: str, group: str, parent: TaskKey) -> list[Members]:
    """Make the tasks that a report's rows ask for, all checked before the first is made.

    `path` is the report in any of its forms. Raises UserError for a row that cannot become a task,
    Refusal for a project that is another one's.
    """
    data_path = report.data_path(path)
    data = report.load(data_path).data
    if data["taskKey"] != parent.text:
        raise UserError(f"{data_path}: the report of {data['taskKey']}, not of {parent.text}")
    known = project_json.project_id(root)
    if known != parent.project:
        raise Refusal(f"this project is registered as {known!r}, not {parent.project!r}: {root}")
    found = follow_ups.follow_ups(data["followUpTasks"], parent, group)
    shown = os.path.relpath(os.path.realpath(report.sibling(path, report.MARKDOWN)), root)
    return [_made(home, root, one, parent, shown) for one in found]


def _made(home: str, root: str, one: FollowUp, parent: TaskKey, report_path: str) -> Members:
    relative = task_relative(one.key.group, one.key.id)
    told = {"id": one.id, "taskKey": one.key.text, "path": relative}
    with locks.hold(home, task_manifest.lock_name(one.key)):
        store.refuse_links(root, relative)
        if _is_there(os.path.join(root, relative)):
            return {**told, "result": EXISTING}
        text = follow_ups.brief(one, parent, report_path)
        store.write_text(root, one.brief_path, text)
        members = follow_ups.record(one, parent, report_path, iso_time.now())
        task_manifest.write(root, one.key, lambda before: {**members, **before})
    return {**told, "result": CREATED}


def _is_there(folder: str) -> bool:
    """Tell whether a task has this folder; only our brief in it is a task that was cut off."""
    if catalog.read(folder) is not None:
        return True
    names = os.listdir(folder) if os.path.isdir(folder) else []
    return any(name != BRIEF for name in names if not name.endswith(".tmp"))
