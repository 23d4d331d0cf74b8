"""What is to be started: one job a worker (D-031 to D-036). Pure.

A job is self-contained: with its prompt and its expected outputs it is all that a wrapper needs
(Z-019). Paths are relative to the project's root.
"""

from __future__ import annotations

import posixpath
import re
from typing import Any, NamedTuple

from okstra_kernel import UserError, strict_json

INITIAL = "initial"
REPORT_WRITER = "report-writer"
_KIND = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")  # a part of file names


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


def parse(record: strict_json.Record, kind: str, root: str) -> list[Job]:
    """Return the jobs of a jobs file. Raises UserError that names worker and field (D-035).

    `kind` is what the caller says of the dispatch; empty: what the file says. `root` is the
    project's, which paths are relative to.
    """
    own = record.text("dispatchKind")
    if kind and kind != own:
        raise UserError(f"--dispatch-kind={kind} is not the kind of the jobs file: {own}")
    if not _KIND.fullmatch(own):
        raise UserError(f"{record.where}.dispatchKind: not a kind: {own!r}")
    jobs = [_job(row, own, root) for row in record.records("jobs")]
    if not jobs:
        raise UserError(f"{record.where}.jobs: no jobs")
    seen: set[str] = set()
    for job in jobs:
        if job.worker_id in seen:
            raise UserError(f"{record.where}.jobs: two jobs of one worker: {job.worker_id}")
        seen.add(job.worker_id)
    return jobs


def _job(row: strict_json.Record, kind: str, root: str) -> Job:
    worker = row.text("workerId")
    if row.text("dispatchKind", kind) != kind:
        raise UserError(f"{row.where}: {worker}: dispatchKind is not the file's: {kind}")
    names = ("promptPath", "resultPath", "workerResultPath")
    paths = [_inside(row.text(name), name, row, worker, root) for name in names]
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
        completion_paths=tuple(
            _inside(path, "completionPaths", row, worker, root) for path in completion
        ),
        dispatch_kind=kind,
        work_dir=_work_dir(row.text("workDir", ""), root),
    )


def _inside(path: str, name: str, row: strict_json.Record, worker: str, root: str) -> str:
    """Return a path relative to the project, which it must not leave (D-036)."""
    whole = posixpath.normpath(posixpath.join(root, path))
    if not path or "\0" in path or not whole.startswith(f"{root}/"):
        raise UserError(f"{row.where}.{name}: {worker}: not a path inside the project: {path!r}")
    return posixpath.relpath(whole, root)


def _work_dir(path: str, root: str) -> str:
    return posixpath.normpath(posixpath.join(root, path)) if path else ""


def file_of(kind: str, found: list[Job]) -> dict[str, Any]:
    """Return the members of a jobs file (D-035)."""
    rows = [
        {
            "workerId": job.worker_id,
            "provider": job.provider,
            "role": job.role,
            "modelExecutionValue": job.model,
            "promptPath": job.prompt_path,
            "resultPath": job.result_path,
            "workerResultPath": job.worker_result_path,
            "completionPaths": list(job.completion_paths),
            "dispatchKind": job.dispatch_kind,
            "workDir": job.work_dir,
        }
        for job in found
    ]
    return {"schemaVersion": 1, "dispatchKind": kind, "jobs": rows}


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
