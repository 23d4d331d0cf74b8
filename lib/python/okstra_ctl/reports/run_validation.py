"""Does a finished run keep its contracts (R-120 to R-127)? Every breach is named, none stops it."""

from __future__ import annotations

import os
from typing import Any, Iterator, Mapping

from okstra_ctl.dispatch import run_files
from okstra_ctl.dispatch.run_files import RunFiles
from okstra_ctl.reportdata import report
from okstra_ctl.reports import breach, record_checks_files, report_checks_files
from okstra_ctl.reports.breach import Breach
from okstra_ctl.runs import index_files, team_state_files
from okstra_kernel import UserError, display, notice, schemas

WITHOUT_DATA = "improvement-discovery"  # its report is its Markdown (Z-103)

Members = dict[str, Any]


def command(manifest: str, environment: Mapping[str, str]) -> tuple[int, str]:
    """Check the run of a manifest; return exit status and every breach, as JSON."""
    root, relative = team_state_files.project_of(manifest)
    run = run_files.load(root, relative)
    found = check(run, environment)
    reconcile(run)
    return (1 if found else 0), display.document(answer(found))


def answer(found: list[Breach]) -> Members:
    """Return what is told of a check: `contract-violated` and all breaches, or that all is well."""
    verdict = {"ok": not found, "result": breach.WORD if found else "valid"}
    return {"schemaVersion": 1, **verdict, "breaches": [one.json() for one in found]}


def check(run: RunFiles, environment: Mapping[str, str]) -> list[Breach]:
    """Return every breach of a run, by file and line. Raises UserError only for okstra's own files.

    `environment` holds the secrets that a rendering leaves out.
    """
    state, found = _team_state(run)
    if state is None:
        return found
    if run.task_type == WITHOUT_DATA:
        found += _without_data(run, state, environment)
    else:
        found += _with_data(run, state, environment)
    found += record_checks_files.workers(run, state)
    found += record_checks_files.sessions(run, state)
    return breach.in_order(found)


def _team_state(run: RunFiles) -> tuple[Members | None, list[Breach]]:
    """Return the run's team state; None for one that breaks its schema: nothing goes on from it."""
    try:
        state = team_state_files.read(run.path(run.team_state))
    except UserError as err:
        return None, [Breach(breach.ARTIFACTS, run.team_state, 0, str(err))]
    faults = schemas.check(state, "team-state")
    found = [Breach(breach.SCHEMA, run.team_state, 0, one) for one in faults]
    return (None if faults else state), found


def _with_data(run: RunFiles, state: Members, environment: Mapping[str, str]) -> Iterator[Breach]:
    markdown = str(run.manifest["finalReportPath"])
    told, found = report_checks_files.data(run, report.data_path(markdown))
    yield from found
    final, found = record_checks_files.convergence(run)
    yield from found
    if told is not None:
        if final is not None:
            yield from report_checks_files.against_votes(run, told, final, state)
        yield from report_checks_files.collected(told, state)
        yield from report_checks_files.follow_ups(run, told)
    yield from report_checks_files.markdown(run, markdown, told, environment)
    yield from report_checks_files.views(run, markdown, has_data=True)


def _without_data(
    run: RunFiles, state: Members, environment: Mapping[str, str]
) -> Iterator[Breach]:
    markdown = str(run.manifest["finalReportPath"])
    yield from report_checks_files.markdown(run, markdown, None, environment)
    yield from report_checks_files.index(run, markdown)
    yield from report_checks_files.views(run, markdown, has_data=False)
    if record_checks_files.has_votes(run):
        _, found = record_checks_files.convergence(run)
        yield from found
    if "usageSummary" not in state:
        yield Breach(breach.TOKENS, run.team_state, 0, "no counts: not collected")


def reconcile(run: RunFiles) -> None:
    """Put the project's rows of the central index right (R-121); what fails is only told."""
    try:
        for fault in index_files.reconcile(run.home, run.key.project):
            notice.tell(f"index: {notice.printable(fault)}")
    except UserError as err:
        notice.tell(f"index: {notice.printable(str(err))}")


def shown(found: list[Breach], most: int) -> list[str]:
    """Return the first breaches as lines, and how many more there are."""
    lines = [one.text() for one in found[:most]]
    return [*lines, f"and {len(found) - most} more"] if len(found) > most else lines


def report_of(run: RunFiles) -> str:
    """Return the absolute path of the run's report, in its Markdown form."""
    return os.path.join(run.root, str(run.manifest["finalReportPath"]))
