"""The record of one start of one worker, in `workerDispatches[]` (D-066 to D-068). Pure."""

from __future__ import annotations

import re
from typing import Any

from okstra_ctl.dispatch import sidecars
from okstra_ctl.dispatch.jobs import Job
from okstra_ctl.dispatch.outcome import Outcome
from okstra_ctl.dispatch.wrapper_status import WrapperStatus
from okstra_ctl.runs.team_state import IN_PROGRESS, QUEUED, TERMINAL
from okstra_kernel import iso_time

CLI_WRAPPER = "cli-wrapper"
LIVENESS_MODE = "wrapper-status"  # of every worker with a wrapper (D-059)

Record = dict[str, Any]


def new(job: Job, *, attempt: int, outbox: str, work_dir: str, digest: str) -> Record:
    """Return the record of a job that waits to be started. Paths are relative to the project."""
    return {
        "workerId": job.worker_id,
        "provider": job.provider,
        "role": job.role,
        "dispatchKind": job.dispatch_kind,
        "attempt": attempt,
        "modelExecutionValue": job.model,
        "backend": CLI_WRAPPER,
        "degradedFrom": "",
        "paneId": "",
        "livenessMode": LIVENESS_MODE,
        "workDir": work_dir,
        "outbox": outbox,
        "promptPath": job.prompt_path,
        "resultPath": job.result_path,
        "workerResultPath": job.worker_result_path,
        "completionPaths": list(job.completion_paths),
        "statusPath": sidecars.status(job.prompt_path),
        "checkoutDigest": digest,
        "status": QUEUED,
        "startedAt": None,
        "endedAt": None,
        "durationMs": None,
        "exitCode": None,
        "pid": None,
        "processStartedAt": "",
        "processGroup": None,
        "wrapperPid": None,
        "wrapperStartedAt": "",
        "reason": "",
        "resetAt": None,
        "detail": "",
        "modelUsed": "",
        "modelMismatch": False,
    }


def started(record: Record, now: str) -> Record:
    """Return the record of a worker that is being started."""
    return {**record, **_NOBODY, "status": IN_PROGRESS, "startedAt": now, "endedAt": None}


_NOBODY = {
    **{"pid": None, "processStartedAt": "", "processGroup": None},
    **{"wrapperPid": None, "wrapperStartedAt": ""},
}


def with_process(record: Record, status: WrapperStatus | None) -> Record:
    """Return the record with wrapper and CLI, as the wrapper told them (D-058).

    What it told first counts: a CLI could write over the file later (XI-21).
    """
    if status is None:
        return record
    if not record.get("wrapperPid"):
        told = {"wrapperPid": status.wrapper_pid, "wrapperStartedAt": status.wrapper_started}
        record = {**record, **told}
    wrapper = record["wrapperPid"], record["wrapperStartedAt"]
    if record["pid"] or not status.pid or wrapper != (status.wrapper_pid, status.wrapper_started):
        return record
    told = {"pid": status.pid, "processStartedAt": status.process_started}
    return {**record, **told, "processGroup": status.group}


def again(record: Record) -> Record:
    """Return the record of the next attempt of a held dispatch: it waits to be started."""
    fresh = {"attempt": record["attempt"] + 1, "status": QUEUED, "reason": "", "detail": ""}
    nothing = ("startedAt", "endedAt", "durationMs", "exitCode", "resetAt")
    return {**record, **_NOBODY, **fresh, **dict.fromkeys(nothing)}


def ended(
    record: Record, outcome: Outcome, *, now: str, exit_code: int | None, model: str
) -> Record:
    """Return the record once its outcome is known; a held one has not ended."""
    terminal = outcome.status in TERMINAL
    begun = record["startedAt"]
    spent = iso_time.parse(now) - iso_time.parse(begun) if begun else 0
    asked = record["modelExecutionValue"]
    return {
        **record,
        "status": outcome.status,
        "endedAt": now if terminal else None,
        "durationMs": spent * 1000 if terminal else None,
        "exitCode": exit_code,
        "reason": outcome.reason,
        "resetAt": iso_time.show(outcome.reset_at) if outcome.reset_at else None,
        "detail": outcome.detail,
        "modelUsed": model,
        "modelMismatch": bool(model and asked and not _same_model(asked, model)),
    }


def _same_model(asked: str, used: str) -> bool:
    """Tell whether an alias can stand for the model that answered: `opus`, `claude-opus-5-5`.

    A date at the end, a vendor before a slash, and an option in brackets make no other model.
    """
    plain = re.sub(r"-\d{8}$", "", used.rpartition("/")[2])
    wanted = re.sub(r"\[[^]]*\]$|-\d{8}$", "", asked.rpartition("/")[2])
    return wanted == plain or wanted in plain.split("-")
