"""What a step finds in the records: state, dispatches, results, the votes of a round (D-068)."""

from __future__ import annotations

from okstra_ctl.convergence import answers_files
from okstra_ctl.convergence.ballot import COMPLETED
from okstra_ctl.convergence.working import State
from okstra_ctl.dispatch.run_files import RunFiles
from okstra_ctl.drive import facts_files, names, seats
from okstra_ctl.runs import team_state, team_state_files
from okstra_kernel import UserError

Record = facts_files.Record


def state(run: RunFiles) -> State:
    """Return the working state. Raises UserError where there is none yet."""
    found = facts_files.work_state(run)
    if found is None:
        raise UserError(f"not there: {names.work(run)}")
    return found


def records(run: RunFiles) -> list[Record]:
    """Return the dispatches of the run as they are now. Raises UserError."""
    found: list[Record] = team_state_files.read(run.path(run.team_state))["workerDispatches"]
    return found


def results(run: RunFiles) -> dict[str, str]:
    """Return the first result of each analyser whose result counts. Raises UserError."""
    return facts_files.sound_results(run, records(run))


def collect(run: RunFiles, number: int, plan: str, output: str) -> None:
    """Write the results of a round, from what was published and recorded (D-068)."""
    dispatches, kind = records(run), names.reverify(number)
    found, ended = {}, {}
    for worker, _ in facts_files.batches(run, plan):
        record = seats.newest(dispatches, worker, kind)
        if record is None or record["status"] not in team_state.TERMINAL:
            raise UserError(f"{worker} has not ended: {kind}")
        ended[worker] = f"{record['status']}:{record['durationMs'] or 0}"
        if record["status"] == COMPLETED:
            found[worker] = run.path(record["resultPath"])
    answers_files.collect(plan, facts_files.mode(run), found, ended, output)
