"""The team state on disk: read whole, changed under its lock, replaced whole (D-069)."""

from __future__ import annotations

import functools
import os
from typing import Any, Callable

from okstra_kernel import UserError, locks, store, strict_json
from okstra_project.slug import digest

Members = dict[str, Any]


def read(path: str) -> Members:
    """Return the members of a team state. Raises UserError for a file that is none."""
    record = strict_json.read(path)
    for name in ("workers", "workerDispatches"):
        for row in record.records(name):
            row.text("workerId")
    return record.members


def glance(path: str) -> Members:
    """Return what `read` does; the file is read again only if it was replaced since.

    What is returned is shared: nobody may change it. Raises UserError.
    """
    try:
        found = os.stat(path)
    except OSError:
        return read(path)
    return _glance(path, found.st_ino, found.st_mtime_ns, found.st_size)


@functools.lru_cache(2)
def _glance(path: str, *_: int) -> Members:
    return read(path)


def change(home: str, project_root: str, path: str, edit: Callable[[Members], Members]) -> Members:
    """Write what `edit` makes of the state, under its lock, and return it. Raises UserError.

    `path` is relative to the project. Nothing is written where nothing changed.
    """
    with locks.hold(home, lock_name(project_root, path)):
        before = read(os.path.join(project_root, path))
        after = edit(before)
        if after != before:
            store.write_json(project_root, path, after)
            _glance.cache_clear()
        return after


def lock_name(project_root: str, path: str) -> str:
    return f"team-{digest(os.path.join(project_root, path))}.lock"


def project_of(path: str) -> tuple[str, str]:
    """Return the project that a team state lies in, and its path relative to that.

    Raises UserError for a file that lies in no project.
    """
    from okstra_project.dirs import OKSTRA_DIR_NAME

    full = os.path.abspath(path)
    root, mark, rest = full.partition(f"{os.sep}{OKSTRA_DIR_NAME}{os.sep}")
    if not mark:
        raise UserError(f"not in a project's {OKSTRA_DIR_NAME}/: {path}")
    return root, f"{OKSTRA_DIR_NAME}/{rest}"
