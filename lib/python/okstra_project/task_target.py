"""Which task is meant: by its full key, or by a bare id looked up in the catalog (P-002, P-032)."""

from __future__ import annotations

from typing import NamedTuple

from okstra_kernel import Refusal, strict_json
from okstra_project import catalog, task_key
from okstra_project.dirs import task_dir
from okstra_project.task_key import TaskKey


class Target(NamedTuple):
    key: TaskKey
    root: str
    manifest: strict_json.Record


class NotFound(Refusal):
    """No such task. `stage` is what a program reads (20 §30)."""

    stage = "not-found"
    matches: tuple[str, ...] = ()


class Ambiguous(Refusal):
    """Several tasks have this bare id; none is picked in silence."""

    stage = "ambiguous"

    def __init__(self, token: str, matches: list[str]) -> None:
        super().__init__(
            f"several tasks have the id {token!r}: {', '.join(matches)}",
            next_step="give the full key",
        )
        self.matches = tuple(matches)


def keys(project_root: str, token: str, group: str = "") -> list[str]:
    """Return the keys of the tasks that a full key or a bare id can mean, sorted."""
    if ":" in token:
        return [resolve(project_root, token).key.text]
    return catalog.matches(project_root, token, group)


def resolve(project_root: str, token: str, group: str = "") -> Target:
    """Return the one task that a full key or a bare id means.

    Raises NotFound, Ambiguous, and UserError for a key that is none or a manifest that is broken.
    """
    if ":" not in token:
        found = catalog.matches(project_root, token, group)
        if len(found) > 1:
            raise Ambiguous(token, found)
        if not found:
            raise NotFound(f"no task with the id {token!r}", next_step="okstra task-list")
        token = found[0]
    key = task_key.parse(token)
    return _read(key, task_dir(project_root, key.group, key.id))


def _read(key: TaskKey, root: str) -> Target:
    task = catalog.read(root)
    if task is None:
        raise NotFound(f"no such task: {key.text!r}; tried {root}", next_step="okstra task-list")
    if task.manifest is None:
        raise Refusal(task.fault, next_step=catalog.repair(root))
    known = task.manifest.text("taskKey")
    if known != key.text:
        raise NotFound(
            f"no such task: {key.text!r}; that folder is {known!r}", next_step="okstra task-list"
        )
    return Target(key, root, task.manifest)
