"""The record of trusted projects in okstra's home, and what lies in the project (Z-102)."""

from __future__ import annotations

import os
from typing import Any

from okstra_kernel import UserError, git_process, iso_time, jsonl, store, strict_json
from okstra_project import trust
from okstra_project.dirs import OKSTRA_DIR_NAME, okstra_dir
from okstra_project.root import checkout_top

FILENAME = "trust.jsonl"
RECORD = "recorded command line"  # what a run manifest holds


def is_trusted(home: str, project_root: str) -> bool:
    """Tell whether this user trusts what lies in the project's `.okstra/`. Raises UserError."""
    row = trust.newest(rows(home), project_root)
    if row is None or not row.trusted:
        return False
    same = not row.identity.root_commit or _has_commit(project_root, row.identity.root_commit)
    return trust.holds(row, project_root, os.stat(project_root).st_uid, same)


def record(home: str, project_root: str, via: str, *, trusted: bool = True) -> None:
    """Write down that this user trusts the project, or no longer does."""
    uid = os.stat(project_root).st_uid
    identity = trust.Identity(project_root, uid, root_commit(project_root))
    jsonl.append(home, FILENAME, [_encode(trust.Row(identity, trusted, via, iso_time.now()))])


def rows(home: str) -> list[trust.Row]:
    """Return the record; a line that is no row counts for nothing.

    Raises Refusal for a link in its place: whoever set it would decide what is trusted (XS-06).
    """
    store.refuse_links(home, FILENAME)
    found = []
    for item in jsonl.read(os.path.join(home, FILENAME)).records:
        try:
            found.append(_decode(item))
        except UserError:
            continue  # unreadable trust is no trust
    return found


def root_commit(project_root: str) -> str:
    """Return the oldest root commit; empty where there is none."""
    if not checkout_top(project_root):
        return ""
    return git_process.line(project_root, "rev-list", "--max-parents=0", "HEAD").split("\n")[-1]


def holdings(project_root: str) -> list[str]:
    """Name what in a project's `.okstra/` could take effect once it is trusted (G-020).

    Raises UserError if the folder cannot be read.
    """
    base, found = okstra_dir(project_root), []
    try:
        for folder, folders, files in os.walk(base, onerror=_raise):
            folders.sort()
            for name in sorted([*files, *(f for f in folders if os.path.islink(f"{folder}/{f}"))]):
                place = os.path.relpath(os.path.join(folder, name), base)
                if what := _effect(os.path.join(folder, name), place):
                    found.append(f"{what}: {OKSTRA_DIR_NAME}/{place}")
    except OSError as err:
        raise UserError(f"{base}: {err.strerror}") from err
    return found


def _effect(path: str, place: str) -> str:
    if os.path.islink(path):
        return "link"
    if place == "project.json":
        return "settings and commands"
    if "/approvals/" in f"/{place}":
        return "approval"
    if "/qa/" in f"/{place}":
        return "check script"
    if "/manifests/run-manifest-" in f"/{place}":
        return RECORD
    return "program" if os.access(path, os.X_OK) else ""


def _raise(err: OSError) -> None:
    raise err


def _has_commit(project_root: str, commit: str) -> bool:
    return git_process.run(project_root, "cat-file", "-e", f"{commit}^{{commit}}").status == 0


def _encode(row: trust.Row) -> dict[str, Any]:
    return {
        "schemaVersion": 1,
        "path": row.identity.path,
        "uid": row.identity.uid,
        "rootCommit": row.identity.root_commit,
        "trusted": row.trusted,
        "via": row.via,
        "at": row.at,
    }


def _decode(item: strict_json.Record) -> trust.Row:
    identity = trust.Identity(item.text("path"), item.integer("uid"), item.text("rootCommit"))
    return trust.Row(identity, item.flag("trusted"), item.text("via"), item.text("at"))
