"""What a front end needs to start the lead: labels and metadata (L-034 to L-040). Pure."""

from __future__ import annotations

import json

from okstra_ctl.prepare.facts import Run

MARKER = "__OKSTRA_LAUNCH__ "


def summary(run: Run, *, executable: str) -> list[str]:
    """Return the label lines, in their order; without an executable the run is rendered only."""
    ref, root = run.ref, run.inputs.project_root
    lines = [
        f"okstra current run dir: {root}/{ref.run_dir}",
        f"final report path: {root}/{ref.final_report}",
    ]
    if not executable:
        return [*lines, f"run manifest path: {root}/{ref.manifest}"]
    return [
        *lines,
        f"lead model: {run.accepted.lead_label}",
        f"claude session id: {run.accepted.session_id}",
        f"resume command file: {root}/{ref.resume_command}",
        f"launch mode: interactive {executable} handoff",
        f"lead working directory: {root}",
        "",
    ]


def launch_line(run: Run, *, executable: str, waiver_note: str, argv: list[str]) -> str:
    """Return the line for machines: the marker, then one JSON object with exactly these members."""
    found = run.accepted
    data = {
        "leadRuntime": found.runtime.runtime,
        "leadProvider": found.plan.lead.provider,
        "leadExecutable": executable,
        "leadSessionId": found.session_id,
        "leadModelExecutionValue": found.plan.lead.execution_value,
        "projectRoot": run.inputs.project_root,
        "promptFile": f"{run.inputs.project_root}/{run.ref.lead_prompt}",
        "sandboxWaiverNote": waiver_note,
        "launchArgv": argv,
    }
    return f"{MARKER}{json.dumps(data, ensure_ascii=False)}"
