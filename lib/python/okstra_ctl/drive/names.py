"""How the files of a driven run are called (D-032, D-035). Pure; relative to the project."""

from __future__ import annotations

from okstra_ctl.convergence import run_names
from okstra_ctl.dispatch import report_files
from okstra_ctl.dispatch.jobs import Job
from okstra_ctl.dispatch.run_files import RunFiles

INITIAL, CRITIC, WRITER = "initial", "coverage-critic", "report-writer"


def reverify(number: int) -> str:
    """Return the kind of the dispatches of a round (D-034)."""
    return f"reverify-r{number}"


def state(run: RunFiles, name: str) -> str:
    """Return a file of a convergence; `name` is one of `run_names`."""
    return f"{run.run_dir}/{name}"


def work(run: RunFiles) -> str:
    return state(run, run_names.work_state(run.task_type, run.seq))


def final(run: RunFiles) -> str:
    return state(run, run_names.final_state(run.task_type, run.seq))


def groups(run: RunFiles) -> str:
    return state(run, run_names.groups(run.task_type, run.seq))


def plan(run: RunFiles, number: int) -> str:
    return state(run, run_names.plan(number, run.task_type, run.seq))


def results(run: RunFiles, number: int) -> str:
    return state(run, run_names.results(number, run.task_type, run.seq))


def gap_plan(run: RunFiles) -> str:
    return state(run, run_names.gap_plan(run.task_type, run.seq))


def gap_results(run: RunFiles) -> str:
    return state(run, run_names.gap_results(run.task_type, run.seq))


def batch(run: RunFiles) -> str:
    return state(run, run_names.batch(run.task_type, run.seq))


def jobs(run: RunFiles, kind: str) -> str:
    """Return the jobs file of a kind: `reverify-jobs-r1`, `report-writer-jobs` (C-067, D-035)."""
    name, mark, number = kind.partition("-r")
    known = mark and number.isdigit()
    return run.file("state", f"{name}-jobs-r{number}" if known else f"{kind}-jobs", ".json")


def draft(run: RunFiles) -> str:
    return report_files.draft_path(run)


def report_data(run: RunFiles) -> str:
    return run.file("reports", "final-report", ".data.json")


def report(run: RunFiles) -> str:
    return run.file("reports", "final-report", ".md")


def status(run: RunFiles) -> str:
    return run.file("status", "final", ".status")


def job(run: RunFiles, row: dict[str, str], kind: str, role: str) -> Job:
    """Return a worker's turn of a kind; `row` is its assignment in the manifest."""
    worker = row["workerId"]
    stem = worker if kind == INITIAL or worker == kind else f"{worker}-{kind}"
    result = run.file("worker-results", stem, ".md")
    audit = run.file("worker-results", f"{stem}-audit", ".md")
    result = report_data(run) if kind == WRITER else result
    return Job(
        worker_id=worker,
        provider=row["provider"],
        role=role,
        model=row["modelExecutionValue"],
        prompt_path=run.file("prompts", stem, ".md"),
        result_path=result,
        worker_result_path=audit,
        completion_paths=(result, audit),
        dispatch_kind=kind,
    )
