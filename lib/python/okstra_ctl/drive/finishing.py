"""The end of a run: the draft that okstra can write by itself, and the finish (H-021, R-083)."""

from __future__ import annotations

import os
from typing import Any

from okstra_ctl.convergence import document_files
from okstra_ctl.dispatch.run_files import RunFiles
from okstra_ctl.drive import names
from okstra_ctl.reportdata import draft as drafting
from okstra_ctl.reportdata import report
from okstra_ctl.reports import finalize as report_finalize
from okstra_ctl.runs import team_state_files
from okstra_kernel import Refusal, store, strict_json

RECORDED = ("executionStatus", "limits")  # members that the writer's own turn still changes


def draft(run: RunFiles, language: str) -> None:
    """Write the report as okstra can tell it from the artifacts. Raises UserError."""
    store.write_json(run.root, names.draft(run), _drafted(run, language))


def _drafted(run: RunFiles, language: str) -> dict[str, Any]:
    state = document_files.read(run.path(names.final(run)))
    team = team_state_files.read(run.path(run.team_state))
    return drafting.draft(
        run.manifest,
        state.record.members,
        team,
        language=language,
        state_path=names.final(run),
        state_sha256=state.sha256,
    )


def _record_writer(run: RunFiles) -> None:
    """Put how the writer's turn went into the report that it wrote. Raises UserError."""
    path = names.report_data(run)
    data = strict_json.read(run.path(path)).members
    now = _drafted(run, data["reportLanguage"])
    after = {**data, **{name: now[name] for name in RECORDED}}
    if after != data:
        store.write(run.root, path, report.file_bytes(after))


def finalize(run: RunFiles) -> None:
    """Finish the report that was published. Raises Refusal that names the step which failed."""
    _record_writer(run)
    status, told = report_finalize.finalize(run, run.path(names.report(run)), os.environ)
    if status:
        raise Refusal(
            f"{told['failedStep']}: {told['message']}",
            next_step=told["nextStep"],
            details=told["details"],
        )
