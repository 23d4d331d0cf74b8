"""How the turns of a kind stand, from the records of their dispatches (D-066, D-135). Pure."""

from __future__ import annotations

from typing import Any, Iterable, Sequence

from okstra_ctl.dispatch import retry
from okstra_ctl.drive.progress import GOING, HELD, LOST, SOUND, UNSTARTED, Seat
from okstra_ctl.runs import team_state

Record = dict[str, Any]


def seats(records: Sequence[Record], workers: Iterable[str], kind: str) -> list[Seat]:
    """Return the seat of each worker in turns of this kind."""
    due = {team_state.dispatch_key(record) for record in retry.due(list(records))}
    return [_seat(worker, newest(records, worker, kind), due) for worker in workers]


def newest(records: Sequence[Record], worker: str, kind: str) -> Record | None:
    """Return the last dispatch of a worker of this kind, its retry included."""
    kinds = (kind, f"{kind}{retry.SUFFIX}")
    found = [one for one in records if one["workerId"] == worker and one["dispatchKind"] in kinds]
    return found[-1] if found else None


def _seat(worker: str, record: Record | None, due: set[tuple[str, str, int]]) -> Seat:
    if record is None:
        return Seat(worker, UNSTARTED)
    if record["status"] == "completed":
        return Seat(worker, SOUND)
    if record["status"] == team_state.HELD:
        return Seat(worker, HELD, f"{record['reason']} until {record['resetAt']}")
    if record["status"] in (team_state.QUEUED, team_state.IN_PROGRESS):
        return Seat(worker, GOING)
    if team_state.dispatch_key(record) in due:
        return Seat(worker, GOING)
    why = ": ".join(filter(None, (record["reason"], record["detail"])))
    return Seat(worker, LOST, why or record["status"])
