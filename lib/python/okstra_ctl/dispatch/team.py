"""`okstra team`: dispatch, await, status, teardown (D-070 to D-081, Z-010, Z-011)."""

from __future__ import annotations

import json
import time
from typing import Any, Callable

from okstra_ctl.dispatch import (
    collecting,
    dispatch_plan,
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
    with locks.hold(run.home, _lock(run), wait=0):
        plan = dispatch_plan.make(run, workers=workers, jobs_file=jobs_file, kind=kind)
        if dry_run:
            return 0, _preview(run, plan)
        made = starting.enter(run, plan)
        _remember(run, max_parallel)
        begun = [starting.start(run, record) for record in made[: max_parallel or len(made)]]
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
            return report(found)
        time.sleep(POLL)


def report(found: list[Record]) -> tuple[int, dict[str, Any]]:
    """Return the exit status and the answer about these dispatches (D-077, D-081)."""
    last = {}
    for record in found:
        last[record["workerId"]] = record  # the newest of a worker counts
    statuses = {record["status"] for record in last.values()}
    status = 1 if statuses & {"error", "timeout"} else 4 if team_state.HELD in statuses else 0
    workers = [
        {**{name: record[name] for name in _SHOWN}, "missingPaths": []} for record in last.values()
    ]
    return status, {"ok": status == 0, "workers": workers}


def status(run: RunFiles) -> tuple[int, dict[str, Any]]:
    """Tell how every dispatch stands, changing nothing."""
    _, answer = report(_state(run)["workerDispatches"])
    return 0, answer


def teardown(run: RunFiles, *, dry_run: bool = False) -> tuple[int, dict[str, Any]]:
    """End every process that was recorded for this run, and write them down as cancelled."""
    closed: list[str] = []
    left: list[str] = []
    for record in _state(run)["workerDispatches"]:
        if not team_state.is_pending(record):
            continue
        if dry_run:
            closed.append(record["workerId"])
            continue
        ok = _end(run, record)
        (closed if ok else left).append(record["workerId"])
        ended = collecting.cancelled(run, record)
        collecting.write(run, ended)
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


def _end(run: RunFiles, record: Record) -> bool:
    found = wrapper_status.read(run.path(record["promptPath"]))
    if found is None:
        return True
    ok = not found.group or processes.end_group(found.group, found.process_started)
    if processes.is_alive(found.wrapper_pid, found.wrapper_started):
        ok = processes.end_group(found.wrapper_pid, found.wrapper_started) and ok
    return ok


def _resume_held(run: RunFiles) -> None:
    for record in _state(run)["workerDispatches"]:
        due = record["status"] == team_state.HELD and record["resetAt"]
        if due and iso_time.parse(record["resetAt"]) <= time.time():
            again = {**record, "attempt": record["attempt"] + 1, "reason": "", "detail": ""}
            collecting.write(run, {**record, "status": "not-run", "endedAt": iso_time.now()})
            starting.start(run, {**again, "resetAt": None})


def _start_queued(run: RunFiles) -> None:
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
