"""The machine's records of a run that was prepared (P-185, P-188, P-189, L-159). Pure.

Paths are relative to the project's root, but for the root itself and the caller's folder.
"""

from __future__ import annotations

from okstra_ctl.prepare.facts import Members, Run
from okstra_ctl.runs.run_ref import CATEGORIES

SCHEMA_VERSION = 1


def run_manifest(run: Run, prompt_sha256: str) -> Members:
    """Return the run manifest. The central index is made from it alone (Z-111)."""
    return {
        "schemaVersion": SCHEMA_VERSION,
        **_identity(run),
        **_origin(run),
        **_leading(run),
        **_roster(run),
        **_paths(run),
        "promptSha256": prompt_sha256,
        **_choices(run),
    }


def _identity(run: Run) -> Members:
    key = run.ref.key
    return {
        "runId": run.ref.run_id,
        "taskKey": key.text,
        "projectId": key.project,
        "taskGroup": key.group,
        "taskId": key.id,
        "taskType": run.ref.task_type,
        "stage": run.ref.stage,
        "seq": run.ref.seq,
        "runSequencesByCategory": dict.fromkeys(CATEGORIES, run.ref.seq),
    }


def _origin(run: Run) -> Members:
    found = run.accepted
    return {
        "startedAt": run.started_at,
        "createdAt": run.started_at,
        "versions": found.versions,
        "cwd": run.inputs.cwd,
        "projectRoot": run.inputs.project_root,
        "argv": run.argv,
        "briefPath": found.brief_path,
        "briefSha256": found.brief_sha256,
        "workCategory": found.work_category,
        "renderOnly": run.inputs.render_only,
    }


def _leading(run: Run) -> Members:
    found = run.accepted
    runtime = found.runtime
    return {
        "hostRuntime": found.host_runtime or runtime.runtime,
        "leadRuntime": runtime.runtime,
        "leadRuntimeRequest": found.runtime_request or runtime.runtime,
        "runtimeResolution": found.resolution,
        "terminalBackend": found.backend,
        "adapter": {
            "name": runtime.adapter_name,
            "dispatchMode": runtime.adapter_dispatch_mode,
            "contractPath": runtime.adapter_contract_path,
        },
        "entryMode": entry_mode(run),
        "leadSessionId": found.session_id,
        "teamName": f"session-{found.session_id}" if found.session_id else "session",
    }


def _roster(run: Run) -> Members:
    plan = run.accepted.plan
    return {
        "leadAssignment": plan.lead.json(),
        "workerAssignments": [worker.json() for worker in plan.workers],
        "criticAssignment": plan.critic.json() if plan.critic else None,
        "recommendedWorkers": list(plan.worker_ids),
        "requiredWorkerRoles": list(dict.fromkeys(worker.role for worker in plan.workers)),
        "executorWorkerId": plan.executor_worker_id,
        "invocationAssignments": {
            **{f"initial/{one.worker_id}": one.json() for one in plan.workers},
            **(
                {f"coverage-critic/{plan.critic.worker_id}": plan.critic.json()}
                if plan.critic
                else {}
            ),
        },
        "convergence": {"enabled": True, "adversarial": run.accepted.profile.adversarial},
    }


def _paths(run: Run) -> Members:
    ref = run.ref
    return {
        "runDir": ref.run_dir,
        "instructionSetPath": f"{ref.instruction_set}/",
        "promptFile": ref.lead_prompt,
        "teamStatePath": ref.team_state,
        "activeRunContextPath": ref.active_run_context,
        "finalReportPath": ref.final_report,
        "errorLogPath": ref.error_log,
        "leadEventsPath": ref.lead_events,
        "resumeCommandPath": ref.resume_command,
    }


def _choices(run: Run) -> Members:
    inputs = run.inputs
    return {
        "relatedTasks": [key for key, _ in run.accepted.related],
        "directive": inputs.directive,
        "clarificationResponse": inputs.clarification_response_path,
        "analysisTarget": inputs.analysis_target,
        "evidenceInputs": [path for path, _ in run.accepted.evidence],
        "reverifyScope": {"mode": "auto", "stages": []},
        "worktree": {
            "path": inputs.project_root,
            "branch": dict(run.checkout).get("branch", ""),
            "baseRef": run.accepted.base_commit,
        },
        "expectedMinutes": run.accepted.profile.expected_minutes,
    }


def entry_mode(run: Run) -> str:
    return "current-session" if run.accepted.current_session else "new-session"


def team_state(run: Run) -> Members:
    """Return the state of the team before anybody was started."""
    found = run.accepted
    fresh = {"status": "pending", "startedAt": None, "endedAt": None, "reason": ""}
    critic = [found.plan.critic] if found.plan.critic else []
    rows = [{**one.json(), **fresh} for one in (*found.plan.workers, *critic)]
    return {
        "schemaVersion": SCHEMA_VERSION,
        "runId": run.ref.run_id,
        "taskKey": run.ref.key.text,
        "taskType": run.ref.task_type,
        "seq": run.ref.seq,
        "teamName": _leading(run)["teamName"],
        "terminalBackend": found.backend,
        "workers": rows,
        "workerDispatches": [],
    }


def run_context(run: Run, prompt_sha256: str = "") -> Members:
    """Return the paths and inputs of a run; before the prompt it holds the number (P-184)."""
    given = {name: value for name, value in run.inputs._asdict().items() if value}
    return {
        "schemaVersion": SCHEMA_VERSION,
        **_identity(run),
        "complete": bool(prompt_sha256),
        "createdAt": run.started_at,
        "paths": _paths(run),
        "promptSha256": prompt_sha256,
        "inputs": {name: list(v) if isinstance(v, tuple) else v for name, v in given.items()},
    }


def active_run_context(run: Run) -> Members:
    """Return the compact form for the lead: what it needs first, paths as short as they go."""
    base = f"{run.ref.run_dir}/"
    found = run.accepted
    return {
        "schemaVersion": SCHEMA_VERSION,
        "runId": run.ref.run_id,
        "taskType": run.ref.task_type,
        "seq": run.ref.seq,
        "runDir": run.ref.run_dir,
        "paths": {name: path.removeprefix(base) for name, path in _paths(run).items()},
        "briefPath": found.brief_path,
        "briefConfirmed": found.brief.confirmed,
        "workers": list(found.plan.worker_ids),
        "critic": found.plan.critic.provider if found.plan.critic else "",
        "executorWorkerId": found.plan.executor_worker_id,
        "terminalBackend": found.backend,
        "expectedMinutes": found.profile.expected_minutes,
        "reverifyScope": {"mode": "auto", "stages": []},
    }
