"""Starts the jobs of a plan, all written down before they are started (D-052, D-061, XF-03).

A record that says `in-progress` and has no sign of a wrapper is one that was killed in between:
await sees that, and no second start can be taken for the first.
"""

from __future__ import annotations

import os

from okstra_ctl.dispatch import (
    baseline_files,
    collecting,
    prompt_contract,
    records,
    sidecars,
    start_process,
    wrapper_status,
)
from okstra_ctl.dispatch.dispatch_plan import Plan
from okstra_ctl.dispatch.jobs import Job
from okstra_ctl.dispatch.records import Record
from okstra_ctl.dispatch.run_files import RunFiles
from okstra_ctl.dispatch.start_process import Launched
from okstra_ctl.runs import lead_events, team_state, team_state_files
from okstra_kernel import iso_time
from okstra_project.slug import digest

DISPATCHED = "worker-dispatched"


def state(run: RunFiles) -> team_state.Members:
    """Return the run's team state as it is now. Raises UserError."""
    return team_state_files.glance(run.path(run.team_state))


def lock_name(run: RunFiles) -> str:
    """Return the lock that whoever starts workers of a run holds (D-071)."""
    return f"dispatch-{digest(run.path(run.team_state))}.lock"


def enter(run: RunFiles, plan: Plan, *, attempt: int = 1) -> list[Record]:
    """Write down every job of a plan as waiting to be started, and return the records."""
    made: list[Record] = []
    digest = ""
    for job in plan.jobs:
        outbox = prompt_contract.outbox(run, job)
        start_process.make_outbox(run, outbox)
        work_dir = job.work_dir or run.root
        if not made:
            digest = baseline_files.record(run, f"{job.worker_id}-{job.dispatch_kind}")
        made.append(
            records.new(job, attempt=attempt, outbox=outbox, work_dir=work_dir, digest=digest)
        )

    def edit(before: team_state.Members) -> team_state.Members:
        after = {**before, "dispatchMode": records.CLI_WRAPPER}
        for record in made:
            after = team_state.with_dispatch(after, record)
        return after

    team_state_files.change(run.home, run.root, run.team_state, edit)
    return made


def start(run: RunFiles, waiting: list[Record]) -> list[Record]:
    """Start the wrappers of records that wait, and return the records as they are then.

    Killed or failing in between, this leaves records in progress that have no wrapper: an await
    tells them by their launch logs, and starts them.
    """
    if not waiting:
        return []
    for record in waiting:
        _clear(run, record)
    now = iso_time.now()
    begun = [records.started(record, now) for record in waiting]
    _write(run, begun)
    launched: list[Launched] = []
    try:
        for record in begun:
            launched.append(_launch(run, record))
    finally:
        _look(run, begun[: len(launched)], launched)
    return begun


def _launch(run: RunFiles, record: Record) -> Launched:
    job = job_of(record)
    words = start_process.argv(
        run,
        job,
        outbox=record["outbox"],
        work_dir=record["workDir"],
        deadline=run.deadline,
    )
    launched = start_process.launch(run, job, words)
    details = {name: record[name] for name in ("workerId", "dispatchKind", "attempt")}
    details["pid"] = launched.process.pid
    lead_events.append(run.root, run.manifest["leadEventsPath"], DISPATCHED, "team", details)
    return launched


def _look(run: RunFiles, begun: list[Record], launched: list[Launched]) -> None:
    """Write down the processes of these wrappers, and those that came to nothing."""
    running = []
    for record, one in zip(begun, launched, strict=True):
        if start_process.has_signed(one):
            status = wrapper_status.read(run.path(record["promptPath"]))
            running.append(records.with_process(record, status))
        else:
            collecting.not_launched(run, record)
    collecting.write(run, *running)


def room(now: team_state.Members, max_parallel: int) -> int:
    """Return how many more workers may run at once; `max_parallel` 0: as many as there are."""
    running = sum(one["status"] == team_state.IN_PROGRESS for one in now["workerDispatches"])
    return max(0, max_parallel - running) if max_parallel else len(now["workerDispatches"])


def job_of(record: Record) -> Job:
    return Job(
        worker_id=record["workerId"],
        provider=record["provider"],
        role=record["role"],
        model=record["modelExecutionValue"],
        prompt_path=record["promptPath"],
        result_path=record["resultPath"],
        worker_result_path=record["workerResultPath"],
        completion_paths=tuple(record["completionPaths"]),
        dispatch_kind=record["dispatchKind"],
        work_dir=record["workDir"],
    )


def _clear(run: RunFiles, record: Record) -> None:
    """Put the traces of an earlier start of this prompt aside, so that none is read as ours."""
    prompt = run.path(record["promptPath"])
    traces = [sidecars.transcript(prompt), sidecars.status(prompt), sidecars.launch_log(prompt)]
    if record["attempt"] > 1 and os.listdir(run.path(record["outbox"])):
        traces.append(run.path(record["outbox"]))
    for path in traces:
        number = 1
        while os.path.lexists(path):
            aside = f"{path}.earlier-{number}"
            if not os.path.lexists(aside):
                os.rename(path, aside)
            number += 1
    start_process.make_outbox(run, record["outbox"])


def _write(run: RunFiles, begun: list[Record]) -> None:
    def edit(state: team_state.Members) -> team_state.Members:
        for record in begun:
            worker, now = record["workerId"], record["startedAt"]
            state = team_state.with_dispatch(state, record)
            state = team_state.transition(
                state, worker, team_state.IN_PROGRESS, reason="", model="", now=now
            )
            changed = {"livenessMode": records.LIVENESS_MODE, "promptPath": record["promptPath"]}
            state = team_state.with_row(state, worker, changed)
        return state

    team_state_files.change(run.home, run.root, run.team_state, edit)
