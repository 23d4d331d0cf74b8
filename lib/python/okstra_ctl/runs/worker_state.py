"""`okstra worker-state transition`: one row of a team state moved on (D-090 to D-096)."""

from __future__ import annotations

from okstra_ctl.runs import team_state, team_state_files
from okstra_kernel import iso_time
from okstra_project.dirs import okstra_home


def move(path: str, worker: str, status: str, *, reason: str, model: str) -> tuple[int, str]:
    """Move a worker's row on, atomically. Raises UserError; the file is then untouched."""
    root, relative = team_state_files.project_of(path)

    def edit(state: team_state.Members) -> team_state.Members:
        now = iso_time.now()
        return team_state.transition(state, worker, status, reason=reason, model=model, now=now)

    team_state_files.change(okstra_home(), root, relative, edit)
    return 0, f"{worker}\t{status}"
