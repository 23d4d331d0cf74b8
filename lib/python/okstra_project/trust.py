"""Whose `.okstra/` is honoured: the decision, without files (Z-102, G-020).

A row of the record names the project by real path, owner and root commit. The newest row for a
path decides; a folder that has changed hands or repository since is not the one that was trusted.
"""

from __future__ import annotations

from typing import Iterable, NamedTuple


class Identity(NamedTuple):
    """What tells one project from another at the same path."""

    path: str  # real
    uid: int  # owner
    root_commit: str  # empty where there is no git, or no commit yet


class Row(NamedTuple):
    identity: Identity
    trusted: bool  # False: revoked
    via: str  # "registered", "asked", "--trust", "okstra trust", "revoked"
    at: str


def newest(rows: Iterable[Row], path: str) -> Row | None:
    """Return the last row of a path."""
    found = None
    for row in rows:
        if row.identity.path == path:
            found = row
    return found


def holds(row: Row | None, path: str, uid: int, same_history: bool) -> bool:
    """Tell whether a row still speaks for what lies at `path` now.

    `same_history`: the repository there has the commit of the row, or the row names none.
    """
    return bool(row and row.trusted and row.identity[:2] == (path, uid) and same_history)
