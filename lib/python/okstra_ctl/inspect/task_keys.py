"""`okstra resolve-task-key`: the full key of a bare task id (P-321)."""

from __future__ import annotations

import os

from okstra_ctl.inspect.answers import Answer, Document, answer
from okstra_kernel import display
from okstra_project import task_target
from okstra_project.root import resolve_project_root


def report(token: str, project_root: str, group: str, *, as_json: bool) -> Answer:
    """Return 0 and the key; 1 where there is none, or more than one."""
    root = resolve_project_root(project_root, os.getcwd())
    return answer(lambda: _document(root, token, group), _told, as_json)


def _document(root: str, token: str, group: str) -> Document:
    found = task_target.keys(root, token, group)
    if len(found) > 1:
        raise task_target.Ambiguous(token, found)
    if not found:
        raise task_target.NotFound(f"no task with the id {token!r}", next_step="okstra task-list")
    return {"taskKey": found[0], "matches": found}


def _told(found: Document) -> str:
    return display.visible(found["taskKey"])
