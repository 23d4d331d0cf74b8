"""`okstra token-usage`: collect what a run used, and write it where it is shown (R-095, R-096)."""

from __future__ import annotations

import os
import time
from typing import Any, Mapping, NamedTuple

from okstra_ctl.convergence import document_files
from okstra_ctl.dispatch import run_files
from okstra_ctl.dispatch.run_files import RunFiles
from okstra_ctl.leads import runtimes
from okstra_ctl.providers import models, models_files
from okstra_ctl.reportdata import draft_execution, report
from okstra_ctl.reports import renderings, usage_files, usage_table
from okstra_ctl.reports.usage_table import Table
from okstra_ctl.runs import outcome_files, team_state_files
from okstra_ctl.runs.run_ref import MANIFEST_STEM, RunRef
from okstra_kernel import UserError, display, iso_time, redaction, store

Members = dict[str, Any]
_STATE_STEM = "team-state"


class Asked(NamedTuple):
    write: bool
    summary: bool
    data: str  # the report's data.json to fill; empty: none


def command(path: str, asked: Asked, environment: Mapping[str, str]) -> tuple[int, str]:
    """Collect what the run of a team state used; write and print what was asked for."""
    run = of_state(path)
    found = collect(run, environment)
    if asked.data:
        check_data(run, asked.data)
    if asked.write:
        write(run, found)
    if asked.data:
        substitute(run, found, asked.data, environment)
    if asked.summary:
        return 0, summary(found.table)
    sums = {name: one.members() for name, one in usage_table.rows(found.table).items()}
    told = {**sums, "workers": found.table.workers, "unknown": usage_table.unknown(found.table)}
    return 0, display.document({"schemaVersion": 1, "ok": True, **told})


class Collected(NamedTuple):
    table: Table
    until: str | None  # up to when the lead's session counts; None: it has none


def of_state(path: str) -> RunFiles:
    """Return the run whose team state this is. Raises UserError for a file that is no run's."""
    root, relative = team_state_files.project_of(path)
    folder, name = os.path.split(relative)
    if not name.startswith(f"{_STATE_STEM}-"):
        raise UserError(f"not a team state: {path}")
    if not os.path.isfile(path):
        raise UserError(f"no such file: {path}")
    manifest = f"{MANIFEST_STEM}{name.removeprefix(_STATE_STEM)}"
    run = run_files.load(root, os.path.join(os.path.dirname(folder), "manifests", manifest))
    if run.team_state != relative:
        raise UserError(f"the manifest names another team state: {run.team_state}")
    return run


def collect(run: RunFiles, environment: Mapping[str, str]) -> Collected:
    """Return what the run used. Raises UserError for records that cannot be read."""
    info = runtimes.lead_runtime_info(str(run.manifest["leadRuntime"]))
    until = _until(run) if info.provider else None
    end = iso_time.parse(until) if until else 0
    catalog = models_files.load_catalog()
    state = team_state_files.read(run.path(run.team_state))
    found = usage_table.table(
        state,
        (info.provider, usage_files.of_lead(run, end, environment)),
        usage_files.of_run(run, environment),
        lambda provider, model: models.price(catalog, provider, model),
    )
    return Collected(found, until)


def _until(run: RunFiles) -> str:
    """Return up to when the lead's session counts: now, and once the run has ended, its end.

    A session may go on with other work, which is not the run's.
    """
    told = team_state_files.read(run.path(run.team_state)).get("leadUsage")
    until = told.get("until") if isinstance(told, dict) else None
    ended = outcome_files.outcome(run.path(status_path(run)))
    return until if ended and isinstance(until, str) else iso_time.show(time.time())


def status_path(run: RunFiles) -> str:
    """Return where the run tells how it ended, relative to the project (R-007)."""
    return RunRef(run.key, run.task_type, run.manifest.get("stage"), run.seq).status


def write(run: RunFiles, found: Collected) -> None:
    """Write the numbers into the team state, in the place of earlier ones (R-110)."""
    team_state_files.change(
        run.home,
        run.root,
        run.team_state,
        lambda state: usage_table.into_state(state, found.table, found.until),
    )


def check_data(run: RunFiles, path: str) -> None:
    """Raise UserError for a data.json that is not there, or is another run's."""
    data = report.load(path).data
    if data["runId"] != run.manifest["runId"]:
        raise UserError(f"{path}: the report of another run: {data['runId']}")


def substitute(run: RunFiles, found: Collected, path: str, environment: Mapping[str, str]) -> None:
    """Fill the cells of the report's data, and render its Markdown anew. Raises UserError."""
    data = report.load(path).data
    state = team_state_files.read(run.path(run.team_state))
    seats: list[Members] = redaction.hide_in(draft_execution.status(run.manifest, state), [])
    filled = usage_table.into_report(data, seats, state, found.table)
    if filled != data:
        store.write(*document_files.place(path), report.file_bytes(filled))
    renderings.write_markdown(path, environment)


def summary(found: Table) -> str:
    """Return the numbers as a few lines for people."""
    heads = ("", "tokens", "billable", "USD")
    named = [*usage_table.rows(found).items(), *found.costs.items()]
    cells = [[name, *(map(_shown, one))] for name, one in named]
    lines = [f"unknown: {line}" for line in usage_table.unknown(found)]
    return "\n".join([display.table(heads, cells), *map(display.visible, lines)])


def _shown(number: float | None) -> str:
    return usage_table.UNKNOWN if number is None else f"{number:,}"
