"""`seed`: create, go on, use again, or begin anew with the old bytes kept (C-011, C-050)."""

from __future__ import annotations

import os
from typing import Any

from okstra_ctl.convergence import document_files, migration
from okstra_ctl.convergence.engine import ConvergenceEngine
from okstra_ctl.convergence.migration import Found
from okstra_ctl.convergence.working import FINAL, WORKING
from okstra_kernel import UserError

_ENGINE = ConvergenceEngine()


def seed(
    groups_path: str, work_path: str, final_path: str, migration_dir: str, *, restart: bool
) -> dict[str, Any]:
    """Open the state and return what was done. Raises UserError; then nothing was changed."""
    with document_files.locked(work_path):
        groups = document_files.read(groups_path)
        fresh = _ENGINE.start(groups.record)
        work, final = _look(work_path, WORKING), _look(final_path, FINAL)
        same = work.valid and _same_questions(work_path, fresh)
        action = migration.decide(work, final, same_groups=same, restart=restart)
        archived = []
        if action == migration.ARCHIVE:
            archived = _put_away(work, final, migration_dir)
        if action in (migration.CREATE, migration.ARCHIVE):
            document_files.note(work_path, "seed", {"groups": groups})
            document_files.write(work_path, fresh)
        number = 0 if action != migration.RESUME else _round(work_path)
    done = {"ok": True, "action": action, "workState": work_path, "round": number}
    return {**done, "finalState": final_path, "archived": archived}


def _look(path: str, kind: str) -> Found:
    if not os.path.lexists(path):
        return Found(path, False)
    try:
        record = document_files.read(path).record
        if record.text("kind") != kind:
            raise record.fault("kind", f"expected {kind}, found {record.text('kind')!r}")
        _ENGINE.check(record)
    except UserError as err:
        return Found(path, True, str(err))
    return Found(path, True)


def _same_questions(work_path: str, fresh: dict[str, Any]) -> bool:
    members = document_files.read(work_path).record.members
    names = ("adversarial", "roundLimit", "roster", "groups", "origins")
    return all(members.get(name) == fresh[name] for name in names)


def _round(work_path: str) -> int:
    return len(document_files.read(work_path).record.records("rounds"))


def _put_away(work: Found, final: Found, migration_dir: str) -> list[str]:
    """Copy what is there, then take the end away, so that it is not used again."""
    inputs = document_files.inputs_path(work.path)
    found = [one.path for one in (work, final) if one.present]
    found += [inputs] if os.path.exists(inputs) else []
    copies = [document_files.archive(path, migration_dir) for path in found]
    for path in [inputs] * os.path.exists(inputs) + [final.path] * final.present:
        os.unlink(path)
    return copies
