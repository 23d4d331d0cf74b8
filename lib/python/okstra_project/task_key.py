"""How a task is named: `project-id:task-group:task-id` (L-001, P-001)."""

from __future__ import annotations

from typing import NamedTuple

from okstra_kernel import UserError
from okstra_project.slug import slugify


class TaskKey(NamedTuple):
    """The three raw ids. `task_key` makes one that is known to be good."""

    project: str
    group: str
    id: str

    @property
    def text(self) -> str:
        return f"{self.project}:{self.group}:{self.id}"


def task_key(project: str, group: str, id: str) -> TaskKey:
    """Check three raw ids and return their key. Raises UserError, naming the id at fault.

    A colon within an id would make another key of the same text.
    """
    for what, raw in (("project id", project), ("task group", group), ("task id", id)):
        if ":" in raw:
            raise UserError(f"a {what} cannot hold a colon: {raw!r}")
        try:
            slugify(raw)
        except UserError as err:
            raise UserError(f"not a {what}: {err}") from None
    return TaskKey(project.strip(), group.strip(), id.strip())


def parse(text: str) -> TaskKey:
    """Read the full form of a key. Raises UserError."""
    parts = text.split(":")
    if len(parts) != 3 or not all(part.strip() for part in parts):
        raise UserError(
            f"not a task key like project:group:id: {text!r}", next_step="okstra task-list"
        )
    return task_key(*parts)
