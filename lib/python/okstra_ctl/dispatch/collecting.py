"""Settles dispatches: looks at their traces, judges, publishes, writes it all down (D-076).

The order makes a kill harmless: publish, tell the log of events, then the team state. Done again,
the first finds its work done and the second adds an event of the same words. What ended between two
looks is told and written together.
"""

from __future__ import annotations

import os
import time

from okstra_ctl.dispatch import (
    baseline_files,
    left_process,
    outcome,
    product_files,
    records,
    retry,
    sidecars,
    start_process,
    transcript_files,
    wrapper_status,
)
from okstra_ctl.dispatch.baseline_files import Seen
from okstra_ctl.dispatch.outcome import IN_PROGRESS, Outcome
from okstra_ctl.dispatch.records import Record
from okstra_ctl.dispatch.run_files import RunFiles
from okstra_ctl.dispatch.wrapper_status import RUNNING, WrapperStatus
from okstra_ctl.providers import registry
from okstra_ctl.providers.turn import Turn
from okstra_ctl.runs import lead_events, team_state, team_state_files
from okstra_kernel import iso_time

GRACE = 60.0  # seconds in which a wrapper must leave its first sign
PATIENCE = 30.0  # seconds after which a wrapper that is gone will finish no status
COLLECTED, FAILED = "worker-result-collected", "worker-failed"
RETRY = "worker-retry-scheduled"


def settled(
    run: RunFiles, record: Record, status: WrapperStatus | None, seen: Seen
) -> Record | None:
    """Return the record of a dispatch that has ended or is held, its result published; else None.

    `seen` looks at the checkout later than the status was read. Nothing is written down yet: that
    is `finish`'s. Raises UserError.
    """
    found, turn = judge(run, record, status, seen)
    if found is IN_PROGRESS:
        return None
    if found.status == "completed" and (lost := product_files.publish(run, record)):
        found = Outcome("error", outcome.MISSING, detail=f"not there: {', '.join(lost)}")
    code = status.exit_code if status else None
    record = records.with_process(record, status)
    return records.ended(record, found, now=iso_time.now(), exit_code=code, model=turn.model)


def finish(run: RunFiles, found: list[Record], *, retries: bool = False) -> None:
    """Tell and write down dispatches that have ended or are held. Raises UserError.

    `retries`: who looks starts a worker that failed once more.
    """
    again: list[Record] = []
    if retries:
        state = team_state_files.read(run.path(run.team_state))
        for record in found:
            state = team_state.with_dispatch(state, record)
        again = retry.due(state["workerDispatches"])
    for record in found:
        if record["status"] in team_state.TERMINAL:
            _tell(run, record, RETRY if record in again else "")
    write(run, *found)


def judge(
    run: RunFiles, record: Record, status: WrapperStatus | None, seen: Seen
) -> tuple[Outcome, Turn]:
    """Return how a dispatch stands, from what lies on disk and which processes live."""
    now = time.time()
    nothing = Turn(None)
    if status is None:
        log = os.path.exists(sidecars.transcript(run.path(record["promptPath"])))
        age = now - iso_time.parse(record["startedAt"])
        return outcome.of_silence(age, grace=GRACE * (2 if log else 1)), nothing
    if status.state == RUNNING:
        quiet = now - status.heartbeat_at
        alive = quiet <= PATIENCE or left_process.is_attended(record, status)  # asked seldom
        if outcome.of_life(status, alive=alive, quiet=quiet, patience=PATIENCE) is IN_PROGRESS:
            if quiet > PATIENCE and now - status.started_at > run.deadline + PATIENCE:
                left_process.ask_to_stop(record, status)  # its watcher has gone
            return IN_PROGRESS, nothing
        left_process.end_rest(record, status)
        status = outcome.abandoned(status)
    elif not start_process.is_over(run.path(record["promptPath"])):
        return IN_PROGRESS, nothing  # not its wrapper's word: that lives (XI-21)
    read = registry.provider_spec(record["provider"]).read_turn
    text = transcript_files.read(sidecars.transcript(run.path(record["promptPath"])))
    turn = read(text, status.ended_at or int(now)) if read else nothing
    product = product_files.check(run, record)
    found = outcome.of_end(status, turn, product, touched=_touched(run, record, seen))
    details = filter(None, (found.detail, transcript_files.own_words(text)))
    return found._replace(detail="; ".join(details)), turn


def _touched(run: RunFiles, record: Record, seen: Seen) -> str:
    """Return what of the user's checkout changed; kept as a patch first (Z-092)."""
    changed = baseline_files.touched(run, record["checkoutDigest"], seen)
    if not changed:
        return ""
    return baseline_files.keep(run, record["workerId"], record["dispatchKind"], changed)


def _tell(run: RunFiles, record: Record, kind: str = "") -> None:
    kind = kind or (COLLECTED if record["status"] == "completed" else FAILED)
    names = ("workerId", "dispatchKind", "attempt", "status", "reason")
    details = {name: record[name] for name in names}
    lead_events.append(run.root, run.manifest["leadEventsPath"], kind, "team", details)


def write(run: RunFiles, *found: Record) -> None:
    """Write the records and the workers' rows, together (D-090).

    Of two who settle one dispatch the first counts: what has ended stays as it is.
    """

    def edit(state: team_state.Members) -> team_state.Members:
        for record in found:
            if not team_state.has_ended(state, record):
                state = _with_end(state, record)
        return state

    if found:
        team_state_files.change(run.home, run.root, run.team_state, edit)


def _with_end(state: team_state.Members, record: Record) -> team_state.Members:
    state = team_state.with_dispatch(state, record)
    worker, status = record["workerId"], record["status"]
    if status not in team_state.TERMINAL:
        return state
    reason = ": ".join(filter(None, (record["reason"], record["detail"])))
    return team_state.transition(
        state, worker, status, reason=reason, model="", now=record["endedAt"]
    )


def cancel(run: RunFiles, record: Record) -> None:
    """Write down a worker that the user ended."""
    status = wrapper_status.read(run.path(record["promptPath"]))
    code = status.exit_code if status else None
    _end(run, record, Outcome("error", outcome.CANCELLED), code)


def not_launched(run: RunFiles, record: Record) -> None:
    """Write down a wrapper that has ended without a status, with what it said (D-103)."""
    said = transcript_files.read(sidecars.launch_log(run.path(record["promptPath"])))
    first = next(iter(said.splitlines()), "the wrapper said nothing")
    _end(run, record, Outcome("error", outcome.LAUNCH_FAILED, detail=first[:200]), None)


def _end(run: RunFiles, record: Record, found: Outcome, code: int | None) -> None:
    ended = records.ended(record, found, now=iso_time.now(), exit_code=code, model="")
    _tell(run, ended)
    write(run, ended)
