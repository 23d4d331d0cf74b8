"""The tasks of a project, as their manifests tell them (P-318, P-319).

There is no list on disk that could be stale: the folders are the list. A manifest that cannot be
read shows as such and hides no other.
"""

from __future__ import annotations

import os
from typing import Iterator, NamedTuple

from okstra_kernel import UserError, strict_json
from okstra_project.dirs import TASK_MANIFEST_FILENAME, tasks_dir


class Task(NamedTuple):
    root: str
    manifest: strict_json.Record | None
    fault: str  # why the manifest cannot be read; else empty


def tasks(project_root: str) -> Iterator[Task]:
    """Yield the project's tasks, by group and id. A link among the folders is passed over."""
    for group in _folders(tasks_dir(project_root)):
        for root in _folders(group):
            path = os.path.join(root, TASK_MANIFEST_FILENAME)
            if os.path.lexists(path):
                yield read(root)


def read(root: str) -> Task:
    """Return the task with this root, readable or not."""
    try:
        manifest = strict_json.read(os.path.join(root, TASK_MANIFEST_FILENAME))
        manifest.text("taskKey")
    except UserError as err:
        return Task(root, None, str(err))
    return Task(root, manifest, "")


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
