"""The tasks of a project, as their manifests tell them (P-318, P-319).

There is no list on disk that could be stale: the folders are the list. A manifest that cannot be
read shows as such and hides no other.
"""

from __future__ import annotations

import os
from typing import Iterator, NamedTuple

from okstra_kernel import UserError, store, strict_json
from okstra_project.dirs import OKSTRA_DIR_NAME, TASK_MANIFEST_FILENAME, tasks_dir
from okstra_project.slug import slugify
from okstra_project.task_manifest import SCHEMA_VERSION


class Task(NamedTuple):
    root: str
    manifest: strict_json.Record | None
    fault: str  # why the manifest cannot be read; else empty


def tasks(project_root: str) -> Iterator[Task]:
    """Yield the project's tasks, by group and id. A link among the folders is passed over.

    Raises Refusal for a link in place of the folder of all tasks (Z-101).
    """
    store.refuse_links(project_root, f"{OKSTRA_DIR_NAME}/tasks")
    for group in _folders(tasks_dir(project_root)):
        for root in _folders(group):
            if os.path.lexists(f"{root}/{TASK_MANIFEST_FILENAME}"):
                yield read(root)


def read(root: str) -> Task:
    """Return the task with this root, readable or not."""
    path = f"{root}/{TASK_MANIFEST_FILENAME}"
    try:
        if os.path.islink(path):
            raise UserError(f"{path}: a link")
        manifest = strict_json.read(path).versioned(SCHEMA_VERSION)
        _check_home(manifest, root)
    except UserError as err:
        return Task(root, None, str(err))
    return Task(root, manifest, "")


def _check_home(manifest: strict_json.Record, root: str) -> None:
    """Refuse a manifest that lies in another task's folder, or whose key is not its ids'."""
    names = [manifest.text(name) for name in ("projectId", "taskGroup", "taskId")]
    if manifest.text("taskKey") != ":".join(names):
        raise manifest.fault("taskKey", f"not the key of its ids {names}")
    for raw, segment in zip(names[:0:-1], root.split("/")[:-3:-1], strict=True):
        if raw.lower() != segment and slugify(raw) != segment:
            raise manifest.fault("taskKey", f"another task's, {manifest.text('taskKey')}")


def matches(project_root: str, id: str, group: str = "") -> list[str]:
    """Return the keys of the tasks with this bare id, any letter case, sorted."""
    found = []
    for task in tasks(project_root):
        if task.manifest is None:
            continue
        names = task.manifest.text("taskId", ""), task.manifest.text("taskGroup", "")
        if names[0].casefold() == id.strip().casefold() and group in ("", names[1]):
            found.append(task.manifest.text("taskKey"))
    return sorted(found)


def _folders(place: str) -> list[str]:
    try:
        with os.scandir(place) as entries:
            return sorted(e.path for e in entries if e.is_dir(follow_symlinks=False))
    except FileNotFoundError:
        return []
    except OSError as err:
        raise UserError(f"{place}: {err.strerror}") from err


def repair(root: str) -> str:
    """Return the command that takes a broken manifest away; the next run writes a new one."""
    return store.aside(f"{root}/{TASK_MANIFEST_FILENAME}")
