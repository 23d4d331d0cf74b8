"""What is to be started: one job a worker (D-031 to D-036). Pure.

A job is self-contained: with its prompt and its expected outputs it is all that a wrapper needs
(Z-019). Paths are relative to the project's root.
"""

from __future__ import annotations

import posixpath
from typing import Any, NamedTuple

from okstra_kernel import UserError, strict_json

INITIAL = "initial"
REPORT_WRITER = "report-writer"


class Job(NamedTuple):
    worker_id: str
    provider: str
    role: str
    model: str  # execution value; empty: the CLI's default
    prompt_path: str
    result_path: str  # the published name
    worker_result_path: str  # the published name of the audit sidecar
    completion_paths: tuple[str, ...]
    dispatch_kind: str
    work_dir: str = ""  # empty: the default (D-056)

    @property
    def title(self) -> str:
        """The title of a pane (D-057)."""
        second = self.role if self.role.startswith("worker-") else "worker"
        return f"{self.worker_id}-{second}"


def parse(record: strict_json.Record, kind: str) -> list[Job]:
    """Return the jobs of a jobs file. Raises UserError that names worker and field (D-239, D-240).

    `kind` is what the caller says of the dispatch; empty: what the file says.
    """
    own = record.text("dispatchKind")
    if kind and kind != own:
        raise UserError(f"--dispatch-kind={kind} is not the kind of the jobs file: {own}")
    if not own.strip() or "/" in own:
        raise UserError(f"{record.where}.dispatchKind: not a kind: {own!r}")
    jobs = [_job(row, own) for row in record.records("jobs")]
    if not jobs:
        raise UserError(f"{record.where}.jobs: no jobs")
    seen: set[str] = set()
    for job in jobs:
        if job.worker_id in seen:
            raise UserError(f"{record.where}.jobs: two jobs of one worker: {job.worker_id}")
        seen.add(job.worker_id)
    return jobs


def _job(row: strict_json.Record, kind: str) -> Job:
    worker = row.text("workerId")
    if row.text("dispatchKind", kind) != kind:
        raise UserError(f"{row.where}: {worker}: dispatchKind is not the file's: {kind}")
    paths = [_path(row, name, worker) for name in ("promptPath", "resultPath", "workerResultPath")]
    completion = row.texts("completionPaths")
    if not completion:
        raise UserError(f"{row.where}: {worker}: completionPaths is empty")
    return Job(
        worker_id=worker,
        provider=row.text("provider"),
        role=row.text("role"),
        model=row.text("modelExecutionValue"),
        prompt_path=paths[0],
        result_path=paths[1],
        worker_result_path=paths[2],
        completion_paths=tuple(_inside(path, row, worker) for path in completion),
        dispatch_kind=kind,
        work_dir=row.text("workDir", ""),
    )


def _path(row: strict_json.Record, name: str, worker: str) -> str:
    return _inside(row.text(name), row, worker)


def _inside(path: str, row: strict_json.Record, worker: str) -> str:
    """Return a relative path as it is. An absolute one is made relative by the caller first."""
    plain = posixpath.normpath(path) if path else ""
    if not plain or plain.startswith(("/", "../")) or plain in (".", ".."):
        raise UserError(f"{row.where}: {worker}: not a path inside the project: {path!r}")
    return plain


def initial(manifest: dict[str, Any], worker_id: str, names: Names) -> Job:
    """Return the first job of a worker of the roster. Raises UserError (D-040)."""
    assignment = manifest["invocationAssignments"].get(f"{INITIAL}/{worker_id}")
    if assignment is None:
        raise UserError(f"no canonical role execution has the identity {INITIAL}/{worker_id}")
    return Job(
        worker_id=worker_id,
        provider=assignment["provider"],
        role=assignment["role"],
        model=assignment["modelExecutionValue"],
        prompt_path=names.prompt,
        result_path=names.result,
        worker_result_path=names.audit,
        completion_paths=(names.result, names.audit),
        dispatch_kind=INITIAL,
    )


class Names(NamedTuple):
    """The paths of one worker's turn, relative to the project."""

    prompt: str
    result: str
    audit: str
