"""Waits for the dispatches of a run: settles, starts what waits, starts again what may (D-075)."""

from __future__ import annotations

import time
from typing import Callable

from okstra_ctl.dispatch import (
    baseline_files,
    collecting,
    dispatch_plan,
    records,
    retry,
    retry_files,
    start_process,
    starting,
    wrapper_status,
)
from okstra_ctl.dispatch.records import Record
from okstra_ctl.dispatch.run_files import RunFiles
from okstra_ctl.runs import team_state, team_state_files
from okstra_ctl.runs.team_state import HELD, IN_PROGRESS, QUEUED
from okstra_kernel import Busy, UserError, iso_time, locks

POLL = 0.25  # seconds between two looks
_GLANCES = (0.01, 0.1)  # seconds between two glances, at least and at most
_SHARE = 1 / 20  # of the time waited so far, as a pause between them

Watch = Callable[[list[Record]], None]
Key = tuple[str, str, int]


def wait(run: RunFiles, *, retries: bool, watch: Watch | None = None) -> list[Record]:
    """Return the dispatches once every one has ended or is held; start those that wait for a place.

    Held ones whose time has come are started again first (Z-014). With `retries` a worker that
    failed has one more attempt (D-062). A dispatch that cannot be settled stops no other: the
    others are waited for, then its UserError is raised.
    """
    resume_held(run)
    begun = time.monotonic()
    faults: dict[Key, UserError] = {}
    restarted: set[Key] = set()
    while True:
        faults = _settle_all(run, retries, restarted)
        if retries:
            _schedule(run)
        _start_queued(run)
        found: list[Record] = starting.state(run)["workerDispatches"]
        if watch:
            watch(found)
        going = [one for one in found if one["status"] in (IN_PROGRESS, QUEUED)]
        going = [one for one in going if team_state.dispatch_key(one) not in faults]
        if not going:
            break
        _pause(run, going, begun)
    if faults:
        raise next(iter(faults.values()))
    return found


def _pause(run: RunFiles, going: list[Record], begun: float) -> None:
    """Wait for the next look: less than a poll if till then nothing is left to wait for (Q-13).

    With a queue one that has ended makes room; else all must have. The first one that runs answers
    for the others, so that a glance costs next to nothing.
    """
    shortest, longest = _GLANCES
    now = time.monotonic()
    end = now + POLL
    pause = min(max(shortest, (now - begun) * _SHARE), longest)
    running = [run.path(one["promptPath"]) for one in going if one["status"] == IN_PROGRESS]
    enough = all if len(running) == len(going) else any
    time.sleep(pause)
    while time.monotonic() < end and not enough(map(wrapper_status.ended, running)):
        time.sleep(pause)


def _settle_all(run: RunFiles, retries: bool, restarted: set[Key]) -> dict[Key, UserError]:
    """Settle what has ended, and return the faults of those that could not be.

    The checkout is looked at once for all, later than the last status was read.
    """
    found = starting.state(run)["workerDispatches"]
    going = [
        (record, wrapper_status.read(run.path(record["promptPath"])))
        for record in found
        if record["status"] == IN_PROGRESS
    ]
    seen = baseline_files.later(run)
    faults: dict[Key, UserError] = {}
    ended: list[Record] = []
    for record, status in going:
        try:
            if status is None and _never_started(run, record, restarted):
                continue
            if one := collecting.settled(run, record, status, seen):
                ended.append(one)
        except UserError as err:
            faults[team_state.dispatch_key(record)] = err
    try:
        collecting.finish(run, ended, retries=retries)
    except UserError as err:
        faults.update((team_state.dispatch_key(one), err) for one in ended)
    return faults


def _never_started(run: RunFiles, record: Record, restarted: set[Key]) -> bool:
    """Tell whether nothing runs for a record that says so, and put it back into the queue.

    Who starts wrappers holds the lock of the run, and a wrapper holds its launch log: with both
    free, somebody was killed between writing the record down and starting. Once for each; a
    wrapper that ends twice without a sign did not launch.
    """
    try:
        with locks.hold(run.home, starting.lock_name(run), wait=0):
            if start_process.is_held(run.path(record["promptPath"])):
                return False
            if wrapper_status.read(run.path(record["promptPath"])) is not None:
                return False
            if team_state.dispatch_key(record) in restarted:
                collecting.not_launched(run, record)
                return True
            restarted.add(team_state.dispatch_key(record))
            collecting.write(run, {**record, "status": QUEUED, "startedAt": None})
            return True
    except Busy:
        return False


def _schedule(run: RunFiles) -> None:
    """Put the retry of each worker that has one coming into the queue."""
    if not retry.due(starting.state(run)["workerDispatches"]):
        return
    try:
        with locks.hold(run.home, starting.lock_name(run), wait=0):
            for record in retry.due(starting.state(run)["workerDispatches"]):
                path = retry_files.write(run, starting.job_of(record), record)
                plan = dispatch_plan.make(run, workers="", jobs_file=path, kind="")
                starting.enter(run, plan, attempt=record["attempt"] + 1)
    except Busy:
        return  # another process of the run does it


def resume_held(run: RunFiles) -> None:
    """Put those whose time has come back into the queue, each as an attempt of its own."""

    def edit(state: team_state.Members) -> team_state.Members:
        for record in state["workerDispatches"]:
            due = record["status"] == HELD and record["resetAt"]
            if due and iso_time.parse(record["resetAt"]) <= time.time():
                past = {**record, "status": "not-run", "endedAt": iso_time.now()}
                state = team_state.with_dispatch(state, past)
                state = team_state.with_dispatch(state, records.again(record))
        return state

    if any(one["status"] == HELD for one in starting.state(run)["workerDispatches"]):
        team_state_files.change(run.home, run.root, run.team_state, edit)


def _start_queued(run: RunFiles) -> None:
    if all(one["status"] != QUEUED for one in starting.state(run)["workerDispatches"]):
        return
    try:
        with locks.hold(run.home, starting.lock_name(run), wait=0):
            state = starting.state(run)
            waiting = [r for r in state["workerDispatches"] if r["status"] == QUEUED]
            free = starting.room(state, int(state.get("maxParallel", 0)))
            starting.start(run, waiting[:free])
    except Busy:
        return  # another process of the run starts them
