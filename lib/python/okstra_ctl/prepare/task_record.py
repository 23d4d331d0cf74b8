"""What a new run changes in the records of its task (P-038, P-039, P-242). Pure."""

from __future__ import annotations

from okstra_ctl.prepare.facts import Members, Run
from okstra_kernel import Refusal
from okstra_kernel.strict_json import Record
from okstra_project import task_manifest

SCHEMA_VERSION = 1
_IDS = ("projectId", "taskGroup", "taskId")
_STATUSES = ("prepared", "running", "completed", "failed", "aborted")


def check(record: Record) -> None:
    """Raise UserError for a task manifest whose members a run could not carry on (XI-11)."""
    for name in _IDS:
        record.text(name)
    for name in ("createdAt", "workStatusUpdatedAt"):
        if name in record:
            record.time(name)
    status = record.text("workStatus", "todo")
    if status not in task_manifest.WORK_STATUSES:
        raise record.fault("workStatus", f"none of {', '.join(task_manifest.WORK_STATUSES)}")
    record.text("workStatusNote", "")
    workflow = record.record("workflow")
    for name in ("routingStatus", "lastSafeCheckpoint", "nextRecommendedPhase"):
        workflow.text(name, "")
    workflow.flag("awaitingApproval", False)
    states = workflow.record("phaseStates")
    for name in states.members:
        states.text(name)


def check_timeline(record: Record) -> None:
    """Raise UserError for a timeline whose rows a run could not carry on (XI-11)."""
    for row in record.records("runs"):
        for name in ("runId", "taskType"):
            if not row.text(name):
                raise row.fault(name, "empty")
        seq = row.text("seq")
        if not (seq.isascii() and seq.isdigit() and len(seq) >= 3):
            raise row.fault("seq", "not a run number")
        row.time("startedAt")
        if row.text("status") not in _STATUSES:
            raise row.fault("status", f"none of {', '.join(_STATUSES)}")
        for name in ("manifestPath", "reportPath"):
            if not _below(row.text(name)):
                raise row.fault(name, "not below the project's root")
        if row.members.get("stage", 0) is not None and row.integer("stage") < 1:
            raise row.fault("stage", "not a stage's number")


def _below(path: str) -> bool:
    return bool(path) and not path.startswith("/") and ".." not in path.split("/")


def same_task(before: Members, run_key: tuple[str, str, str]) -> None:
    """Raise Refusal if the folder is that of a task with other raw ids (P-006, 20 §32 row 72)."""
    known = tuple(before.get(name, "") for name in _IDS)
    if any(known) and known != run_key:
        raise Refusal(
            f"two tasks would share one folder: {':'.join(map(str, known))} has it, "
            f"{':'.join(run_key)} asks for it",
            next_step="choose another task group or task id",
        )


def with_run(before: Members, run: Run, rows: list[Members]) -> Members:
    """Return the members of the task's manifest with this run; `rows` are its timeline's.

    Of two runs that are prepared at once the later one is the latest, whichever ends last (XC-01).
    """
    same_task(before, run.ref.key)
    now, found = run.started_at, run.accepted
    workflow = before.get("workflow", {})
    phases = {**workflow.get("phaseStates", {}), run.ref.task_type: "prepared"}
    latest = [row for row in rows if row.get("manifestPath") == before.get("latestRunPath")]
    if latest and not _follows(run, latest[0]):
        return {**before, "workflow": {**workflow, "phaseStates": phases}}
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


def _follows(run: Run, row: Members) -> bool:
    """Tell whether a run is later than that of a row: by number, else by time."""
    if (run.ref.task_type, run.ref.stage) == (row["taskType"], row.get("stage")):
        return int(run.ref.seq) >= int(row["seq"])
    return run.started_at >= str(row["startedAt"])


def _order(row: Members) -> tuple[str, str, int, int]:
    return row["startedAt"], row["taskType"], row.get("stage") or 0, int(row["seq"])


def with_timeline_row(before: list[Members], run: Run) -> Members:
    """Return the task's timeline with this run in its place: by start, then by number."""
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
    rows = [old for old in before if old["runId"] != run.ref.run_id]
    return {
        "schemaVersion": SCHEMA_VERSION,
        "taskKey": run.ref.key.text,
        "runs": sorted([*rows, row], key=_order),
    }
