"""`task-manifest.json`: the state of a task (P-038 to P-042, P-322).

Every writer comes through `change`: under the task's lock, from what the file holds now, in the one
order of members, so that a small change is a small diff. Members nobody here knows stay.
"""

from __future__ import annotations

import os
from typing import Any, Callable

from okstra_kernel import store, strict_json
from okstra_project.dirs import TASK_MANIFEST_FILENAME, task_relative
from okstra_project.slug import slugify
from okstra_project.task_key import TaskKey

SCHEMA_VERSION = 1
WORK_STATUSES = ("todo", "in-progress", "blocked", "done")
WORK_CATEGORIES = ("bugfix", "feature", "refactor", "ops", "improvement")
DEFAULT_WORK_CATEGORY = "feature"

ORDER = (
    "schemaVersion",
    *("taskKey", "projectId", "taskGroup", "taskId", "taskType"),
    *("workCategory", "workStatus", "workStatusUpdatedAt", "workStatusNote"),
    *("taskBriefPath", "instructionSetPath", "referenceExpectationsPath"),
    *("latestRunPath", "latestRunStatus", "relatedTasks", "workflow"),
    *("createdAt", "updatedAt", "parentTaskKey", "followUpOf"),
)

Members = dict[str, Any]


def read(project_root: str, task_group: str, task_id: str) -> strict_json.Record | None:
    """Return a task's record, or None for a task that has none yet. Raises UserError."""
    path = os.path.join(project_root, _relative(task_group, task_id))
    return strict_json.read(path).versioned(SCHEMA_VERSION) if os.path.lexists(path) else None


def ordered(members: Members) -> Members:
    """Return the members in the order in which they stand in the file; unknown ones last."""
    known = {name: members[name] for name in ORDER if name in members}
    return {**known, **members}


def lock_name(key: TaskKey) -> str:
    """Return the name of the lock that guards a task's numbers and its manifest (P-074)."""
    return f"task-{slugify(key.project)}-{slugify(key.group)}-{slugify(key.id)}.lock"


def change(home: str, project_root: str, key: TaskKey, edit: Callable[[Members], Members]) -> None:
    """Write what `edit` makes of a task's members, under its lock. Raises UserError."""
    from okstra_kernel import locks

    with locks.hold(home, lock_name(key)):
        write(project_root, key, edit)


def write(project_root: str, key: TaskKey, edit: Callable[[Members], Members]) -> None:
    """Do what `change` does; the caller holds the lock."""
    record = read(project_root, key.group, key.id)
    after = ordered(edit(dict(record.members) if record else {}))
    if record is None or after != record.members:
        store.write_json(project_root, _relative(key.group, key.id), after)


def _relative(task_group: str, task_id: str) -> str:
    return f"{task_relative(task_group, task_id)}/{TASK_MANIFEST_FILENAME}"
