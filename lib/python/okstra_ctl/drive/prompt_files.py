"""Writes the prompts of critics, reviewers and report writers (H-021), from `prompts/workers/`."""

from __future__ import annotations

from typing import Mapping, Sequence

from okstra_ctl.convergence.ballot import Group
from okstra_ctl.dispatch import worker_prompt, worker_prompt_files
from okstra_ctl.dispatch.jobs import Job
from okstra_ctl.dispatch.run_files import RunFiles
from okstra_ctl.drive import names, prompts
from okstra_kernel import fence, store

VERIFIER = "verifier"


def verifier(
    run: RunFiles, job: Job, mode: str, claims: Sequence[Group], headers: Mapping[str, str]
) -> None:
    """Write the prompt of a reviewer with the claims that it was given. Raises UserError."""
    values = worker_prompt.tokens(
        run,
        job,
        [],
        worker_prompt_files.instructions(
            run, (*worker_prompt_files.READ_WHOLE, *worker_prompt_files.READ_LATER)
        ),
        more={prompts.MODE: mode, **headers},
    )
    values |= prompts.verifier_tokens(mode, claims, fence.new_token())
    _write(run, job, worker_prompt.text(worker_prompt_files.source(VERIFIER), values))


def critic(run: RunFiles, job: Job, results: list[str]) -> None:
    """Write the prompt of the critic, who reads these results. Raises UserError."""
    _write(run, job, worker_prompt_files.of_job(run, job, results))


def writer(run: RunFiles, job: Job, language: str) -> None:
    """Write the prompt of the report writer. Raises UserError."""
    folder = run.manifest["instructionSetPath"].rstrip("/")
    inputs = (names.draft(run), names.final(run), f"{folder}/final-report-schema.json")
    paths = ("Report Draft", "Convergence State", "Report Schema")
    more = {name: run.path(path) for name, path in zip(paths, inputs, strict=True)}
    more["Run Manifest"] = run.path(run.manifest_path)
    values = worker_prompt.tokens(
        run,
        job,
        [worker_prompt_files.read(run, path) for path in inputs],
        worker_prompt_files.instructions(
            run, (*worker_prompt_files.READ_WHOLE, *worker_prompt_files.READ_LATER)
        ),
        more=prompts.writer_headers(more, language),
    )
    _write(run, job, worker_prompt.text(worker_prompt_files.source(names.WRITER), values))


def _write(run: RunFiles, job: Job, text: str) -> None:
    store.write(run.root, job.prompt_path, text.encode())
