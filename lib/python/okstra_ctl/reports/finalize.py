"""`okstra report-finalize`: what comes after a report, in its one order (R-080 to R-088).

Each step writes whole files, equal ones from equal records, and stands on what the steps before
left: stopped or killed anywhere, the same command is run again and comes to the same bytes.
"""

from __future__ import annotations

import os
from typing import Any, Callable, Mapping, NamedTuple

from okstra_ctl.dispatch import run_files
from okstra_ctl.dispatch.run_files import RunFiles
from okstra_ctl.reportdata import report
from okstra_ctl.reports import follow_ups_files, renderings, run_validation, token_usage
from okstra_ctl.reports.run_validation import WITHOUT_DATA
from okstra_kernel import Refusal, UserError, display, plain_file, store

Members = dict[str, Any]
SHOWN = 20  # breaches in the sentence of a failure; the answer has all
_COMPLETED = "completed"


class Job(NamedTuple):
    run: RunFiles
    environment: Mapping[str, str]

    @property
    def markdown(self) -> str:
        return run_validation.report_of(self.run)

    @property
    def data(self) -> str:
        return report.data_path(self.markdown)

    @property
    def has_data(self) -> bool:
        return self.run.task_type != WITHOUT_DATA


class Violated(Refusal):
    """The run breaks contracts; `breaches` are all of them, as `validate-run` tells them."""

    def __init__(self, message: str, breaches: list[Members], details: list[str]) -> None:
        super().__init__(message, details=details)
        self.breaches = breaches


def command(
    project_root: str, manifest: str, report_path: str, environment: Mapping[str, str]
) -> tuple[int, str]:
    """Finalize the report of a run; return exit status and the JSON answer."""
    run = run_files.load(project_root, manifest)
    status, told = finalize(run, report_path, environment)
    return status, display.document(told)


def finalize(
    run: RunFiles, report_path: str, environment: Mapping[str, str]
) -> tuple[int, Members]:
    """Do the steps in their order. The first that fails ends it; its exit status is ours.

    Raises UserError, before any step, for a report that is not there or not this run's.
    """
    job = Job(run, environment)
    _check(job, report_path)
    done: list[str] = []
    for name, step in STEPS:
        try:
            step(job)
        except UserError as err:
            return err.status, _failure(name, done, err)
        done.append(name)
    told = {"reportPath": str(run.manifest["finalReportPath"]), "statusPath": _status_path(run)}
    return 0, {"schemaVersion": 1, "ok": True, "steps": done, **told}


def is_final(run: RunFiles) -> bool:
    """Tell whether a report was finalized: the run says that it is completed (R-007)."""
    from okstra_ctl.runs import outcome_files

    return outcome_files.outcome(run.path(_status_path(run))) == _COMPLETED


def _check(job: Job, report_path: str) -> None:
    path = os.path.realpath(report_path)
    markdown = report.sibling(path, report.MARKDOWN)
    if markdown != os.path.realpath(job.markdown):
        raise UserError(f"not the report of this run, which is {job.markdown}: {report_path}")
    needed = job.data if job.has_data else job.markdown
    if not os.path.isfile(needed):
        raise UserError(f"no such file: {needed}")


def _failure(name: str, done: list[str], err: UserError) -> Members:
    told: Members = {"ok": False, "failedStep": name, "exitCode": err.status, "completed": done}
    told |= {"message": str(err), "details": list(err.details), "nextStep": err.next_step}
    if isinstance(err, Violated):
        told["breaches"] = err.breaches
    return {"schemaVersion": 1, **told}


def _token_usage(job: Job) -> None:
    found = token_usage.collect(job.run, job.environment)
    if job.has_data:
        token_usage.check_data(job.run, job.data)
    token_usage.write(job.run, found)
    if job.has_data:
        token_usage.substitute(job.run, found, job.data, job.environment)


def _render_views(job: Job) -> None:
    renderings.write_page(job.data if job.has_data else job.markdown, job.environment)


def _spawn_followups(job: Job) -> None:
    if job.has_data:
        key = job.run.key
        follow_ups_files.spawn(job.run.home, job.run.root, job.data, key.group, key)


def _validate_run(job: Job) -> None:
    """Check the run; a run without a breach says of itself that it is completed (R-007)."""
    found = run_validation.check(job.run, job.environment)
    if found:
        run_validation.reconcile(job.run)
        raise Violated(
            f"the run breaks its contract, {len(found)} times: {found[0].text()}",
            [one.json() for one in found],
            run_validation.shown(found[1:], SHOWN),
        )
    _write_status(job.run)
    run_validation.reconcile(job.run)


def _write_status(run: RunFiles) -> None:
    """Write how the run ended: one word, and where its report is; not where it stands already."""
    path = _status_path(run)
    data = f"{_COMPLETED}\n{run.manifest['finalReportPath']}\n".encode()
    whole = os.path.isfile(run.path(path)) and plain_file.read(run.path(path), path, limit=4096)
    if whole != data:
        store.write(run.root, path, data)


def _status_path(run: RunFiles) -> str:
    return token_usage.status_path(run)


STEPS: tuple[tuple[str, Callable[[Job], None]], ...] = (
    ("token-usage", _token_usage),
    ("render-views", _render_views),
    ("spawn-followups", _spawn_followups),
    ("validate-run", _validate_run),
)
