"""A report's findings against the votes they are from (R-013, Z-020, Z-022). Pure.

The words of a finding are the writer's. Its class, its places, who found it and who voted how are
not: they are made from the final state once more, and compared.
"""

from __future__ import annotations

from typing import Any, Iterator

from okstra_ctl.reportdata import draft_execution, draft_rows
from okstra_kernel import redaction

_DECIDED = (
    *("class", "confidence", "marks", "evidence"),
    *("raisedBy", "alsoRaisedBy", "votes", "withoutVote"),
)
_RECORDED = (
    *("provider", "model", "modelUsed", "modelMismatch"),
    *("status", "reason", "dispatches"),
)

Members = dict[str, Any]


def faults(data: Members, manifest: Members, state: Members, team_state: Members) -> list[str]:
    """Return what differs, a line each that begins with its place: `$.findings[0].class: …`.

    `state`: the final state of the run's convergence. The data has the shape of its schema.
    """
    return [
        *_head(data, state),
        *_rows(data, manifest, state, team_state),
        *_seats(data, manifest, team_state),
    ]


def _head(data: Members, state: Members) -> Iterator[str]:
    for name in ("adversarial", "rounds"):
        told = data["convergence"][name]
        if told != state[name]:
            yield f"$.convergence.{name}: {told}, but the state has {state[name]}"


def _seats(data: Members, manifest: Members, team_state: Members) -> Iterator[str]:
    """Who took part, with which model and how that ended, is the team state's to tell (Z-016)."""
    seats: list[Members] = redaction.hide_in(draft_execution.status(manifest, team_state), [])
    told = {row["workerId"]: (n, row) for n, row in enumerate(data["executionStatus"])}
    for seat in seats:
        worker = seat["workerId"]
        if worker not in told:
            yield f"$.executionStatus: {worker} of the run is missing"
            continue
        number, row = told[worker]
        for member in _RECORDED:
            if row[member] != seat[member]:
                yield f"$.executionStatus[{number}].{member}: not what the records have of {worker}"


def _rows(data: Members, manifest: Members, state: Members, team_state: Members) -> Iterator[str]:
    for name in ("findings", "gaps"):
        made, _ = draft_rows.rows(manifest, state, team_state, name)
        rows: list[Members] = redaction.hide_in(made, [])
        wanted = {row["id"]: row for row in rows}
        told = [row["id"] for row in data[name]]
        for missing in [one for one in wanted if one not in told]:
            yield f"$.{name}: {missing} of the state is missing"
        for number, row in enumerate(data[name]):
            where = f"$.{name}[{number}]"
            if row["id"] not in wanted:
                yield f"{where}.id: the state has no {row['id']}"
                continue
            for member in _DECIDED:
                if row[member] != wanted[row["id"]][member]:
                    yield f"{where}.{member}: not what the votes made of {row['id']}"
