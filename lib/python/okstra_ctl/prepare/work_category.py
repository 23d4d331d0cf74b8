"""The kind of work a task is (P-235, P-236, L-082): said now, else recorded, else the default."""

from __future__ import annotations

from okstra_kernel import UserError
from okstra_project.task_manifest import DEFAULT_WORK_CATEGORY, WORK_CATEGORIES


def resolve_work_category(given: str, recorded: str) -> str:
    """Return the category. Raises UserError for a word that is none of the five."""
    word = given.strip()
    if word and word not in WORK_CATEGORIES:
        known = ", ".join(WORK_CATEGORIES)
        raise UserError(f"unknown work category: --work-category={given}; known: {known}")
    return word or (recorded if recorded in WORK_CATEGORIES else DEFAULT_WORK_CATEGORY)
