"""What a new run changes in the records of its task (P-038, P-039, P-242). Pure."""

from __future__ import annotations

from okstra_ctl.prepare.facts import Members, Run
from okstra_kernel import Refusal
from okstra_project import task_manifest

SCHEMA_VERSION = 1


def same_task(before: Members, run_key: tuple[str, str, str]) -> None:
    """Raise Refusal if the folder is that of a task with other raw ids (P-006, 20 §32 row 72)."""
    known = tuple(before.get(name, "") for name in ("projectId", "taskGroup", "taskId"))
    if any(known) and known != run_key:
        raise Refusal(
            f"two tasks would share one folder: {':'.join(known)} has it, "
            f"{':'.join(run_key)} asks for it",
            next_step="choose another task group or task id",
        )


def with_run(before: Members, run: Run) -> Members:
    """Return the members of the task's manifest once this run is its latest."""
    same_task(before, run.ref.key)
    now, found = run.started_at, run.accepted
    workflow = before.get("workflow", {})
    phases = {**workflow.get("phaseStates", {}), run.ref.task_type: "prepared"}
    return {
        "workStatus": "todo",
        "workStatusUpdatedAt": now,
        "createdAt": now,
        **before,
        "schemaVersion": task_manifest.SCHEMA_VERSION,
        "taskKey": run.ref.key.text,
        "projectId": run.ref.key.project,
        "taskGroup": run.ref.key.group,
        "taskId": run.ref.key.id,
        "taskType": run.ref.task_type,
        "workCategory": found.work_category,
        "taskBriefPath": found.brief_path,
        "instructionSetPath": f"{run.ref.instruction_set}/",
        "referenceExpectationsPath": f"{run.ref.instruction_set}/reference-expectations.md",
        "latestRunPath": run.ref.manifest,
        "latestRunStatus": "prepared",
        "relatedTasks": [key for key, _ in found.related],
        "workflow": {
            **{"awaitingApproval": False, "routingStatus": "", "lastSafeCheckpoint": ""},
            **{"nextRecommendedPhase": ""},
            **workflow,
            "currentPhase": run.ref.task_type,
            "phaseStates": phases,
        },
        "updatedAt": now,
    }


def with_timeline_row(before: Members, run: Run) -> Members:
    """Return the task's timeline with this run at its end."""
    row = {
        "runId": run.ref.run_id,
        "taskType": run.ref.task_type,
        "stage": run.ref.stage,
        "seq": run.ref.seq,
        "startedAt": run.started_at,
        "status": "prepared",
        "manifestPath": run.ref.manifest,
        "reportPath": run.ref.final_report,
    }
    rows = [old for old in before.get("runs", []) if old.get("runId") != run.ref.run_id]
    return {
        "schemaVersion": SCHEMA_VERSION,
        "taskKey": run.ref.key.text,
        "runs": [*rows, row],
    }
