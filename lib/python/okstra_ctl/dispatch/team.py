"""`okstra team`: dispatch, await, status, teardown (D-070 to D-079, D-081, Z-010, Z-011)."""

from __future__ import annotations

import json
import os
from typing import Any

from okstra_ctl.dispatch import (
    awaiting,
    collecting,
    dispatch_plan,
    left_process,
    run_files,
    start_process,
    starting,
)
from okstra_ctl.dispatch.prompt_contract import outbox
from okstra_ctl.dispatch.records import Record
from okstra_ctl.dispatch.run_files import RunFiles
from okstra_ctl.runs import team_state, team_state_files
from okstra_kernel import locks

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
    resume: bool = False,
) -> tuple[int, dict[str, Any]]:
    """Start the jobs and return once they run. Raises Busy if another dispatch of the run does.

    `resume`: what was dispatched before is left out, not refused.
    """
    words: dict[str, Any] = {"workers": workers, "jobs_file": jobs_file, "kind": kind}
    if dry_run:
        return 0, _preview(run, dispatch_plan.make(run, **words))
    with locks.hold(run.home, starting.lock_name(run), wait=0):
        plan = dispatch_plan.make(run, **words, resume=resume)
        _remember(run, max_parallel)
        made = starting.enter(run, plan)
        free = starting.room(starting.state(run), max_parallel)
        begun = starting.start(run, made[:free])
    waiting = [record["workerId"] for record in made[len(begun) :]]
    return 0, {
        "ok": True,
        "dispatchMode": "cli-wrapper",
        "dispatched": [record["workerId"] for record in begun],
        "queued": waiting,
        "skipped": plan.skipped,
    }


def await_all(
    run: RunFiles, *, retries: bool = False, watch: awaiting.Watch | None = None
) -> tuple[int, dict[str, Any]]:
    """Wait as `awaiting.wait` does, and return exit status and answer."""
    return report(run, awaiting.wait(run, retries=retries, watch=watch))


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
    _, answer = report(run, starting.state(run)["workerDispatches"])
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
        with locks.hold(run.home, starting.lock_name(run)):
            for record in _pending(run):
                (closed if left_process.end(run, record) else left).append(record["workerId"])
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
    return [one for one in starting.state(run)["workerDispatches"] if team_state.is_pending(one)]


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
            deadline=run.deadline,
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


load = run_files.load
