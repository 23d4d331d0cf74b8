"""Which jobs a dispatch starts, checked whole before the first one starts (D-071, D-041, D-042)."""

from __future__ import annotations

import os
from typing import NamedTuple

from okstra_ctl.dispatch import jobs, prompt_contract
from okstra_ctl.dispatch.jobs import Job, Names
from okstra_ctl.dispatch.run_files import RunFiles
from okstra_ctl.providers import registry
from okstra_ctl.roster import roles
from okstra_ctl.roster.runners import CLI_WRAPPER
from okstra_ctl.runs import team_state, team_state_files
from okstra_kernel import Refusal, UserError, assets, strict_json


class Plan(NamedTuple):
    jobs: list[Job]
    skipped: dict[str, str]  # worker id -> why it is not started


def make(run: RunFiles, *, workers: str, jobs_file: str, kind: str, resume: bool = False) -> Plan:
    """Return what is to be started. Raises UserError for anything that cannot be.

    `resume`: what was dispatched before is skipped, not refused.
    """
    state = team_state_files.read(run.path(run.team_state))
    wanted = [word.strip() for word in workers.split(",") if word.strip()]
    if jobs_file:
        record = strict_json.read(os.path.join(run.root, jobs_file))
        skipped: dict[str, str] = {}
        found = _chosen(jobs.parse(record, kind, run.root), wanted)
    else:
        if kind not in ("", jobs.INITIAL):
            raise UserError(f"--dispatch-kind={kind} needs a --jobs-file")
        found, skipped = first_round(run, wanted)
    for job in found:
        if _is_dispatched(state, job):
            if not resume:
                raise Refusal(
                    f"{job.worker_id} was dispatched as {job.dispatch_kind} already",
                    next_step="okstra team await, or a jobs file with a new dispatchKind",
                )
            skipped[job.worker_id] = f"dispatched as {job.dispatch_kind} already"
    found = [job for job in found if not _is_dispatched(state, job)]
    for job in found:
        _check(run, state, job)
    return Plan(found, skipped)


def _chosen(found: list[Job], wanted: list[str]) -> list[Job]:
    known = {job.worker_id for job in found}
    _refuse_unknown(wanted, known, "the jobs file")
    return [job for job in found if not wanted or job.worker_id in wanted]


def first_round(run: RunFiles, wanted: list[str]) -> tuple[list[Job], dict[str, str]]:
    """Return the roster's first jobs, of these workers or of all, and why others have none (D-041).

    Raises UserError for a worker that cannot be dispatched.
    """
    assignments = {row["workerId"]: row for row in run.manifest["workerAssignments"]}
    _refuse_unknown(wanted, set(assignments), "this run's roster")
    found, skipped = [], {}
    for worker, row in assignments.items():
        if wanted and worker not in wanted:
            continue
        why = _unsupported(row)
        if why and wanted:
            raise UserError(f"this worker cannot be dispatched: {worker}: {why}")
        if why:
            skipped[worker] = why
        else:
            found.append(jobs.initial(run.manifest, worker, _names(run, worker)))
    return found, skipped


def _unsupported(row: dict[str, str]) -> str:
    if row["role"] == jobs.REPORT_WRITER:
        return "the report writer has a dispatch of its own, from a jobs file"
    if row["runner"] != CLI_WRAPPER:
        return "the host's own session does it (native-session)"
    return ""


def _names(run: RunFiles, worker: str) -> Names:
    return Names(
        prompt=run.file("prompts", worker, ".md"),
        result=run.file("worker-results", worker, ".md"),
        audit=run.file("worker-results", f"{worker}-audit", ".md"),
    )


def _refuse_unknown(wanted: list[str], known: set[str], where: str) -> None:
    unknown = [worker for worker in wanted if worker not in known]
    if unknown:
        listed = ", ".join(sorted(known))
        raise UserError(f"not in {where}: {', '.join(unknown)}; it has the slot ids: {listed}")


def _check_places(run: RunFiles, job: Job) -> None:
    """Raise UserError where a job would publish outside its run, or has no folder to run in."""
    for path in (job.result_path, job.worker_result_path):
        if not path.startswith(f"{run.run_dir}/"):
            raise UserError(f"{job.worker_id}: not a path of this run: {path}")
    if job.work_dir and not os.path.isdir(job.work_dir):
        raise UserError(f"{job.worker_id}: no such folder: workDir {job.work_dir}")


def _check(run: RunFiles, state: team_state.Members, job: Job) -> None:
    spec = registry.provider_spec(job.provider)
    if spec.worker_words is None:
        raise UserError(f"not available yet: a worker of {spec.name}: {job.worker_id}")
    if job.role in roles.PLAN_ROLES:
        registry.refuse_role(job.provider, roles.role(job.role).registry)
    assets.path("bin", spec.worker_wrapper)
    if all(row["workerId"] != job.worker_id for row in state["workers"]):
        raise UserError(f"no such worker in this run: {job.worker_id}")
    assigned = [
        (one["provider"], one["modelExecutionValue"])
        for one in run.manifest["invocationAssignments"].values()
        if one["workerId"] == job.worker_id
    ]
    if (job.provider, job.model) not in assigned:
        raise UserError(
            "no canonical role execution has this identity: "
            f"{job.worker_id}, {job.provider}, {job.model!r}"
        )
    _check_places(run, job)
    prompt_contract.check(run, job)


def _is_dispatched(state: team_state.Members, job: Job) -> bool:
    return any(
        (record["workerId"], record["dispatchKind"]) == (job.worker_id, job.dispatch_kind)
        for record in state["workerDispatches"]
    )
