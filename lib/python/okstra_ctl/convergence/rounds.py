"""Who is asked what in the next round, and whether an answer fits what was asked (C-022 to C-025).

A worker votes once on a finding. One that came back with nothing is asked again, and after a second
failure no more; so a finding is open as long as a vote on it can still be had (C-045). What it is
in the end depends on the votes alone, not on the round they came in. Pure.
"""

from __future__ import annotations

from collections import Counter
from typing import Iterable, NamedTuple

from okstra_ctl.convergence.ballot import COMPLETED, SCHEMA, Members, Outcome
from okstra_ctl.convergence.working import Round, State, batch_members, batches_of
from okstra_kernel import UserError
from okstra_kernel.strict_json import Record

ATTEMPTS = 2  # failures after which a worker is not asked again


class Standing(NamedTuple):
    """What the rounds so far have brought, for one look at all findings."""

    votes: dict[str, dict[str, tuple[int, str, bool]]]  # finding, worker: round, verdict, verified
    gone: frozenset[str]  # workers that are not asked again


def standing(state: State) -> Standing:
    """Return the votes of all rounds, by finding and worker."""
    votes: dict[str, dict[str, tuple[int, str, bool]]] = {
        group.finding_id: {} for group in state.groups
    }
    failures: Counter[str] = Counter()
    for one in state.rounds:
        for outcome in one.outcomes:
            failures[outcome.worker_id] += outcome.status != COMPLETED
            for vote in outcome.votes:
                told = (one.number, vote.verdict, vote.verified)
                votes[vote.finding_id][outcome.worker_id] = told
    return Standing(votes, frozenset(who for who, count in failures.items() if count >= ATTEMPTS))


def able(state: State, raised_by: Iterable[str]) -> list[str]:
    """Return who may vote on a claim of these raisers, in the order of the roster (Z-022)."""
    raisers = set(raised_by)
    return [voter.worker_id for voter in state.roster if voter.worker_id not in raisers]


def plan(state: State) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the batches of the next round; none once every finding is terminal."""
    if len(state.rounds) >= state.round_limit:
        return ()
    now = standing(state)
    asked: dict[str, list[str]] = {voter.worker_id: [] for voter in state.roster}
    for group in state.groups:
        voted = now.votes[group.finding_id]
        for worker in able(state, group.raised_by):
            if worker not in voted and worker not in now.gone:
                asked[worker].append(group.finding_id)
    return tuple((worker, tuple(names)) for worker, names in asked.items() if names)


def plan_members(state: State) -> Members | None:
    """Return the plan of the next round as it is written, or None: nothing is left to ask."""
    batches = plan(state)
    if not batches:
        return None
    return {
        "schemaVersion": SCHEMA,
        "round": len(state.rounds) + 1,
        "batches": batch_members(batches),
    }


def applied(state: State, plan_record: Record, results: Record) -> State:
    """Return the state with the answers of its next round. Raises UserError that names every fault.

    The plan must be the one that this state makes: nobody edits who is asked what (C-023).
    """
    number = len(state.rounds) + 1
    for record in (plan_record, results):
        if record.integer("round") != number:
            raise record.fault(
                "round", f"the next round is {number}, not {record.integer('round')}"
            )
    batches = plan(state)
    if batches_of(plan_record) != batches:
        raise UserError(
            f"{plan_record.where}: not the plan of this state's round {number}",
            next_step="okstra convergence plan-round",
        )
    outcomes = tuple(Outcome.of(row) for row in results.records("outcomes"))
    faults = _faults(dict(batches), outcomes)
    if faults:
        raise UserError(f"{results.where}: {len(faults)} faults", details=faults)
    by_worker = {outcome.worker_id: outcome for outcome in outcomes}
    ordered = tuple(_in_order(by_worker[worker], names) for worker, names in batches)
    return state._replace(rounds=(*state.rounds, Round(number, batches, ordered)))


def _in_order(outcome: Outcome, names: tuple[str, ...]) -> Outcome:
    votes = {vote.finding_id: vote for vote in outcome.votes}
    return outcome._replace(votes=tuple(votes[name] for name in names if name in votes))


def _faults(batches: dict[str, tuple[str, ...]], outcomes: tuple[Outcome, ...]) -> list[str]:
    """Name everything in which the answers do not fit the batches, one line each (C-034, C-035)."""
    faults = [f"{worker}: no outcome" for worker in _missing(batches, outcomes)]
    seen: set[str] = set()
    for outcome in outcomes:
        worker = outcome.worker_id
        if worker not in batches:
            faults.append(f"{worker}: not in the plan")
            continue
        if worker in seen:
            faults.append(f"{worker}: a second outcome")
        seen.add(worker)
        faults += _vote_faults(outcome, batches[worker])
    return faults


def _missing(batches: dict[str, tuple[str, ...]], outcomes: tuple[Outcome, ...]) -> list[str]:
    answered = {outcome.worker_id for outcome in outcomes}
    return [worker for worker in batches if worker not in answered]


def _vote_faults(outcome: Outcome, names: tuple[str, ...]) -> list[str]:
    worker = outcome.worker_id
    given = Counter(vote.finding_id for vote in outcome.votes)
    assigned = set(names)
    faults = [f"{worker} {name}: not assigned" for name in given if name not in assigned]
    faults += [f"{worker} {name}: two verdicts" for name, count in given.items() if count > 1]
    if outcome.status == COMPLETED:
        faults += [f"{worker} {name}: no verdict" for name in names if name not in given]
    return faults
