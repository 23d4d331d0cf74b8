"""What a follow-up row becomes: the record and the brief of a task (R-112, R-115). Pure.

A row was written by a model: its texts go into the brief as data, on one line each, and its id
becomes a folder only through the rules for ids (Z-053).
"""

from __future__ import annotations

from typing import Any, NamedTuple, Sequence

from okstra_kernel import UserError
from okstra_project import task_key, task_manifest
from okstra_project.dirs import task_relative
from okstra_project.slug import slugify
from okstra_project.task_key import TaskKey

BRIEF = "task-brief.md"  # in the new task's folder

Members = dict[str, Any]


class FollowUp(NamedTuple):
    id: str  # FU-NNN
    key: TaskKey
    title: str
    task_type: str
    reason: str
    ticket: str

    @property
    def brief_path(self) -> str:
        return f"{task_relative(self.key.group, self.key.id)}/{BRIEF}"


def follow_ups(rows: Sequence[Members], parent: TaskKey, group: str) -> list[FollowUp]:
    """Return the follow-ups of a report's rows. Raises UserError, naming the row, for an id that
    cannot be a task's, is the parent's own, or that two rows share."""
    found: list[FollowUp] = []
    folders = {_folder(parent): "the task itself"}
    for row in rows:
        try:
            key = task_key.task_key(parent.project, group, row["taskId"])
        except UserError as err:
            raise UserError(f"follow-up {row['id']}: {err}") from None
        taken = folders.setdefault(_folder(key), row["id"])
        if taken != row["id"]:
            raise UserError(f"follow-up {row['id']}: {key.text!r} is {taken}'s folder already")
        texts = (row[name] for name in ("title", "taskType", "reason", "ticketId"))
        found.append(FollowUp(row["id"], key, *map(_line, texts)))
    return found


def record(one: FollowUp, parent: TaskKey, report_path: str, now: str) -> Members:
    """Return the members of the new task's manifest; `report_path` is relative to the project."""
    return {
        "schemaVersion": task_manifest.SCHEMA_VERSION,
        "taskKey": one.key.text,
        "projectId": one.key.project,
        "taskGroup": one.key.group,
        "taskId": one.key.id,
        "taskType": one.task_type,
        "workCategory": task_manifest.DEFAULT_WORK_CATEGORY,
        "workStatus": "todo",
        "workStatusUpdatedAt": now,
        "taskBriefPath": one.brief_path,
        "relatedTasks": [parent.text],
        "parentTaskKey": parent.text,
        "followUpOf": {"id": one.id, "reportPath": report_path},
        "createdAt": now,
        "updatedAt": now,
    }


def brief(one: FollowUp, parent: TaskKey, report_path: str) -> str:
    """Return the brief of the new task. It waits for a person to say that it is right (P-356)."""
    return "\n".join(
        [
            "---",
            "reporter-confirmed: no",
            "---",
            f"# {one.title}",
            "",
            f"- Follow-up: {one.id} of {parent.text}",
            f"- Report: {report_path}",
            f"- Ticket: {one.ticket}",
            f"- Suggested task type: {one.task_type}",
            "",
            "## Why",
            "",
            one.reason,
            "",
        ]
    )


def _line(text: str) -> str:
    """Return a text on one line, which opens no heading, list or fence of its own."""
    words = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return words.lstrip("#>-*+`~ ") or "untold"


def _folder(key: TaskKey) -> tuple[str, str]:
    return slugify(key.group), slugify(key.id)
