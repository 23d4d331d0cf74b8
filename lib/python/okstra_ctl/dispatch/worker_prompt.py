"""The text of a worker's prompt: a template of `prompts/workers/`, filled (H-015). Pure.

Headers come from the job, so that a prompt always passes `prompt_contract.check`. Whatever else a
worker has to read is named as a path with its digest, and not quoted: no text from outside gets
into a prompt (Z-050).
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Mapping, NamedTuple, Sequence

from okstra_ctl.dispatch import prompt_contract
from okstra_ctl.dispatch.jobs import Job
from okstra_ctl.dispatch.run_files import RunFiles
from okstra_ctl.evidence import audit
from okstra_ctl.prepare import template

BRIEF = "task-brief.md"  # in the run's instruction set
DEFAULT_MODEL = "default"  # stands for the CLI's own choice


class Input(NamedTuple):
    """A file that a worker reads. It confirms it with this row in its audit sidecar (H-013)."""

    path: str  # relative to the project
    sha256: str  # in hexadecimal; the first twelve digits are shown

    @property
    def row(self) -> str:
        return f"- `{self.path}` sha256:{self.sha256[:12]}"


def headers(run: RunFiles, job: Job) -> dict[str, str]:
    """Return the headers of a job's prompt, in order; a result's front matter repeats seven."""
    places = prompt_contract.expected(run, job)
    worker = {prompt_contract.WORKER: places.pop(prompt_contract.WORKER)}
    return {
        **worker,
        "Provider": job.provider,
        "Model": job.model or DEFAULT_MODEL,
        "Task Key": run.key.text,
        "Task Type": run.task_type,
        "Seq": run.seq,
        prompt_contract.KIND: job.dispatch_kind,
        "Role": _role(job.role),
        "Brief": run.path(f"{run.manifest['instructionSetPath'].rstrip('/')}/{BRIEF}"),
        **places,
    }


def _role(role: str) -> str:
    """Return what a job is for; a re-verification's role names its round (D-035)."""
    return "verifier" if role.startswith("worker-reverify-") else role


def tokens(
    run: RunFiles,
    job: Job,
    inputs: Sequence[Input],
    further: Sequence[Input] = (),
    results: Sequence[Input] = (),
    more: Mapping[str, str] = MappingProxyType({}),
) -> dict[str, str]:
    """Return the values for the templates.

    `inputs` are read whole, `further` where those leave a question, `results` by a critic; `more`
    are headers that this role alone has.
    """
    lines = [f"**{name}:** {value}" for name, value in {**headers(run, job), **more}.items()]
    return {
        "HEADERS": "\n".join([*lines, audit.LEDGER]),
        "INPUTS": _rows(inputs),
        "FURTHER_INPUTS": _rows(further),
        "RESULTS": _rows(results),
    }


def text(source: str, values: dict[str, str]) -> str:
    """Return the prompt. Raises UserError for a token of the template that has no value."""
    return template.fill(source, values, "prompts/workers")


def _rows(inputs: Sequence[Input]) -> str:
    return "\n".join(one.row for one in inputs) or "None."
