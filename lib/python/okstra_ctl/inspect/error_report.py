"""`okstra error-report`: what went wrong in the runs of a task (D-185, R-151)."""

from __future__ import annotations

import os
from typing import Any

from okstra_ctl.inspect import error_report_text
from okstra_ctl.inspect.answers import Answer, Document, answer
from okstra_ctl.inspect.error_report_text import number
from okstra_ctl.runs import error_log_core_files
from okstra_ctl.runs.error_log_core import Group, Summary
from okstra_kernel import UserError, display, iso_time, store
from okstra_project import catalog, task_target
from okstra_project.root import resolve_project_root

FOLDER = "error-reports"


def report(token: str, group: str, project_root: str, cwd: str, *, as_json: bool) -> Answer:
    """Return 0 and what the logs tell; 1 if a part of them could not be read (XI-13)."""
    here = os.getcwd()
    root = resolve_project_root(project_root, here if project_root else os.path.join(here, cwd))
    return answer(lambda: _document(root, token, group), _told, as_json)


def _document(root: str, token: str, group: str) -> Document:
    target = task_target.resolve(root, token or _only_task(root), group)
    now, found = iso_time.now(), error_log_core_files.read(target.root)
    text = error_report_text.markdown(target.key.text, now, found)
    return {
        "taskKey": target.key.text,
        "reportPath": _write(target.root, now, text),
        "total": found.total,
        "brokenLines": found.broken,
        "partial": found.broken > 0,
        "counts": {name: dict(count.most_common()) for name, count in found.counts.items()},
        "groups": [_group(one) for one in found.groups()],
        "ungrouped": found.ungrouped,
        "logs": _logs(found),
        "faults": found.faults,
    }


def _only_task(root: str) -> str:
    """Return the key of the project's task. Raises UserError if it has another number of them."""
    keys = []
    for task in catalog.tasks(root):
        if task.manifest is not None:
            keys.append(task.manifest.text("taskKey"))
    if len(keys) != 1:
        raise UserError(
            f"name a task: {root} has {len(keys)}", next_step="okstra task-list shows them"
        )
    return keys[0]


def _write(task_root: str, now: str, text: str) -> str:
    """Write the report beside those of old, and return its path."""
    stem = f"{FOLDER}/error-report-{now.replace('-', '').replace(':', '')}"
    relative, number = f"{stem}.md", 1
    while os.path.lexists(f"{task_root}/{relative}"):
        number += 1
        relative = f"{stem}-{number}.md"
    store.write_text(task_root, relative, text)
    return f"{task_root}/{relative}"


def _group(group: Group) -> dict[str, Any]:
    last = group.last
    return {
        "errorType": last.error_type,
        "agent": last.agent,
        "agentRole": last.agent_role,
        "cause": last.cause or None,
        "message": last.message,
        "count": group.count,
        "firstAt": group.first.when,
        "lastAt": last.when,
        "lastRun": last.run,
        "longestMs": group.longest_ms,
    }


def _logs(found: Summary) -> list[dict[str, Any]]:
    return [
        {"path": path, "records": records, "brokenLines": broken}
        for path, (records, broken) in sorted(found.logs.items())
    ]


def _told(found: Document) -> str:
    errors, logs = number(found["total"], "error"), number(len(found["logs"]), "log")
    lines = [f"{errors} in {logs} of {found['taskKey']}"]
    lines += [f"{count:>6}  {name}" for name, count in found["counts"]["errorType"].items()]
    if found["partial"]:
        lines.append(f"{number(found['brokenLines'], 'line')} could not be read:")
        lines += [f"  {fault}" for fault in found["faults"]]
    lines.append(f"report: {found['reportPath']}")
    return "\n".join(display.visible(line) for line in lines)
