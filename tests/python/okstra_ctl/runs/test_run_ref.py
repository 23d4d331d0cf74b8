from __future__ import annotations

import pytest

from okstra_ctl.runs.run_ref import RunRef
from okstra_project.task_key import TaskKey

KEY = TaskKey("shop", "Checkout Flow", "DEV/412")
BASE = ".okstra/tasks/checkout-flow/dev-412/runs"


def test_every_name_of_a_run_carries_its_number() -> None:
    """P-021 to P-024, Z-116."""
    ref = RunRef(KEY, "error-analysis", None, "003")
    run = f"{BASE}/error-analysis"
    names = {
        name: getattr(ref, name)
        for name in dir(ref)
        if isinstance(vars(RunRef).get(name), property)
    }
    assert names == {
        "run_id": "shop:Checkout Flow:DEV/412/error-analysis/003",
        "segment": "error-analysis",
        "run_dir": run,
        "instruction_set": f"{run}/instruction-set/003",
        "run_context": f"{run}/state/run-context-error-analysis-003.json",
        "active_run_context": f"{run}/state/active-run-context-error-analysis-003.json",
        "team_state": f"{run}/state/team-state-error-analysis-003.json",
        "manifest": f"{run}/manifests/run-manifest-error-analysis-003.json",
        "final_report": f"{run}/reports/final-report-error-analysis-003.md",
        "status": f"{run}/status/final-error-analysis-003.status",
        "error_log": f"{run}/logs/errors-error-analysis-003.jsonl",
        "lead_events": f"{run}/logs/lead-events-error-analysis-003.jsonl",
        "resume_command": f"{run}/sessions/resume-command-error-analysis-003.sh",
        "lead_prompt": f"{run}/instruction-set/003/lead-execution-prompt.md",
    }


@pytest.mark.parametrize(
    ("stage", "folder", "run_id"),
    [
        (None, "implementation", "shop:Checkout Flow:DEV/412/implementation/001"),
        (2, "implementation/stage-2", "shop:Checkout Flow:DEV/412/implementation/stage-2/001"),
    ],
)
def test_a_stage_has_a_folder_of_its_own(stage: int | None, folder: str, run_id: str) -> None:
    """P-022."""
    ref = RunRef(KEY, "implementation", stage, "001")
    assert (ref.run_dir, ref.run_id) == (f"{BASE}/{folder}", run_id)
