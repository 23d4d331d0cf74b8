"""Writes the prompts of a run's first round (H-015), from the texts in `prompts/workers/`."""

from __future__ import annotations

import hashlib
import os
from types import MappingProxyType
from typing import Mapping

from okstra_ctl.dispatch import dispatch_plan, worker_prompt
from okstra_ctl.dispatch.jobs import Job
from okstra_ctl.dispatch.prompt_contract import LIMIT
from okstra_ctl.dispatch.run_files import RunFiles
from okstra_ctl.dispatch.worker_prompt import Input
from okstra_ctl.prepare import prior_run_errors
from okstra_ctl.roster import profiles_files
from okstra_ctl.runs import team_state_files
from okstra_kernel import Refusal, UserError, assets, plain_file, store

FOLDER = ("prompts", "workers")
_NOTHING: Mapping[str, str] = MappingProxyType({})
ROLES = ("analyser", "critic")  # those that a text was written for
READ_WHOLE = (
    *("analysis-profile.md", "analysis-packet.md"),
    *(prior_run_errors.FILENAME, "clarification-response.md"),
)
READ_LATER = (worker_prompt.BRIEF, "analysis-material.md", "reference-expectations.md")


def write_initial(
    run: RunFiles, workers: list[str], more: Mapping[str, str] = _NOTHING
) -> list[str]:
    """Write the first prompt of each of these workers; without any, of all that okstra starts.

    Return their paths, relative to the project. The same run gives the same bytes. Raises UserError
    for a worker that has none, Refusal for one that was started on another text.
    """
    jobs, _ = dispatch_plan.first_round(run, workers)
    texts = {job.prompt_path: of_job(run, job, more=more).encode() for job in jobs}
    state = team_state_files.read(run.path(run.team_state))
    started = {record["workerId"] for record in state["workerDispatches"]}
    for job in jobs:
        path = run.path(job.prompt_path)
        if job.worker_id in started and os.path.lexists(path):
            if plain_file.read(path, job.prompt_path, limit=LIMIT) != texts[job.prompt_path]:
                raise Refusal(f"{job.worker_id} was started on another prompt: {job.prompt_path}")
            del texts[job.prompt_path]
    store.write_all(run.root, texts)
    return [job.prompt_path for job in jobs]


def of_job(
    run: RunFiles,
    job: Job,
    results: list[str] | None = None,
    more: Mapping[str, str] = _NOTHING,
) -> str:
    """Return the prompt of a job; `results` are the published ones that a critic reads.

    `more` are headers that this run adds.

    Raises UserError for a role without a text, and for an input that cannot be read.
    """
    if job.role not in ROLES:
        raise UserError(f"not available yet: a prompt for a {job.role}: {job.worker_id}")
    values = worker_prompt.tokens(
        run,
        job,
        instructions(run, READ_WHOLE),
        instructions(run, READ_LATER),
        [read(run, path) for path in results or ()],
        more,
    )
    return worker_prompt.text(source(job.role), values)


def source(role: str) -> str:
    """Return the template of a role, its includes in their places. Raises UserError."""
    name = f"{role}.md"
    folder = os.path.dirname(assets.path(*FOLDER, name))
    return profiles_files.expand_includes(assets.text(*FOLDER, name), folder)


def instructions(run: RunFiles, names: tuple[str, ...]) -> list[Input]:
    """Return those files of the run's instruction set that are there."""
    folder = run.manifest["instructionSetPath"].rstrip("/")
    paths = [f"{folder}/{name}" for name in names]
    return [read(run, path) for path in paths if os.path.lexists(run.path(path))]


def read(run: RunFiles, path: str) -> Input:
    """Return a file as a prompt names it. Raises UserError."""
    data = plain_file.read(run.path(path), path, limit=LIMIT)
    return Input(path, hashlib.sha256(data).hexdigest())
