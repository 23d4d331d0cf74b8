"""Starts the turns of a step and waits for them (H-021): prompts, jobs file, dispatch, await.

All of it can be done again: prompts and jobs of workers that were started are left alone.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Callable, Iterable, Mapping, NamedTuple, Sequence

from okstra_ctl.convergence.ballot import Group
from okstra_ctl.dispatch import awaiting, jobs, outcome, records, team, worker_prompt_files
from okstra_ctl.dispatch.jobs import Job
from okstra_ctl.dispatch.run_files import RunFiles
from okstra_ctl.drive import facts_files, names, prompt_files
from okstra_ctl.drive.progress import UNSTARTED, Seat
from okstra_ctl.runs import team_state, team_state_files
from okstra_kernel import store


class Turns(NamedTuple):
    """How turns are started and watched."""

    max_parallel: int = 0
    watch: awaiting.Watch | None = None
    headers: Mapping[str, str] = MappingProxyType({})  # that every prompt of this drive gets


def first_round(run: RunFiles, seats: Sequence[Seat], how: Turns) -> None:
    """Start the analysers that were not, and wait for all. Raises UserError."""
    missing = _unstarted(seats)
    if missing:
        worker_prompt_files.write_initial(run, missing, how.headers)
        workers = ",".join(missing)
        team.dispatch(run, workers=workers, max_parallel=how.max_parallel, resume=True)
    _wait(run, how)


def reviews(
    run: RunFiles,
    number: int,
    batches: Iterable[tuple[str, Sequence[Group]]],
    seats: Sequence[Seat],
    how: Turns,
) -> None:
    """Put claims to reviewers, each its own, and wait for all. Raises UserError."""
    mode = facts_files.mode(run)
    kind, missing = names.reverify(number), _unstarted(seats)

    def prompt(job: Job, claims: Sequence[Group]) -> None:
        prompt_files.verifier(run, job, mode, claims, how.headers)

    made = []
    for worker, claims in batches:
        job = names.job(run, facts_files.assignment(run, worker), kind, f"worker-{kind}")
        made.append(job)
        if worker in missing:
            prompt(job, claims)
    _start(run, kind, made, missing, how)


def one(
    run: RunFiles, seat: Seat, kind: str, role: str, prompt: Callable[[Job], None], how: Turns
) -> None:
    """Start a worker that works alone, critic or report writer, and wait for it."""
    job = names.job(run, facts_files.assignment(run, seat.worker_id), kind, role)
    missing = _unstarted([seat])
    if missing:
        prompt(job)
    _start(run, kind, [job], missing, how)


def revive(run: RunFiles) -> None:
    """Put what was cancelled, and what was held and may go on, back into the queue.

    Each as a further attempt (Z-014).
    """
    awaiting.resume_held(run)

    def edit(state: team_state.Members) -> team_state.Members:
        newest = {record["workerId"]: record for record in state["workerDispatches"]}
        for record in newest.values():
            if record["reason"] == outcome.CANCELLED:
                state = team_state.with_dispatch(state, records.again(record))
        return state

    team_state_files.change(run.home, run.root, run.team_state, edit)


def _start(run: RunFiles, kind: str, made: list[Job], missing: list[str], how: Turns) -> None:
    path = names.jobs(run, kind)
    if missing:
        store.write_json(run.root, path, jobs.file_of(kind, made))
        team.dispatch(run, jobs_file=path, max_parallel=how.max_parallel, resume=True)
    _wait(run, how)


def _wait(run: RunFiles, how: Turns) -> None:
    awaiting.wait(run, retries=True, watch=how.watch)


def _unstarted(seats: Sequence[Seat]) -> list[str]:
    return [seat.worker_id for seat in seats if seat.state == UNSTARTED]
