"""The end of a run: the draft that okstra can write by itself, and the finish (H-021, R-083)."""

from __future__ import annotations

import os

from okstra_ctl.convergence import document_files
from okstra_ctl.dispatch.run_files import RunFiles
from okstra_ctl.drive import names
from okstra_ctl.reportdata import draft as drafting
from okstra_ctl.reports import finalize as report_finalize
from okstra_ctl.runs import team_state_files
from okstra_kernel import Refusal, store


def draft(run: RunFiles, language: str) -> None:
    """Write the report as okstra can tell it from the artifacts. Raises UserError."""
    state = document_files.read(run.path(names.final(run)))
    team = team_state_files.read(run.path(run.team_state))
    made = drafting.draft(
        run.manifest,
        state.record.members,
        team,
        language=language,
        state_path=names.final(run),
        state_sha256=state.sha256,
    )
    store.write_json(run.root, names.draft(run), made)


def finalize(run: RunFiles) -> None:
    """Finish the report that was published. Raises Refusal that names the step which failed."""
    status, told = report_finalize.finalize(run, run.path(names.report(run)), os.environ)
    if status:
        raise Refusal(
            f"{told['failedStep']}: {told['message']}",
            next_step=told["nextStep"],
            details=told["details"],
        )
