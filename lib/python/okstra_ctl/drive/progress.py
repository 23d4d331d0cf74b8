"""Which step of a run comes next, told from its artifacts alone (H-021, H-024). Pure.

Nothing is remembered between two looks: whoever was killed, or comes later, finds the same step.
"""

from __future__ import annotations

from typing import NamedTuple, Sequence

INTAKE, INITIAL, GROUP, SEED = "intake", "initial", "group", "seed"
PLAN, VERIFY, APPLY = "plan-round", "verify", "apply-round"
CRITIC, GAPS, COVERAGE = "critic", "verify-gaps", "apply-critic-gaps"
DECIDE, DRAFT, REPORT, FINALIZE = "finalize-convergence", "draft", "report", "finalize"
STEPS = (
    *(INTAKE, INITIAL, GROUP, SEED, PLAN, VERIFY, APPLY),
    *(CRITIC, GAPS, COVERAGE, DECIDE, DRAFT, REPORT, FINALIZE),
)
DONE, WAITING, HELD, FAILED = "done", "waiting", "held", "failed"  # a person; a quota; an error

UNSTARTED, GOING, SOUND, LOST = "unstarted", "going", "sound", "lost"  # of a seat; also HELD


class Seat(NamedTuple):
    """One worker's turn: its newest dispatch of a kind, retries included."""

    worker_id: str
    state: str  # UNSTARTED, GOING, HELD, SOUND, or LOST: it failed, and has no retry
    reason: str = ""


class Facts(NamedTuple):
    """What the artifacts of a run tell."""

    faults: Sequence[str]  # what of the intake is missing
    analysers: Sequence[Seat]  # of the first round
    grouped: bool
    seeded: bool
    open_round: int  # the round that is next; 0: every finding is terminal
    planned: bool  # that round
    verifiers: Sequence[Seat]  # of that round; empty before it is planned
    critic: Seat | None  # None: the run has none
    gap_voters: Sequence[Seat]  # empty: no gaps to vote on
    covered: bool  # the critic's gaps are in the state, or there is no critic
    decided: bool  # the final state
    drafted: bool
    writer: Seat
    finished: bool
    blocking: Sequence[str] = ()  # open questions that keep the next phase from starting


class Step(NamedTuple):
    name: str
    detail: str = ""


def following(facts: Facts) -> Step:
    """Return the step that comes next, or how the run stands when none does."""
    if facts.faults:
        return Step(FAILED, f"{INTAKE}: {facts.faults[0]}")
    for look in (_first_round, _rounds, _coverage, _ending):
        step = look(facts)
        if step:
            return step
    if facts.blocking:
        return Step(WAITING, f"open questions: {', '.join(facts.blocking)}")
    return Step(DONE)


def _first_round(facts: Facts) -> Step | None:
    step = _turns(INITIAL, facts.analysers)
    if step:
        return step
    if all(seat.state == LOST for seat in facts.analysers):
        reasons = ", ".join(f"{seat.worker_id}: {seat.reason}" for seat in facts.analysers)
        return Step(FAILED, f"{INITIAL}: no analyser has left a result that counts: {reasons}")
    if not facts.grouped:
        return Step(GROUP)
    return None if facts.seeded else Step(SEED)


def _rounds(facts: Facts) -> Step | None:
    if not facts.open_round:
        return None
    number = f"round {facts.open_round}"
    if not facts.planned:
        return Step(PLAN, number)
    return _turns(VERIFY, facts.verifiers) or Step(APPLY, number)


def _coverage(facts: Facts) -> Step | None:
    if facts.covered:
        return None
    if facts.critic is not None:
        step = _turns(CRITIC, [facts.critic])
        if step:
            return step
    return _turns(GAPS, facts.gap_voters) or Step(COVERAGE)


def _ending(facts: Facts) -> Step | None:
    if not facts.decided:
        return Step(DECIDE)
    if not facts.drafted:
        return Step(DRAFT)
    step = _turns(REPORT, [facts.writer])
    if step:
        return step
    if facts.writer.state == LOST:
        return Step(FAILED, f"{REPORT}: {facts.writer.worker_id}: {facts.writer.reason}")
    return None if facts.finished else Step(FINALIZE)


def _turns(name: str, seats: Sequence[Seat]) -> Step | None:
    """Return the step while a turn is to be started or awaited; a held one comes last."""
    left = [seat.worker_id for seat in seats if seat.state in (UNSTARTED, GOING)]
    if left:
        return Step(name, ", ".join(left))
    held = [f"{seat.worker_id}: {seat.reason}" for seat in seats if seat.state == HELD]
    return Step(HELD, f"{name}: {', '.join(held)}") if held else None
