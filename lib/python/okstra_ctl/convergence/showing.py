"""`show`: the votes of a run as a table, dissent included (Z-022, R-013)."""

from __future__ import annotations

import os
from collections import Counter
from typing import Any

from okstra_ctl.convergence import document_files, final, reduction, run_names
from okstra_ctl.convergence.ballot import AGREE, DISAGREE, SUPPLEMENT, UNVERIFIABLE
from okstra_ctl.convergence.engine import ConvergenceEngine
from okstra_kernel import UserError, display

MARKS = {AGREE: "+", SUPPLEMENT: "+*", DISAGREE: "-", UNVERIFIABLE: "?"}
REFUTED, RAISED, ALSO, NONE = "-!", "raised", "found", "."
LEGEND = (
    "+ agrees   +* agrees, with a caveat   - disagrees   -! refutes, basis looked up\n"
    "? cannot tell   . no vote   raised: its claim, no vote on it   found: the same in its words"
)


def load(run_dir: str, seq: str) -> dict[str, Any]:
    """Return the final state of a run, or how its working state stands. Raises UserError."""
    task_type, seq = run_names.newest(run_dir, seq)
    path = os.path.join(run_dir, run_names.final_state(task_type, seq))
    if os.path.exists(path):
        record = document_files.read(path).record
        final.check(record)
        return record.members
    work = os.path.join(run_dir, run_names.work_state(task_type, seq))
    state = ConvergenceEngine().state(document_files.read(work).record)
    return final.members(state)


def counts(state: dict[str, Any]) -> dict[str, int]:
    """Return how many findings each class has, in the order of the classes."""
    found = Counter(row["class"] for row in state["findings"])
    return {name: found[name] for name in reduction.CLASSES}


def table(state: dict[str, Any]) -> str:
    """Return a row for each finding and gap, a column for each voter, and who dissents and why."""
    workers = [voter["workerId"] for voter in state["roster"]]
    rows = [*state["findings"], *state["gaps"]]
    cells = [_row(row, workers) for row in rows]
    heads = ("finding", "class", "confidence", *workers, "claim")
    lines = [display.table(heads, cells), "", LEGEND]
    dissent = [line for row in rows for line in _dissent(row)]
    return "\n".join([*lines, *(["", "dissent:", *dissent] if dissent else [])])


def _row(row: dict[str, Any], workers: list[str]) -> list[str]:
    marks = {vote["workerId"]: mark(vote) for vote in row["votes"]}
    marks.update(dict.fromkeys(row.get("raisedBy", ()), RAISED))
    for worker in row.get("alsoRaisedBy", ()):
        marks[worker] = f"{ALSO} {marks.get(worker, NONE)}"
    sure = " ".join([row["confidence"], *(f"({why})" for why in row["marks"])])
    claim = row.get("title") or row["claim"]
    name = row.get("findingId") or row["gapId"]
    return [name, row["class"], sure, *(marks.get(who, NONE) for who in workers), claim[:80]]


def mark(vote: dict[str, Any]) -> str:
    """Return the sign of a vote in a table."""
    if vote["verdict"] == DISAGREE and vote["basisVerified"]:
        return REFUTED
    if vote["verdict"] not in MARKS:
        raise UserError(f"no such verdict: {vote['verdict']!r}")
    return MARKS[vote["verdict"]]


def _dissent(row: dict[str, Any]) -> list[str]:
    name = row.get("findingId") or row["gapId"]
    return [
        display.visible(f"  {name}  {vote['workerId']}: {vote['basis']}")
        for vote in row["votes"]
        if vote["verdict"] in (DISAGREE, SUPPLEMENT)
    ]
