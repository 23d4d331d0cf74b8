"""What a worker's prompt must say for the engine to find its answer (D-039).

Headers are lines `**Name:** value`; the first of a name counts. What they name is checked against
the job, so that a worker cannot be sent to write over another's answer.
"""

from __future__ import annotations

import os
import re

from okstra_ctl.dispatch.jobs import Job
from okstra_ctl.dispatch.run_files import RunFiles
from okstra_kernel import UserError, plain_file

PROJECT_ROOT, RESULT, AUDIT, ERRORS = "Project Root", "Result Path", "Audit Path", "Errors log path"
WORKER, KIND = "Worker", "Dispatch Kind"
LIMIT = 16 << 20  # bytes of a prompt


def headers(text: str) -> dict[str, str]:
    """Return the headers of a prompt, each with its first value."""
    found: dict[str, str] = {}
    for name, value in re.findall(r"^\*\*([A-Za-z ]+):\*\*[ \t]*(.*?)[ \t]*$", text, re.MULTILINE):
        found.setdefault(name, value)
    return found


def outbox(run: RunFiles, job: Job) -> str:
    """Return the folder that a worker leaves its answer in, relative to the project (Z-013)."""
    return f"{run.run_dir}/outbox/{job.worker_id}-{job.dispatch_kind}-{run.seq}"


def expected(run: RunFiles, job: Job) -> dict[str, str]:
    """Return the headers that a job's prompt must have."""
    box = run.path(outbox(run, job))
    result = "result.data.json" if job.result_path.endswith(".json") else "result.md"
    return {
        WORKER: job.worker_id,
        PROJECT_ROOT: run.root,
        RESULT: os.path.join(box, result),
        AUDIT: os.path.join(box, "audit.md"),
        ERRORS: os.path.join(box, "errors.json"),
    }


def check(run: RunFiles, job: Job) -> None:
    """Raise UserError for a prompt that is missing, or that names other places than the job."""
    path = run.path(job.prompt_path)
    if not os.path.isfile(path):
        raise UserError(f"{job.worker_id} has no prompt: {job.prompt_path}")
    text = plain_file.read(path, job.prompt_path, limit=LIMIT).decode("utf-8", "replace")
    found = headers(text)
    for name, value in expected(run, job).items():
        if found.get(name) != value:
            said = found.get(name, "nothing")
            raise UserError(f"{job.prompt_path}: **{name}:** should be {value}, and is {said}")
