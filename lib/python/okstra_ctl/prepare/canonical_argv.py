"""The words that would prepare this run again (P-201 to P-207, L-099 to L-101).

Made from what was resolved, not copied from the user's line. What was one act of the user's (a
waiver, an approval, today's terminal, trust) is not repeated by a record.
"""

from __future__ import annotations

from okstra_ctl.prepare.inputs import PrepareInputs

# In this order; each with the field that holds its value.
_VALUES = (
    ("--project-root", "project_root"),
    ("--project-id", "project_id"),
    ("--task-group", "task_group"),
    ("--task-id", "task_id"),
    ("--task-type", "task_type"),
    ("--task-brief", "brief_path"),
    ("--lead-runtime", "lead_runtime"),
    ("--lead-provider", "lead_provider"),
    ("--lead-model", "lead_model"),
    ("--claude-model", "claude_model"),
    ("--codex-model", "codex_model"),
    ("--antigravity-model", "antigravity_model"),
    ("--report-writer-model", "report_writer_model"),
    ("--executor", "executor"),
    ("--critic", "critic"),
    ("--directive", "directive"),
    ("--related-tasks", "related_tasks"),
    ("--base-ref", "base_ref"),
    ("--work-category", "work_category"),
    ("--clarification-response", "clarification_response_path"),
    ("--analysis-target", "analysis_target"),
    ("--evidence-inputs", "evidence_inputs"),
    ("--selected-direction", "selected_direction_path"),
    ("--approved-plan", "approved_plan_path"),
    ("--implementation-option", "implementation_option"),
    ("--stage", "stage"),
    ("--stages", "stages"),
    ("--reverify-scope", "reverify_scope"),
    ("--pr-template-path", "pr_template_path"),
    ("--fix-cycle", "fix_cycle"),
)
# A session that is open already attests its own model: none is invented for it (P-206).
_LEFT_TO_THE_HOST = ("--lead-model", "--claude-model", "--codex-model", "--antigravity-model")


def canonical_argv(
    inputs: PrepareInputs, roster_providers: list[str], *, current_session: bool
) -> list[str]:
    """Return the words; `roster_providers` are the roster's, folded, in order (L-142)."""
    words = []
    by_role = bool(inputs.role_counts or inputs.role_models)
    for option, field in _VALUES:
        value = getattr(inputs, field)
        if value and not (current_session and option in _LEFT_TO_THE_HOST):
            words.append(f"{option}={value}")
    if inputs.workers_override:
        words.append(f"--workers={inputs.workers_override}")
    elif roster_providers and not by_role and not current_session:
        words.append(f"--workers={','.join(roster_providers)}")
    words += [f"--role-count={text}" for text in inputs.role_counts]
    words += [f"--role-model={text}" for text in inputs.role_models]
    flags = (
        ("--no-direction", inputs.no_direction),
        ("--render-only", inputs.render_only),
        ("--no-plan-verification", not inputs.plan_verification_enabled),
    )
    return [*words, *(option for option, given in flags if given), "--yes"]
