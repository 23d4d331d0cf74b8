"""`okstra team`: dispatch, await, status, teardown (D-070 to D-079, D-081, Z-010, Z-011)."""

from __future__ import annotations

import json
import os
import time
from typing import Any, Callable

from okstra_ctl.dispatch import (
    collecting,
    dispatch_plan,
    records,
    run_files,
    start_process,
    starting,
    wrapper_status,
)
from okstra_ctl.dispatch.prompt_contract import outbox
from okstra_ctl.dispatch.records import Record
from okstra_ctl.dispatch.run_files import RunFiles
from okstra_ctl.runs import team_state, team_state_files
from okstra_kernel import Busy, iso_time, locks, processes
from okstra_project.slug import digest

POLL = 0.25  # seconds between two looks
_WRAPPER_GRACE = processes.TERM_GRACE + 3.0  # seconds: it gives its CLI the usual ones
_SHOWN = (
    *("workerId", "dispatchKind", "attempt", "status", "exitCode", "durationMs"),
    *("degradedFrom", "reason", "detail", "resetAt", "modelUsed", "modelMismatch"),
)


def dispatch(
    run: RunFiles,
    *,
    workers: str = "",
    jobs_file: str = "",
    kind: str = "",
    max_parallel: int = 0,
    dry_run: bool = False,
) -> tuple[int, dict[str, Any]]:
    """Start the jobs and return once they run. Raises Busy if another dispatch of the run does."""
    if dry_run:
        plan = dispatch_plan.make(run, workers=workers, jobs_file=jobs_file, kind=kind)
        return 0, _preview(run, plan)
    with locks.hold(run.home, _lock(run), wait=0):
        plan = dispatch_plan.make(run, workers=workers, jobs_file=jobs_file, kind=kind)
        _remember(run, max_parallel)
        made = starting.enter(run, plan)
        free = starting.room(_state(run), max_parallel)
        begun = [starting.start(run, record) for record in made[:free]]
    waiting = [record["workerId"] for record in made[len(begun) :]]
    return 0, {
        "ok": True,
        "dispatchMode": "cli-wrapper",
        "dispatched": [record["workerId"] for record in begun],
        "queued": waiting,
        "skipped": plan.skipped,
    }


def await_all(
    run: RunFiles, *, watch: Callable[[list[Record]], None] | None = None
) -> tuple[int, dict[str, Any]]:
    """Wait until every dispatch has ended or is held; start those that wait for a place.

    Held ones whose time has come are started again first (Z-014).
    """
    _resume_held(run)
    while True:
        state = _state(run)
        for record in state["workerDispatches"]:
            if record["status"] == team_state.IN_PROGRESS:
                collecting.settle(run, record)
        _start_queued(run)
        found = _state(run)["workerDispatches"]
        if watch:
            watch(found)
        if not any(one["status"] in (team_state.IN_PROGRESS, team_state.QUEUED) for one in found):
            return report(run, found)
        time.sleep(POLL)


def report(run: RunFiles, found: list[Record]) -> tuple[int, dict[str, Any]]:
    """Return the exit status and the answer about these dispatches (D-077, D-081)."""
    last = {}
    for record in found:
        last[record["workerId"]] = record  # the newest of a worker counts
    statuses = {record["status"] for record in last.values()}
    status = 1 if statuses & {"error", "timeout"} else 4 if team_state.HELD in statuses else 0
    workers = [
        {**{name: record[name] for name in _SHOWN}, "missingPaths": _missing(run, record)}
        for record in last.values()
    ]
    return status, {"ok": status == 0, "workers": workers}


def _missing(run: RunFiles, record: Record) -> list[str]:
    if team_state.is_pending(record):
        return []
    return [path for path in record["completionPaths"] if not os.path.isfile(run.path(path))]


def status(run: RunFiles) -> tuple[int, dict[str, Any]]:
    """Tell how every dispatch stands, changing nothing."""
    _, answer = report(run, _state(run)["workerDispatches"])
    return 0, answer


