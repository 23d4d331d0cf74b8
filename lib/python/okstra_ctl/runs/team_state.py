"""The rows and records of a run's team state, and how they change (D-066, D-067, D-090 to D-096).

Pure: a change takes the members that the file holds and returns the new ones.
"""

from __future__ import annotations

from typing import Any

from okstra_kernel import UserError

IN_PROGRESS = "in-progress"
HELD = "held"  # of a dispatch: it waits for a quota, its row stays in progress (Z-014)
QUEUED = "queued"  # of a dispatch: it waits for a place (Z-010)
TERMINAL = ("completed", "timeout", "error", "not-run")
TRANSITIONS = (IN_PROGRESS, *TERMINAL)
NEEDS_REASON = ("timeout", "error", "not-run")

Members = dict[str, Any]


def transition(
    state: Members, worker_id: str, status: str, *, reason: str, model: str, now: str
) -> Members:
    """Return the state with one worker's row moved on. Raises UserError (D-090 to D-095)."""
    if status not in TRANSITIONS:
        raise UserError(f"unknown status: {status!r}; known: {', '.join(TRANSITIONS)}")
    if status in NEEDS_REASON and not reason.strip():
        raise UserError(f"the status {status} needs a reason: --reason=<text>")
    times = {"startedAt": now, "endedAt": None} if status == IN_PROGRESS else {"endedAt": now}
    changed: Members = {"status": status, **times, "reason": reason.strip()}
    if model:
        changed["modelExecutionValue"] = model
    return with_row(state, worker_id, changed)


def with_row(state: Members, worker_id: str, changed: Members) -> Members:
    """Return the state with members of one row changed. Raises UserError for an unknown worker."""
    rows = state["workers"]
    if all(row.get("workerId") != worker_id for row in rows):
        known = ", ".join(str(row.get("workerId")) for row in rows)
        raise UserError(f"no such worker in this run: {worker_id!r}; it has: {known}")
    rows = [{**row, **changed} if row.get("workerId") == worker_id else row for row in rows]
    return {**state, "workers": rows}


def with_dispatch(state: Members, record: Members) -> Members:
    """Return the state with a dispatch record added, or in the place of its own older form."""
    key = dispatch_key(record)
    found = state["workerDispatches"]
    if all(dispatch_key(one) != key for one in found):
        return {**state, "workerDispatches": [*found, record]}
    found = [record if dispatch_key(one) == key else one for one in found]
    return {**state, "workerDispatches": found}


def dispatch_key(record: Members) -> tuple[str, str, int]:
    """Return what tells one start of a worker from another."""
    return record["workerId"], record["dispatchKind"], record["attempt"]


def has_ended(state: Members, record: Members) -> bool:
    """Tell whether this very dispatch is written down with its end already."""
    key = dispatch_key(record)
    return any(
        dispatch_key(one) == key and not is_pending(one) for one in state["workerDispatches"]
    )


def is_pending(record: Members) -> bool:
    """Tell whether a dispatch has yet to end."""
    return record["status"] not in TERMINAL
