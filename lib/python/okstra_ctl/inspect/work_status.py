"""`okstra set-work-status`: the user's own mark on a task (P-322, P-323, R-203)."""

from __future__ import annotations

import os

from okstra_ctl.inspect.answers import Answer, Document, answer
from okstra_ctl.runs import index_files
from okstra_kernel import UserError, display, iso_time
from okstra_project import task_manifest, task_target
from okstra_project.dirs import okstra_home
from okstra_project.root import resolve_project_root
from okstra_project.task_manifest import Members


def change(
    token: str, status: str, note: str | None, project_root: str, group: str, *, as_json: bool
) -> Answer:
    """Set the status; without a note (None) the old one stays, an empty one goes."""
    if status not in task_manifest.WORK_STATUSES:
        known = ", ".join(task_manifest.WORK_STATUSES)
        raise UserError(f"unknown work status: {status!r}; known: {known}")
    root = resolve_project_root(project_root, os.getcwd())
    return answer(lambda: _change(root, token, group, status, note), _told, as_json)


def _change(root: str, token: str, group: str, status: str, note: str | None) -> Document:
    target = task_target.resolve(root, token, group)
    after: Members = {}

    def edit(before: Members) -> Members:
        after.update(with_status(before, status, note, iso_time.now()))
        return after

    home = okstra_home()
    index_files.open_home(home)
    task_manifest.change(home, root, target.key, edit)
    names = ("workStatus", "workStatusUpdatedAt", "workStatusNote")
    return {"taskKey": target.key.text, **{name: after.get(name) for name in names}}


def with_status(before: Members, status: str, note: str | None, now: str) -> Members:
    """Return a manifest's members with the status. The task's own `updatedAt` stays (P-323)."""
    after = {**before, "workStatus": status, "workStatusUpdatedAt": now}
    if note is not None:
        after["workStatusNote"] = note
    if note == "":
        del after["workStatusNote"]
    return after


def _told(found: Document) -> str:
    return display.visible(f"{found['taskKey']}: {found['workStatus']}")
