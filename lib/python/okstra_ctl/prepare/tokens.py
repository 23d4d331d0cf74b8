"""The values of the launch template's tokens (P-163 to P-167, L-085, L-163). Pure."""

from __future__ import annotations

import json
import posixpath

from okstra_ctl.prepare import prior_run_errors
from okstra_ctl.prepare.facts import Run
from okstra_ctl.runs.run_ref import CATEGORIES
from okstra_project.dirs import TASK_MANIFEST_FILENAME, task_relative


def tokens(run: Run, asset_root: str) -> dict[str, str]:
    """Return every token with its text; one without content is empty, never missing (P-165)."""
    return {
        **_task(run),
        **_run(run),
        **_files(run),
        **_lead(run, asset_root),
        **_roster(run),
        "REVERIFY_SCOPE_MODE": "auto",
        "REVERIFY_SCOPE_STAGES": "(none)",
        "CONCURRENT_RUN_SECTION": "",
    }


def _task(run: Run) -> dict[str, str]:
    key = run.ref.key
    manifest = f"{task_relative(key.group, key.id)}/{TASK_MANIFEST_FILENAME}"
    related = "\n".join(f"- `{name}`: `{place}`" for name, place in run.accepted.related)
    return {
        "PROJECT_ROOT": run.inputs.project_root,
        "PROJECT_ID": key.project,
        "TASK_KEY": key.text,
        "TASK_GROUP": key.group,
        "TASK_ID": key.id,
        "TASK_TYPE": run.ref.task_type,
        "TASK_TYPE_SEGMENT": run.ref.segment,
        "TASK_MANIFEST_PATH": _absolute(run, manifest),
        "TASK_MANIFEST_RELATIVE_PATH": manifest,
        "RELATED_TASKS": related or "None.",
        "EXPECTED_MINUTES": str(run.accepted.profile.expected_minutes),
        "REPORT_LANGUAGE": "en",
    }


def _run(run: Run) -> dict[str, str]:
    ref = run.ref
    return {
        "RUN_ID": ref.run_id,
        "RUN_SEQ": ref.seq,
        "RUN_DIR": _absolute(run, ref.run_dir),
        "RUN_DIR_RELATIVE_PATH": ref.run_dir,
        "RUN_PROMPTS_DIR": _absolute(run, f"{ref.run_dir}/{CATEGORIES['prompts']}"),
        "WORKER_RESULTS_PATH": _absolute(run, f"{ref.run_dir}/{CATEGORIES['workerResults']}"),
        "RUN_MANIFEST_PATH": _absolute(run, ref.manifest),
        "RUN_MANIFEST_RELATIVE_PATH": ref.manifest,
        "TEAM_STATE_PATH": _absolute(run, ref.team_state),
        "ACTIVE_RUN_CONTEXT_RELATIVE_PATH": ref.active_run_context,
        "FINAL_REPORT_PATH": _absolute(run, ref.final_report),
        "FINAL_REPORT_RELATIVE_PATH": ref.final_report,
    }


def _files(run: Run) -> dict[str, str]:
    base, found, inputs = run.ref.instruction_set, run.accepted, run.inputs
    staged = f"{base}/clarification-response.md" if found.clarification else ""
    errors = f"{base}/{prior_run_errors.FILENAME}" if found.prior_errors else ""
    return {
        "INSTRUCTION_SET_PATH": _absolute(run, base),
        "INSTRUCTION_SET_RELATIVE_PATH": base,
        "BRIEF_FILE_PATH": _absolute(run, f"{base}/task-brief.md"),
        "BRIEF_RELATIVE_PATH": f"{base}/task-brief.md",
        "DIRECTIVE_RELATIVE_PATH": f"{base}/directive.txt" if inputs.directive else "",
        "CLARIFICATION_RESPONSE_PATH": inputs.clarification_response_path,
        "CLARIFICATION_RESPONSE_RELATIVE_PATH": staged,
        "HOST_ORCHESTRATION_RULES_RELATIVE_PATH": "",
        "PRIOR_RUN_ERRORS_RELATIVE_PATH": errors,
        "CLAUDE_RESUME_COMMAND_PATH": _absolute(run, run.ref.resume_command),
    }


def _lead(run: Run, asset_root: str) -> dict[str, str]:
    found = run.accepted
    contract = posixpath.join(asset_root, "prompts", "lead", "okstra-lead-contract.md")
    adapter = posixpath.join(asset_root, "prompts", found.runtime.adapter_contract_path)
    return {
        "CLAUDE_SESSION_ID": found.session_id,
        "TERMINAL_BACKEND": found.backend,
        "LEAD_RUNTIME": found.runtime.runtime,
        "LEAD_RUNTIME_REQUEST": found.runtime_request or found.runtime.runtime,
        "LEAD_ROLE_LABEL": found.runtime.role_label,
        "HOST_RUNTIME": found.host_runtime or found.runtime.runtime,
        "LEAD_MODEL": found.lead_label,
        "LEAD_MODEL_EXECUTION_VALUE": found.plan.lead.execution_value,
        "LEAD_CONTRACT_PATH": contract,
        "LEAD_ADAPTER_PATH": adapter,
        "EXECUTOR_WORKTREE_PATH": run.inputs.project_root,  # no worktrees yet (Z-114)
        "EXECUTOR_WORKTREE_BRANCH": dict(run.checkout).get("branch", ""),
        "EXECUTOR_WORKTREE_BASE_REF": found.base_commit,
    }


def _roster(run: Run) -> dict[str, str]:
    plan = run.accepted.plan
    analysers = [one.worker_id for one in plan.workers if one.role in ("analyser", "verifier")]
    rows = [f"| `{one.worker_id}` | {one.role} | {one.runner} |" for one in plan.workers]
    identity = {one.worker_id: one.json() for one in plan.workers}
    return {
        "EXECUTOR_WORKER_ID": plan.executor_worker_id,
        "RECOMMENDED_ANALYSERS": ", ".join(analysers),
        "WORKER_TABLE": "\n".join(("| worker | role | runner |", "|---|---|---|", *rows)),
        "CRITIC_WORKER": plan.critic.provider if plan.critic else "none",
        "EXECUTION_IDENTITY_JSON": json.dumps(identity, ensure_ascii=False),
    }


def _absolute(run: Run, relative: str) -> str:
    return posixpath.join(run.inputs.project_root, relative)
