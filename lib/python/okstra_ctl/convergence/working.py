"""The working state: the questions, who may vote, and every round as it came in (C-006, C-007).

It holds inputs alone; how each finding stands is computed from them, and written beside them for
people. So whoever reads it can compute that again and see whether it was changed (Z-020). Pure.
"""

from __future__ import annotations

import re
from typing import NamedTuple, Sequence

from okstra_ctl.convergence.ballot import SCHEMA, Group, Members, Outcome, Vote, Voter, filled
from okstra_kernel import UserError
from okstra_kernel.strict_json import Record

WORKING, FINAL = "working", "final"
ROUND_LIMIT, MOST_ROUNDS = 3, 10  # C-045
ORIGIN = ("workerId", "answerPath", "answerSha256")
_ID = re.compile(r"[A-Za-z0-9][\w.-]{0,99}")  # what a heading of an answer can name


class Round(NamedTuple):
    """`batches`: worker and its findings, as planned; `outcomes`: one for each, in that order."""

    number: int
    batches: tuple[tuple[str, tuple[str, ...]], ...]
    outcomes: tuple[Outcome, ...]


class Gap(NamedTuple):
    gap_id: str
    claim: str
    evidence: tuple[str, ...]
    votes: tuple[tuple[str, Vote], ...]  # worker and its vote, in the order of the roster


class Coverage(NamedTuple):
    """The one batch of the critic (C-062). `model`: the critic's."""

    model: str
    dispatches: tuple[tuple[str, str, int], ...]  # worker, status, milliseconds
    gaps: tuple[Gap, ...]


class State(NamedTuple):
    adversarial: bool
    round_limit: int
    roster: tuple[Voter, ...]
    groups: tuple[Group, ...]
    origins: tuple[tuple[str, str, str], ...] = ()  # worker, its first answer, that file's sha256
    rounds: tuple[Round, ...] = ()
    coverage: Coverage | None = None


def begin(groups: Record) -> State:
    """Return the state of round 0 from a groups document (C-050). Raises UserError."""
    limit = groups.integer("roundLimit", ROUND_LIMIT)
    if not 1 <= limit <= MOST_ROUNDS:
        raise groups.fault("roundLimit", f"not from 1 to {MOST_ROUNDS}: {limit}")
    roster = tuple(Voter.of(row) for row in groups.records("roster"))
    found = tuple(Group.of(row) for row in groups.records("groups"))
    _refuse_twice([voter.worker_id for voter in roster], f"{groups.where}.roster")
    _refuse_twice([group.finding_id for group in found], f"{groups.where}.groups")
    known = {voter.worker_id for voter in roster}
    for group in found:
        _check(group, known, groups.where)
    return State(groups.flag("adversarial"), limit, roster, found, _origins(groups))


def _origins(groups: Record) -> tuple[tuple[str, str, str], ...]:
    rows = groups.records("origins") if "origins" in groups else []
    return tuple((row.text(ORIGIN[0]), row.text(ORIGIN[1]), row.text(ORIGIN[2])) for row in rows)


def _check(group: Group, known: set[str], where: str) -> None:
    name = f"{where}.groups: {group.finding_id}"
    if not _ID.fullmatch(group.finding_id):
        raise UserError(f"{where}.groups: not the id of a finding: {group.finding_id!r}")
    if not group.raised_by:
        raise UserError(f"{name}: raisedBy is empty")
    for worker in (*group.raised_by, *group.also_raised_by):
        if worker not in known:  # a slip here would let a raiser vote on its own claim
            raise UserError(f"{name}: not in the roster: {worker!r}")
    both = set(group.raised_by) & set(group.also_raised_by)
    if both:
        raise UserError(f"{name}: in raisedBy and alsoRaisedBy: {min(both)!r}")


def _refuse_twice(names: Sequence[str], where: str) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise UserError(f"{where}: a second time: {name!r}")
        seen.add(name)


def read(record: Record) -> State:
    """Return the state that a working state's inputs make. Raises UserError."""
    versioned(record, WORKING)
    state = begin(record)
    coverage = coverage_of(record.record("coverage")) if record.members.get("coverage") else None
    rounds = tuple(_round(row) for row in record.records("rounds"))
    return state._replace(rounds=rounds, coverage=coverage)


def versioned(record: Record, kind: str = "") -> None:
    """Raise UserError for a document of another version or another kind (C-007, Z-112)."""
    if record.text("schemaVersion") != SCHEMA:
        found = record.text("schemaVersion")
        raise record.fault("schemaVersion", f"this okstra reads {SCHEMA!r}, found {found!r}")
    if kind and record.text("kind") != kind:
        raise record.fault("kind", f"expected a {kind} state, found {record.text('kind')!r}")


def members(state: State) -> Members:
    """Return the inputs of a state as they are written."""
    return {
        "adversarial": state.adversarial,
        "roundLimit": state.round_limit,
        "roster": [voter.members() for voter in state.roster],
        "groups": [group.members() for group in state.groups],
        "origins": [dict(zip(ORIGIN, one, strict=True)) for one in state.origins],
        "rounds": [round_members(one) for one in state.rounds],
        "coverage": coverage_members(state.coverage) if state.coverage else None,
    }


def batches_of(record: Record) -> tuple[tuple[str, tuple[str, ...]], ...]:
    return tuple(
        (filled(row, "workerId"), tuple(row.texts("findingIds")))
        for row in record.records("batches")
    )


def batch_members(batches: Sequence[tuple[str, tuple[str, ...]]]) -> list[Members]:
    return [{"workerId": worker, "findingIds": list(names)} for worker, names in batches]


def _round(row: Record) -> Round:
    outcomes = tuple(Outcome.of(one) for one in row.records("outcomes"))
    return Round(row.integer("round"), batches_of(row), outcomes)


def round_members(one: Round) -> Members:
    return {
        "round": one.number,
        "batches": batch_members(one.batches),
        "outcomes": [outcome.members() for outcome in one.outcomes],
    }


def coverage_of(record: Record) -> Coverage:
    """Read a coverage batch (C-065). Raises UserError."""
    dispatches = tuple(_dispatch(row) for row in record.records("dispatches"))
    _refuse_twice([worker for worker, _, _ in dispatches], f"{record.where}.dispatches")
    gaps = tuple(_gap(row) for row in record.records("gaps"))
    _refuse_twice([gap.gap_id for gap in gaps], f"{record.where}.gaps")
    return Coverage(record.text("modelExecutionValue"), dispatches, gaps)


def _dispatch(row: Record) -> tuple[str, str, int]:
    outcome = Outcome.of(row)
    return outcome.worker_id, outcome.status, outcome.duration_ms


def _gap(row: Record) -> Gap:
    votes = tuple((filled(one, "workerId"), Vote.of(one, "")) for one in row.records("votes"))
    _refuse_twice([worker for worker, _ in votes], f"{row.where}.votes")
    names = filled(row, "gapId"), filled(row, "claim"), tuple(row.texts("evidence"))
    return Gap(*names, votes)


def coverage_members(coverage: Coverage) -> Members:
    names = ("workerId", "status", "durationMs")
    return {
        "modelExecutionValue": coverage.model,
        "dispatches": [dict(zip(names, row, strict=True)) for row in coverage.dispatches],
        "gaps": [
            {
                "gapId": gap.gap_id,
                "claim": gap.claim,
                "evidence": list(gap.evidence),
                "votes": [{"workerId": worker, **vote.members()} for worker, vote in gap.votes],
            }
            for gap in coverage.gaps
        ],
    }
