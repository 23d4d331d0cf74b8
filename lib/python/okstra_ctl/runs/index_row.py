"""A run's row in the central index, made from its manifest alone (P-209 to P-211, Z-111)."""

from __future__ import annotations

from typing import Any

from okstra_kernel import strict_json

RUNNING, PREPARED = "running", "prepared"
NON_TERMINAL_RECENT_STATUSES = (PREPARED, RUNNING)  # (P-216)
TERMINAL_STATUSES = ("completed", "failed", "aborted")

_FROM_MANIFEST = (
    *("runId", "projectId", "taskKey", "taskType", "stage", "seq", "startedAt"),
    *("projectRoot", "runDir", "cwd", "argv", "briefSha256"),
)

Row = dict[str, Any]


def row(manifest: dict[str, Any]) -> Row:
    """Return the row of a run that was prepared, and started unless it was to be rendered only."""
    facts = {name: manifest[name] for name in _FROM_MANIFEST}
    status = PREPARED if manifest["renderOnly"] else RUNNING
    refs = sorted(manifest["invocationAssignments"])
    return {"schemaVersion": 1, **facts, "status": status, "roleExecutionRefs": refs}


def settled(record: strict_json.Record, facts: Facts, now: float) -> str:
    """Return the status that a row should have, from what the disk tells.

    `facts` are the run's; `now` is in seconds since 1970. A run without a finish in whose folder
    nothing has changed for a day was given up (P-213, P-217).
    """
    status = record.text("status")
    if status in TERMINAL_STATUSES:
        return status
    if facts.outcome:
        return facts.outcome
    if not facts.manifest:
        return "aborted"
    idle = now - max(facts.changed_at, record.time("startedAt"))
    return "aborted" if status == RUNNING and idle > ABORT_AFTER else status


def may_be_given_up(record: strict_json.Record, now: float) -> bool:
    """Tell whether a run is of an age at which it matters when its files last changed."""
    return record.text("status") == RUNNING and now - record.time("startedAt") > ABORT_AFTER


ABORT_AFTER = 24 * 3600  # seconds


class Facts:
    """What the disk tells of a run."""

    __slots__ = ("changed_at", "manifest", "outcome")

    def __init__(self, *, manifest: bool, outcome: str, changed_at: float) -> None:
        self.manifest = manifest  # whether the run's manifest is there
        self.outcome = outcome  # "completed" or "failed" when the run has ended, else empty
        self.changed_at = changed_at  # of the newest file, seconds since 1970; 0: not asked
