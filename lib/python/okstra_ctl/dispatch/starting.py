"""Starts the jobs of a plan, each written down before it is started (D-052, D-061, XF-03).

A record that says `in-progress` and has no sign of a wrapper is one that was killed in between:
await sees that, and no second start can be taken for the first.
"""

from __future__ import annotations

import os
from typing import Any

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
from okstra_ctl.runs import lead_events, team_state, team_state_files
from okstra_kernel import iso_time
from okstra_project.slug import digest

DISPATCHED = "worker-dispatched"
DEADLINE_FACTOR = 2  # of the profile's expected minutes (D-129)


def state(run: RunFiles) -> team_state.Members:
    """Return the run's team state as it is now. Raises UserError."""
    return team_state_files.read(run.path(run.team_state))


def lock_name(run: RunFiles) -> str:
    """Return the lock that whoever starts workers of a run holds (D-071)."""
    return f"dispatch-{digest(run.path(run.team_state))}.lock"


def enter(run: RunFiles, plan: Plan, *, attempt: int = 1) -> list[Record]:
    """Write down every job of a plan as waiting to be started, and return the records."""
    made = []
    for job in plan.jobs:
        outbox = prompt_contract.outbox(run, job)
        start_process.make_outbox(run, outbox)
        work_dir = job.work_dir or run.root
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


def start(run: RunFiles, record: Record) -> Record:
    """Start the wrapper of a record that waits, and return the record as it is then."""
    job = job_of(record)
    _clear(run, record)
    begun = records.started(record, iso_time.now())
    _write(run, begun)
    words = start_process.argv(
        run,
        job,
        outbox=record["outbox"],
        work_dir=record["workDir"],
        deadline=deadline_seconds(run),
    )
    pid = start_process.start(run, job, words)
    details: dict[str, Any] = {
        name: begun[name] for name in ("workerId", "dispatchKind", "attempt")
    }
    path = run.manifest["leadEventsPath"]
    lead_events.append(run.root, path, DISPATCHED, "team", {**details, "pid": pid})
    if pid is None:
        collecting.not_launched(run, begun)
        return begun
    begun = records.with_process(begun, wrapper_status.read(run.path(record["promptPath"])))
    collecting.write(run, begun)
    return begun


def room(now: team_state.Members, max_parallel: int) -> int:
    """Return how many more workers may run at once; `max_parallel` 0: as many as there are."""
    running = sum(one["status"] == team_state.IN_PROGRESS for one in now["workerDispatches"])
    return max(0, max_parallel - running) if max_parallel else len(now["workerDispatches"])


def deadline_seconds(run: RunFiles) -> int:
    return DEADLINE_FACTOR * 60 * int(run.manifest["expectedMinutes"])


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


def _write(run: RunFiles, record: Record) -> None:
    def edit(before: team_state.Members) -> team_state.Members:
        after = team_state.with_dispatch(before, record)
        now = record["startedAt"]
        after = team_state.transition(
            after, record["workerId"], team_state.IN_PROGRESS, reason="", model="", now=now
        )
        prompt, mode = record["promptPath"], records.LIVENESS_MODE
        changed = {"livenessMode": mode, "promptPath": prompt}
        return team_state.with_row(after, record["workerId"], changed)

    team_state_files.change(run.home, run.root, run.team_state, edit)
