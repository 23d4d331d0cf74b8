"""Where things lie: okstra's home, a project's `.okstra/`, a task's root (P-005, P-021, P-048)."""

from __future__ import annotations

import os

from okstra_kernel import UserError
from okstra_project.slug import slugify

HOME_VARIABLE = "OKSTRA_HOME"
OKSTRA_DIR_NAME = ".okstra"
PROJECT_FILENAME = "project.json"
TASK_MANIFEST_FILENAME = "task-manifest.json"


def okstra_home() -> str:
    """Return the user's home of okstra, which need not be there yet. Raises UserError."""
    home = os.environ.get(HOME_VARIABLE) or (os.environ.get("HOME", "") and _default())
    if not home:
        raise UserError("neither OKSTRA_HOME nor HOME is set", next_step="export OKSTRA_HOME=…")
    if not os.path.isabs(home):
        raise UserError(f"OKSTRA_HOME is not an absolute path: {home}")
    if os.path.lexists(home) and not os.path.isdir(home):
        raise UserError(f"OKSTRA_HOME is not a folder: {home}")
    return home


def _default() -> str:
    return os.path.join(os.environ["HOME"], OKSTRA_DIR_NAME)


def okstra_dir(project_root: str) -> str:
    return os.path.join(project_root, OKSTRA_DIR_NAME)


def project_json_path(project_root: str) -> str:
    return os.path.join(project_root, OKSTRA_DIR_NAME, PROJECT_FILENAME)


def tasks_dir(project_root: str) -> str:
    return os.path.join(project_root, OKSTRA_DIR_NAME, "tasks")


def task_relative(task_group: str, task_id: str) -> str:
    """Return a task's root relative to its project. Raises UserError for ids that are none."""
    return f"{OKSTRA_DIR_NAME}/tasks/{slugify(task_group)}/{slugify(task_id)}"


def task_dir(project_root: str, task_group: str, task_id: str) -> str:
    """Return a task's root, the one place where it is formed (P-005)."""
    return os.path.join(project_root, task_relative(task_group, task_id))
