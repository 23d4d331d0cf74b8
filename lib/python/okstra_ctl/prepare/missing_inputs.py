"""Which inputs are missing, and what fills them without a question (L-018 to L-023). Pure."""

from __future__ import annotations

from typing import Any, Mapping

from okstra_kernel import UserError
from okstra_project.task_key import TaskKey

Fields = dict[str, Any]  # of PrepareInputs

# Field -> option, in the order in which they are asked for.
REQUIRED = {
    "project_id": "--project-id",
    "task_group": "--task-group",
    "task_id": "--task-id",
    "task_type": "--task-type",
    "brief_path": "--task-brief",
}
# Field -> member of the task's manifest.
_AUTOFILL = {
    "task_type": "taskType",
    "brief_path": "taskBriefPath",
    "work_category": "workCategory",
}


def with_key(fields: Fields, key: TaskKey) -> Fields:
    """Return the fields with the three parts of `--task-key`. Raises UserError (L-021)."""
    parts = {"project_id": key.project, "task_group": key.group, "task_id": key.id}
    for field, value in parts.items():
        if fields.get(field, value) != value:
            raise UserError(
                f"--task-key={key.text} and {REQUIRED[field]}={fields[field]} do not go together"
            )
    return {**fields, **parts}


def autofill(fields: Fields, manifest: Mapping[str, Any]) -> Fields:
    """Return the fields with blank ones filled from the manifest; given ones stay (L-023)."""
    known = {
        field: manifest[member]
        for field, member in _AUTOFILL.items()
        if isinstance(manifest.get(member), str) and manifest[member]
    }
    if "task_type" in fields and fields["task_type"] != known.get("task_type"):
        known.pop("work_category", None)  # resolved again from the manifest by prepare itself
    return {**known, **fields}


def missing(fields: Fields, brief: str) -> list[str]:
    """Return the fields that are still missing; `brief` is the profile's word for its task type."""
    names = [name for name in REQUIRED if name != "brief_path" and not fields.get(name)]
    if brief == "required" and not fields.get("brief_path"):
        names.append("brief_path")
    return names


def refuse(names: list[str]) -> UserError:
    """Return the error for inputs that nobody is there to be asked for (L-019)."""
    options = ", ".join(f"{REQUIRED[name]}=…" for name in names)
    return UserError(f"missing, and there is no terminal to ask on: {options}")
