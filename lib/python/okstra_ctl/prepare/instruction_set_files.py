"""What the lead and the workers of one run read (P-132 to P-134, Z-076).

The folder belongs to this run alone and is never written again: recorded hashes keep pointing at
the bytes that were read. A file that this run has no content for is not there.
"""

from __future__ import annotations

from okstra_ctl.prepare import packet, prior_run_errors
from okstra_ctl.prepare.facts import Run
from okstra_ctl.reportdata import excerpt
from okstra_kernel import assets
from okstra_kernel.fence import new_token

REPORT_SCHEMA = "final-report-schema.json"  # what the report writer works against
REPORT_TEMPLATE = ("prompts", "reports", "final-report-template.md")


def files(run: Run, prompt: str) -> dict[str, bytes]:
    """Return the files by their paths, relative to the project; `prompt` is the lead's."""
    source, token = _source(run), new_token()
    texts = {
        "analysis-profile.md": run.accepted.profile_text,
        "analysis-packet.md": packet.analysis_packet(source, token),
        "analysis-material.md": packet.analysis_material(source, token),
        "reference-expectations.md": packet.reference_expectations(source, token),
        "final-report-template.md": assets.text(*REPORT_TEMPLATE),
        "directive.txt": run.inputs.directive,
        "clarification-response.md": run.accepted.clarification,
        prior_run_errors.FILENAME: prior_run_errors.text(run.accepted.prior_errors, token),
    }
    base = run.ref.instruction_set
    found = {f"{base}/{name}": text.encode() for name, text in texts.items() if text}
    schema = excerpt.text(run.ref.task_type)
    if schema:
        found[f"{base}/{REPORT_SCHEMA}"] = schema
    brief = {f"{base}/task-brief.md": run.accepted.brief.data}
    return {**brief, **found, run.ref.lead_prompt: prompt.encode()}


def _source(run: Run) -> packet.Source:
    found = run.accepted
    return packet.Source(
        task_key=run.ref.key.text,
        task_type=run.ref.task_type,
        work_category=found.work_category,
        workers=[(one.worker_id, one.role, one.model) for one in found.plan.workers],
        brief=found.brief.text,
        directive=run.inputs.directive,
        analysis_target=run.inputs.analysis_target,
        evidence=found.evidence,
        related=found.related,
        checkout=run.checkout,
    )
