"""The report of a run, in each of its forms, against its contract (R-122, R-135).

What cannot be read is a breach like any other, and stops no other check (R-125).
"""

from __future__ import annotations

import itertools
import os
from typing import Any, Iterator, Mapping, NamedTuple

from okstra_ctl.convergence import document_files, run_names
from okstra_ctl.dispatch.run_files import RunFiles
from okstra_ctl.reportdata import draft_execution, report
from okstra_ctl.reports import (
    breach,
    markdown_rules,
    renderings,
    report_index,
    row_rules,
    usage_table,
)
from okstra_ctl.reports.breach import Breach
from okstra_ctl.reports.report_index_files import read as read_text
from okstra_kernel import UserError, json_lines, strict_json
from okstra_project import catalog
from okstra_project.dirs import task_dir

Members = dict[str, Any]


class Data(NamedTuple):
    """A report's data with its text, so that a breach can name a line."""

    path: str  # relative to the project
    members: Members
    text: str


def data(run: RunFiles, path: str) -> tuple[Data | None, list[Breach]]:
    """Return the data of a report, None for one that breaks its schema, and what is wrong."""
    try:
        text = read_text(run.path(path))
        members = strict_json.parse(text, path).members
        faults = report.faults(members)
    except UserError as err:
        return None, [Breach(breach.SCHEMA, path, 0, str(err))]
    found = [Breach(breach.SCHEMA, path, json_lines.line(text, one), one) for one in faults]
    return (None if faults else Data(path, members, text)), found


def against_votes(run: RunFiles, told: Data, final: Members, state: Members) -> Iterator[Breach]:
    """Yield where the report says something else than the votes, or is another run's."""
    if told.members["runId"] != run.manifest["runId"]:
        yield _at(told, breach.ROWS, f"$.runId: another run's, this is {run.manifest['runId']}")
    for one in row_rules.faults(told.members, run.manifest, final, state):
        yield _at(told, breach.ROWS, one)
    relative = f"{run.run_dir}/{run_names.final_state(run.task_type, run.seq)}"
    sha256 = document_files.sha256(document_files.content(run.path(relative)))
    if told.members["convergence"]["stateSha256"] != sha256:
        yield _at(told, breach.ROWS, f"$.convergence.stateSha256: the state's is {sha256}")


def collected(told: Data, state: Members) -> Iterator[Breach]:
    """Yield the rows with cells that were never filled: the counts are not collected (R-084)."""
    if "usageSummary" not in state:
        yield _at(told, breach.TOKENS, "$.tokenUsage: the team state has no counts")
    tokens = told.members["tokenUsage"].items()
    rows = [(f"$.tokenUsage.{name}", row) for name, row in tokens]
    seats = enumerate(told.members["executionStatus"])
    rows += [(f"$.executionStatus[{number}]", row) for number, row in seats]
    for place, row in rows:
        left = [name for name in usage_table.FILLED if row.get(name) == draft_execution.UNKNOWN]
        if left:
            yield _at(told, breach.TOKENS, f"{place}.{left[0]}: not collected")


def follow_ups(run: RunFiles, told: Data) -> Iterator[Breach]:
    """Yield the rows that never became a task (R-084)."""
    for number, row in enumerate(told.members["followUpTasks"]):
        where = f"$.followUpTasks[{number}].taskId"
        try:
            there = catalog.read(task_dir(run.root, run.key.group, row["taskId"])) is not None
        except UserError as err:
            yield _at(told, breach.FOLLOW_UPS, f"{where}: {err}")
            continue
        if not there:
            yield _at(told, breach.FOLLOW_UPS, f"{where}: no such task: {row['taskId']}")


def markdown(
    run: RunFiles, path: str, told: Data | None, environment: Mapping[str, str]
) -> Iterator[Breach]:
    """Yield what is wrong with the Markdown; with data, it is the rendering of that."""
    try:
        text = read_text(run.path(path))
    except UserError as err:
        yield Breach(breach.MARKDOWN, path, 0, str(err))
        return
    for one in markdown_rules.faults(text):
        yield Breach(one.contract, path, one.line, one.message)
    if told is None:
        return
    made = renderings.markdown(told.members, environment)
    line = _first_difference(renderings.unapproved(text), renderings.unapproved(made))
    if line:
        yield Breach(breach.MARKDOWN, path, line, "not the rendering of its data.json")


def _first_difference(found: str, made: str) -> int:
    """Return the line in which two texts begin to differ; 0: they do not."""
    if found == made:
        return 0
    pairs = itertools.zip_longest(found.split("\n"), made.split("\n"))
    return next(n for n, (one, other) in enumerate(pairs, 1) if one != other)


def index(run: RunFiles, path: str) -> Iterator[Breach]:
    """Yield the lack of an index in a report without data (R-031)."""
    try:
        there = report_index.has_index(read_text(run.path(path)))
    except UserError:
        return  # told already
    if not there:
        next_step = f"okstra inject-report-index {os.path.basename(path)}"
        yield Breach(breach.INDEX, path, 1, f"no index at its top; {next_step}")


def views(run: RunFiles, path: str, *, has_data: bool) -> Iterator[Breach]:
    """Yield what is wrong with the page of a report: missing, stale, not on its own (R-135)."""
    try:
        faults = renderings.page_faults(run.path(path), has_data=has_data)
    except UserError as err:
        faults = [str(err)]
    yield from (Breach(breach.VIEWS, report.sibling(path, report.HTML), 0, one) for one in faults)


def _at(told: Data, contract: str, message: str) -> Breach:
    return Breach(contract, told.path, json_lines.line(told.text, message), message)
