"""What earlier runs left of a task, read and checked before a new one writes anything (XI-15)."""

from __future__ import annotations

import os
from typing import Callable

from okstra_ctl.prepare import task_record
from okstra_kernel import Refusal, UserError, store, strict_json
from okstra_project import task_manifest
from okstra_project.dirs import TASK_MANIFEST_FILENAME, task_relative
from okstra_project.slug import slugify
from okstra_project.task_key import TaskKey

TIMELINE = "history/timeline.json"  # below the task's root

_Check = Callable[[strict_json.Record], None]


def read(project_root: str, key: TaskKey) -> strict_json.Record | None:
    """Return the task's manifest, or None for a task that has none yet.

    Raises UserError for a record that this run could not go on from, and Refusal for one of another
    task; both name the command that takes it out of the way.
    """
    base = task_relative(key.group, key.id)
    relative = f"{base}/{TASK_MANIFEST_FILENAME}"
    manifest = _sound(project_root, relative, task_record.check)
    if manifest:
        _own(manifest, key, os.path.join(project_root, relative))
    timeline(project_root, key)
    return manifest


def timeline(project_root: str, key: TaskKey) -> strict_json.Record | None:
    """Return the task's timeline, or None. Raises UserError."""
    relative = f"{task_relative(key.group, key.id)}/{TIMELINE}"
    return _sound(project_root, relative, task_record.check_timeline)


def _sound(root: str, relative: str, check: _Check) -> strict_json.Record | None:
    store.refuse_links(root, relative)
    path = os.path.join(root, relative)
    if not os.path.lexists(path):
        return None
    try:
        record = strict_json.read(path).versioned(task_manifest.SCHEMA_VERSION)
        check(record)
    except UserError as err:
        raise UserError(str(err), next_step=store.aside(path)) from err
    return record


def _own(manifest: strict_json.Record, key: TaskKey, path: str) -> None:
    """Tell a file that strayed here from a task whose raw ids have the same segments (P-006)."""
    here = [slugify(key.group), slugify(key.id)]
    try:
        home = [slugify(manifest.text(name)) for name in ("taskGroup", "taskId")]
    except UserError:
        home = []
    if home != here:
        raise Refusal(
            f"this record is another task's, {manifest.text('taskKey', '?')}: {path}",
            next_step=store.aside(path),
        )
    task_record.same_task(manifest.members, key)
