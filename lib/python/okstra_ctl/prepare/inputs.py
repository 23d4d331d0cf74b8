"""What prepare is asked for: every option, as it was given (P-067)."""

from __future__ import annotations

from typing import Any, NamedTuple


class PrepareInputs(NamedTuple):
    """Texts as the user wrote them; empty means not given (P-070)."""

    workspace_root: str
    project_root: str  # real path
    cwd: str
    project_id: str
    task_group: str
    task_id: str
    task_type: str
    brief_path: str = ""
    directive: str = ""
    workers_override: str = ""
    role_counts: tuple[str, ...] = ()
    role_models: tuple[str, ...] = ()
    lead_model: str = ""
    claude_model: str = ""
    codex_model: str = ""
    antigravity_model: str = ""
    report_writer_model: str = ""
    lead_provider: str = ""
    executor: str = ""
    critic: str = ""
    lead_runtime: str = ""
    lead_runtime_request: str = ""
    runtime_resolution_json: str = ""
    terminal_backend: str = ""
    related_tasks: str = ""
    base_ref: str = ""
    work_category: str = ""
    stage: str = ""
    stages: str = ""
    approved_plan_path: str = ""
    approve_plan_ack: bool = False
    implementation_option: str = ""
    selected_direction_path: str = ""
    no_direction: bool = False
    clarification_response_path: str = ""
    reverify_scope: str = ""
    analysis_target: str = ""
    evidence_inputs: str = ""
    pr_template_path: str = ""
    qa_waiver: str = ""
    fix_cycle: str = ""
    plan_verification_enabled: bool = True
    render_only: bool = False
    trust: bool = False
    yes: bool = False


# Option of a command line -> field. What a command does not offer is not in its arguments.
OPTIONS = {
    "--project-id": "project_id",
    "--task-group": "task_group",
    "--task-id": "task_id",
    "--task-type": "task_type",
    "--task-brief": "brief_path",
    "--directive": "directive",
    "--workers": "workers_override",
    "--role-count": "role_counts",
    "--role-model": "role_models",
    "--lead-model": "lead_model",
    "--claude-model": "claude_model",
    "--codex-model": "codex_model",
    "--antigravity-model": "antigravity_model",
    "--report-writer-model": "report_writer_model",
    "--lead-provider": "lead_provider",
    "--executor": "executor",
    "--critic": "critic",
    "--lead-runtime": "lead_runtime",
    "--lead-runtime-request": "lead_runtime_request",
    "--runtime-resolution-json": "runtime_resolution_json",
    "--terminal-backend": "terminal_backend",
    "--related-tasks": "related_tasks",
    "--base-ref": "base_ref",
    "--work-category": "work_category",
    "--stage": "stage",
    "--stages": "stages",
    "--approved-plan": "approved_plan_path",
    "--approve": "approve_plan_ack",
    "--implementation-option": "implementation_option",
    "--selected-direction": "selected_direction_path",
    "--no-direction": "no_direction",
    "--clarification-response": "clarification_response_path",
    "--reverify-scope": "reverify_scope",
    "--analysis-target": "analysis_target",
    "--evidence-inputs": "evidence_inputs",
    "--pr-template-path": "pr_template_path",
    "--qa-waiver": "qa_waiver",
    "--fix-cycle": "fix_cycle",
    "--render-only": "render_only",
    "--trust": "trust",
    "--yes": "yes",
}


# Those that stand alone. Every other option of the launcher takes a value.
FLAGS = ("--approve", "--no-direction", "--render-only", "--trust", "--yes")
VALUED = frozenset(OPTIONS).difference(FLAGS) | {"--project-root", "--task-key", "--workspace-root"}


def from_arguments(arguments: dict[str, Any]) -> dict[str, Any]:
    """Return the fields that a command line gives, for `PrepareInputs(**…)`."""
    fields: dict[str, Any] = {}
    for option, field in OPTIONS.items():
        value = arguments.get(option)
        if isinstance(value, list):
            value = tuple(value)
        if value:
            fields[field] = value
    if arguments.get("--no-plan-verification"):
        fields["plan_verification_enabled"] = False
    return fields
