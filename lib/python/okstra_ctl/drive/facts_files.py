"""Looks at the artifacts of a run and tells what `progress` decides by (H-024)."""

from __future__ import annotations

import os
from typing import Any, Sequence

from okstra_ctl.convergence import document_files, rounds, working
from okstra_ctl.convergence.working import State
from okstra_ctl.dispatch import answer_files
from okstra_ctl.dispatch.run_files import RunFiles
from okstra_ctl.drive import names, seats
from okstra_ctl.drive.progress import LOST, SOUND, Facts, Seat
from okstra_ctl.evidence import result
from okstra_ctl.evidence.findings import Finding
from okstra_ctl.runs import outcome_files, team_state_files
from okstra_kernel import UserError, strict_json

Record = dict[str, Any]
ANALYSER = "analyser"


def look(run: RunFiles) -> Facts:
    """Return the facts of a run as they are now. Raises UserError for a file that is damaged."""
    records = team_state_files.read(run.path(run.team_state))["workerDispatches"]
    state = work_state(run)
    number = len(state.rounds) + 1 if state and rounds.plan(state) else 0
    critic = run.manifest["criticAssignment"]
    seat = seats.seats(records, [critic["workerId"]], names.CRITIC)[0] if critic else None
    found = gaps(run, records) if state and not number and seat else []
    voters = _gap_voters(run, records, state, found)
    return Facts(
        faults=_faults(run),
        analysers=seats.seats(records, analysers(run), names.INITIAL),
        grouped=_there(run, names.groups(run)),
        seeded=state is not None,
        open_round=number,
        planned=bool(number) and _there(run, names.plan(run, number)),
        verifiers=_verifiers(run, records, number),
        critic=seat,
        gap_voters=voters,
        covered=_covered(seat, state, found),
        decided=_there(run, names.final(run)),
        drafted=_there(run, names.draft(run)),
        writer=seats.seats(records, [writer(run)["workerId"]], names.WRITER)[0],
        finished=outcome_files.outcome(run.path(names.status(run))) == "completed",
        blocking=_blocking(run),
    )


def mode(run: RunFiles) -> str:
    """Return the mode of the votes, which is a property of the run (C-009)."""
    return answer_files.mode(run)


def analysers(run: RunFiles) -> list[str]:
    return [row["workerId"] for row in run.manifest["workerAssignments"] if row["role"] == ANALYSER]


def assignment(run: RunFiles, worker: str) -> dict[str, str]:
    """Return who plays a worker: its provider and model."""
    rows = [*run.manifest["workerAssignments"], run.manifest["criticAssignment"] or {}]
    found: dict[str, str] = next(row for row in rows if row.get("workerId") == worker)
    return found


def writer(run: RunFiles) -> dict[str, str]:
    """Return the assignment of the report writer. Raises UserError if the run has none."""
    rows = [row for row in run.manifest["workerAssignments"] if row["role"] == names.WRITER]
    if not rows:
        raise UserError(f"this run has no report writer: {run.manifest['runId']}")
    found: dict[str, str] = rows[0]
    return found


def work_state(run: RunFiles) -> State | None:
    """Return the working state, or None before it is seeded. Raises UserError."""
    path = run.path(names.work(run))
    return working.read(document_files.read(path).record) if os.path.exists(path) else None


def sound_results(run: RunFiles, records: Sequence[Record]) -> dict[str, str]:
    """Return the published first result of each analyser whose counts, by worker."""
    found = {}
    for worker in analysers(run):
        record = seats.newest(records, worker, names.INITIAL)
        if record and record["status"] == "completed":
            found[worker] = record["resultPath"]
    return found


def gaps(run: RunFiles, records: Sequence[Record]) -> list[Finding]:
    """Return what the critic found, if its result counts. Raises UserError."""
    critic = run.manifest["criticAssignment"]
    record = seats.newest(records, critic["workerId"], names.CRITIC)
    if record is None or record["status"] != "completed":
        return []
    data = document_files.content(run.path(record["resultPath"]))
    return list(result.read(data).findings)


def gap_round(state: State) -> int:
    """Return the number under which gaps are voted on: after the last round."""
    return len(state.rounds) + 1


def batches(run: RunFiles, path: str) -> list[tuple[str, tuple[str, ...]]]:
    """Return who is asked what by a plan on disk; nothing where there is none. Raises UserError."""
    if not _there(run, path):
        return []
    return list(working.batches_of(strict_json.read(run.path(path))))


def _verifiers(run: RunFiles, records: Sequence[Record], number: int) -> list[Seat]:
    if not number:
        return []
    asked = [worker for worker, _ in batches(run, names.plan(run, number))]
    return seats.seats(records, asked, names.reverify(number))


def _gap_voters(
    run: RunFiles, records: Sequence[Record], state: State | None, found: list[Finding]
) -> list[Seat]:
    if state is None or not found or state.coverage:
        return []
    voters = [voter.worker_id for voter in state.roster]
    return seats.seats(records, voters, names.reverify(gap_round(state)))


def _covered(critic: Seat | None, state: State | None, found: list[Finding]) -> bool:
    """Tell whether there is nothing to ask about what nobody looked at."""
    if critic is None or critic.state == LOST:
        return True
    if state is not None and state.coverage:
        return True
    return critic.state == SOUND and not found


def _faults(run: RunFiles) -> list[str]:
    folder = run.manifest["instructionSetPath"].rstrip("/")
    needed = [f"{folder}/{name}" for name in ("analysis-profile.md", "analysis-packet.md")]
    return [f"not there: {path}" for path in needed if not _there(run, path)]


def _blocking(run: RunFiles) -> list[str]:
    """Return the open questions that keep the next phase from starting (C-273)."""
    path = run.path(names.report_data(run))
    if not os.path.isfile(path):
        return []
    rows = strict_json.read(path).records("clarificationItems")
    open_ones = [row for row in rows if row.text("status") == "open"]
    return [row.text("id") for row in open_ones if row.text("blocks", "none") != "none"]


def _there(run: RunFiles, path: str) -> bool:
    return os.path.isfile(run.path(path))
