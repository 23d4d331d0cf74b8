"""`project.json`: what a project says of itself (P-043, P-044, L-024)."""

from __future__ import annotations

import os
from typing import Any

from okstra_kernel import Refusal, UserError, strict_json
from okstra_project.dirs import OKSTRA_DIR_NAME, PROJECT_FILENAME, project_json_path

SCHEMA_VERSION = 1
ID = "projectId"


def read(project_root: str) -> strict_json.Record | None:
    """Return the project's record, or None if it has none. Raises UserError."""
    path = project_json_path(project_root)
    if not os.path.lexists(path):
        return None
    try:
        return strict_json.read(path).versioned(SCHEMA_VERSION)
    except UserError as err:
        from okstra_kernel import store

        raise UserError(str(err), next_step=store.aside(path)) from err


def project_id(project_root: str) -> str:
    """Return the id the project is registered under, or an empty text. Raises UserError."""
    record = read(project_root)
    return record.text(ID, "") if record else ""


def check_id(project_root: str, wanted: str) -> None:
    """Raise Refusal if the project is registered under another id (L-024)."""
    known = project_id(project_root)
    if known and known != wanted:
        raise Refusal(
            f"this project is registered as {known!r}, not {wanted!r}: {project_root}",
            next_step=f"pass --project-id={known}",
        )


def upsert_project_json(home: str, project_root: str, project_id: str) -> bool:
    """Register the project under this id; unknown members stay. Return whether anything changed."""
    return change(home, project_root, {ID: project_id})


def change(home: str, project_root: str, members: dict[str, Any]) -> bool:
    """Set members (None: drop it), under the project's lock. Return whether anything changed."""
    from okstra_kernel import locks, store

    with locks.hold(home, lock_name(project_root)):
        record = read(project_root)
        before = record.members if record else {}
        after = {"schemaVersion": SCHEMA_VERSION, **before, **members}
        after = {name: value for name, value in after.items() if value is not None}
        if after == before:
            return False
        store.make_folder(project_root, OKSTRA_DIR_NAME, mode=0o700)  # for this user (XS-17)
        store.write_json(project_root, f"{OKSTRA_DIR_NAME}/{PROJECT_FILENAME}", after)
        return True


def lock_name(project_root: str) -> str:
    from okstra_project.slug import digest

    return f"project-{digest(project_root)}.lock"