def teardown(run: RunFiles, *, dry_run: bool = False) -> tuple[int, dict[str, Any]]:
    """End every process that was recorded for this run, and write them down as cancelled.

    Raises Busy while another process of the run keeps starting workers.
    """
    closed: list[str] = []
    left: list[str] = []
    if dry_run:
        closed = [record["workerId"] for record in _pending(run)]
    else:
        with locks.hold(run.home, _lock(run)):
            for record in _pending(run):
                (closed if _end(run, record) else left).append(record["workerId"])
                collecting.cancel(run, record)
    answer = {"ok": not left, "closed": closed, "skipped": [], "alive": left}
    return 1 if left else 0, answer


def text(answer: dict[str, Any], as_json: bool) -> str:
    """Return an answer as one JSON value, or as lines for people."""
    if as_json or "workers" not in answer:
        return json.dumps({"schemaVersion": 1, **answer}, ensure_ascii=False)
    rows = []
    for one in answer["workers"]:
        why = ": ".join(filter(None, (one["reason"], one["detail"])))
        rows.append("  ".join(filter(None, (one["workerId"], one["status"], why))))
    return "\n".join(rows)


def _pending(run: RunFiles) -> list[Record]:
    return [one for one in _state(run)["workerDispatches"] if team_state.is_pending(one)]


def _end(run: RunFiles, record: Record) -> bool:
    """End a dispatch: its wrapper, which ends the CLI and says so, and then what it left."""
    found = wrapper_status.read(run.path(record["promptPath"]))
    if found is None:
        return True
    wrapper, ok = found.wrapper_pid, True
    if processes.is_alive(wrapper, found.wrapper_started):
        ok = processes.end_group(wrapper, found.wrapper_started, grace=_WRAPPER_GRACE)
        found = wrapper_status.read(run.path(record["promptPath"])) or found
    return (not found.group or processes.end_group(found.group, found.process_started)) and ok


def _resume_held(run: RunFiles) -> None:
    """Put those whose time has come back into the queue, each as an attempt of its own."""

    def edit(state: team_state.Members) -> team_state.Members:
        for record in state["workerDispatches"]:
            due = record["status"] == team_state.HELD and record["resetAt"]
            if due and iso_time.parse(record["resetAt"]) <= time.time():
                past = {**record, "status": "not-run", "endedAt": iso_time.now()}
                state = team_state.with_dispatch(state, past)
                state = team_state.with_dispatch(state, records.again(record))
        return state

    if any(one["status"] == team_state.HELD for one in _state(run)["workerDispatches"]):
        team_state_files.change(run.home, run.root, run.team_state, edit)


def _start_queued(run: RunFiles) -> None:
    if all(one["status"] != team_state.QUEUED for one in _state(run)["workerDispatches"]):
        return
    try:
        with locks.hold(run.home, _lock(run), wait=0):
            state = _state(run)
            waiting = [r for r in state["workerDispatches"] if r["status"] == team_state.QUEUED]
            free = starting.room(state, int(state.get("maxParallel", 0)))
            for record in waiting[:free]:
                starting.start(run, record)
    except Busy:
        return  # another process of the run starts them


def _remember(run: RunFiles, max_parallel: int) -> None:
    def edit(state: team_state.Members) -> team_state.Members:
        return {**state, "maxParallel": max_parallel}

    team_state_files.change(run.home, run.root, run.team_state, edit)


def _preview(run: RunFiles, plan: dispatch_plan.Plan) -> dict[str, Any]:
    rows = []
    for job in plan.jobs:
        box = outbox(run, job)
        words = start_process.argv(
            run,
            job,
            outbox=box,
            work_dir=job.work_dir or run.root,
            deadline=starting.deadline_seconds(run),
        )
        rows.append(
            {
                "workerId": job.worker_id,
                "backend": "cli-wrapper",
                "title": job.title,
                "argv": words,
                "promptPath": job.prompt_path,
                "resultPath": job.result_path,
                "completionPaths": list(job.completion_paths),
            }
        )
    return {"ok": True, "dryRun": True, "jobs": rows, "skipped": plan.skipped}


def _state(run: RunFiles) -> team_state.Members:
    return team_state_files.read(run.path(run.team_state))


def _lock(run: RunFiles) -> str:
    return f"dispatch-{digest(run.path(run.team_state))}.lock"


load = run_files.load
