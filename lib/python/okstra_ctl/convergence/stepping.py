"""The steps that move a working state on, for the command and for `drive` (C-012 to C-016).

Each reads its files, asks the engine, and writes one document; a kill leaves the old or the new.
"""

from __future__ import annotations

from typing import Any

from okstra_ctl.convergence import document_files, showing
from okstra_ctl.convergence.engine import OPEN, ConvergenceEngine

_ENGINE = ConvergenceEngine()


def plan_round(work: str, plan: str) -> dict[str, Any]:
    """Write the plan of the next round, unless nothing is left. Raises UserError."""
    made = _ENGINE.plan(document_files.read(work).record)
    if made is None:
        return {"ok": True, "done": True}
    document_files.write(plan, made)
    asked = sum(len(batch["findingIds"]) for batch in made["batches"])
    return {"ok": True, "done": False, "round": made["round"], "plan": plan, "votes": asked}


def apply_round(work: str, plan: str, results: str) -> dict[str, Any]:
    """Fold the answers of a round into the state, all or nothing. Raises UserError."""
    with document_files.locked(work):
        planned, answered = document_files.read(plan), document_files.read(results)
        before = document_files.read(work).record
        after = _ENGINE.apply(before, planned.record, answered.record)
        number = len(after["rounds"])
        document_files.note(work, f"round-{number}", {"plan": planned, "results": answered})
        document_files.write(work, after)
    done = all(row["class"] != OPEN for row in after["findings"])
    return {"ok": True, "workState": work, "round": number, "done": done}


def apply_gaps(work: str, batch: str) -> dict[str, Any]:
    """Fold the critic's one batch into the state. Raises UserError."""
    with document_files.locked(work):
        given = document_files.read(batch)
        after = _ENGINE.apply_gaps(document_files.read(work).record, given.record)
        document_files.note(work, "coverage", {"batch": given})
        document_files.write(work, after)
    return {"ok": True, "workState": work, "gaps": len(after["coverage"]["gaps"])}


def finalize(work: str, output: str) -> dict[str, Any]:
    """Write the final state. Raises UserError while a finding is open."""
    state = _ENGINE.finish(document_files.read(work).record)
    document_files.write(output, state)
    return {"ok": True, "output": output, "classes": showing.counts(state)}
