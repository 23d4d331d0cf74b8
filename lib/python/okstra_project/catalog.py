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
            if (task := read(root)) is not None:
                yield task


def read(root: str) -> Task | None:
    """Return the task with this root, readable or not; None for a folder that is no task's."""
    path = f"{root}/{TASK_MANIFEST_FILENAME}"
    try:
        manifest = strict_json.read(path, follow=False).versioned(SCHEMA_VERSION)
        _check_home(manifest, root)
    except UserError as err:
        if isinstance(err.__cause__, FileNotFoundError):
            return None
        return Task(root, None, f"a link: {path}" if os.path.islink(path) else str(err))
    return Task(root, manifest, "")


def _check_home(manifest: strict_json.Record, root: str) -> None:
    """Refuse a manifest that lies in another task's folder, or whose key is not its ids'."""
    names = [manifest.text(name) for name in ("projectId", "taskGroup", "taskId")]
    key = manifest.text("taskKey")
    if key != ":".join(names):
        raise manifest.fault("taskKey", f"not the key of its ids {names}")
    if root.endswith(f"/{names[1]}/{names[2]}".lower()):
        return  # the usual case, without a look at each letter
    if root.split("/")[-2:] != [slugify(name) for name in names[1:]]:
        raise manifest.fault("taskKey", f"another task's, {key!r}")


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
