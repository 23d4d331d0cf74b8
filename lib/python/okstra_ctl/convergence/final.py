"""The final state: each finding with its class, how sure that is, and who voted how (C-006, Z-022).

Every row holds the votes that decided it, so that it can be decided again from itself. Pure.
"""

from __future__ import annotations

from typing import Iterable, Sequence

from okstra_ctl.convergence import reduction, working
from okstra_ctl.convergence.ballot import AGREE, SCHEMA, SUPPLEMENT, Members, Vote, Voter, filled
from okstra_ctl.convergence.working import FINAL, State
from okstra_kernel import UserError
from okstra_kernel.strict_json import Record

NO_ANSWER = "not-asked"  # of a voter whose seat no round could fill


def members(state: State) -> Members:
    """Return the final state of a working one whose findings are all terminal."""
    votes = _votes(state)
    absent = _absent(state)
    findings = []
    for group in state.groups:
        cast = votes[group.finding_id]
        told = _decided(state.roster, group.raised_by, cast, absent, state.adversarial)
        findings.append({**group.members(), **told})
    return {
        "schemaVersion": SCHEMA,
        "kind": FINAL,
        "adversarial": state.adversarial,
        "rounds": len(state.rounds),
        "roster": [voter.members() for voter in state.roster],
        "findings": findings,
        "gaps": _gaps(state),
    }


def _votes(state: State) -> dict[str, dict[str, tuple[int, Vote]]]:
    votes: dict[str, dict[str, tuple[int, Vote]]] = {group.finding_id: {} for group in state.groups}
    for one in state.rounds:
        for outcome in one.outcomes:
            for vote in outcome.votes:
                votes[vote.finding_id][outcome.worker_id] = one.number, vote
    return votes


def _absent(state: State) -> dict[str, str]:
    """Return how the last batch of each worker ended; those that were never asked are missing."""
    return {outcome.worker_id: outcome.status for one in state.rounds for outcome in one.outcomes}


def _decided(
    roster: Sequence[Voter],
    raised_by: Iterable[str],
    cast: dict[str, tuple[int, Vote]],
    ended: dict[str, str],
    adversarial: bool,
) -> Members:
    raisers = set(raised_by)
    able = [voter for voter in roster if voter.worker_id not in raisers]
    rows = [
        {
            "workerId": voter.worker_id,
            "provider": voter.provider,
            "round": cast[voter.worker_id][0],
            **cast[voter.worker_id][1].members(),
        }
        for voter in able
        if voter.worker_id in cast
    ]
    absent = [
        {"workerId": voter.worker_id, "status": ended.get(voter.worker_id, NO_ANSWER)}
        for voter in able
        if voter.worker_id not in cast
    ]
    return {
        **_verdict(roster, raisers, rows, len(absent), adversarial),
        "votes": rows,
        "withoutVote": absent,
    }


def _verdict(
    roster: Sequence[Voter],
    raisers: set[str],
    rows: Sequence[Members],
    absent: int,
    adversarial: bool,
) -> Members:
    count = reduction.tally([(row["verdict"], row["basisVerified"]) for row in rows])
    found = reduction.classify(count, len(rows) + absent, adversarial=adversarial)
    behind = raisers | {row["workerId"] for row in rows if row["verdict"] in (AGREE, SUPPLEMENT)}
    families = {voter.family for voter in roster if voter.worker_id in behind}
    level, marks = reduction.confidence(found, families=len(families), missing=absent)
    return {
        "class": found,
        "confidence": level,
        "marks": marks,
        "support": count.support,
        "opposition": count.opposition,
        "refuted": count.refuted,
    }


def _gaps(state: State) -> list[Members]:
    """Return the critic's gaps, each decided by the votes of all analysers (C-062)."""
    if state.coverage is None:
        return []
    ended = {worker: status for worker, status, _ in state.coverage.dispatches}
    number = len(state.rounds)
    return [
        {
            "gapId": gap.gap_id,
            "claim": gap.claim,
            "evidence": list(gap.evidence),
            **_decided(
                state.roster,
                (),
                {worker: (number, vote) for worker, vote in gap.votes},
                ended,
                state.adversarial,
            ),
        }
        for gap in state.coverage.gaps
    ]


def check(record: Record) -> None:
    """Raise UserError for a final state with a row that its own votes do not make (C-017)."""
    working.versioned(record, FINAL)
    roster = tuple(Voter.of(row) for row in record.records("roster"))
    adversarial = record.flag("adversarial")
    for name, raisers in (("findings", "raisedBy"), ("gaps", "")):
        for row in record.records(name):
            _check_row(row, roster, row.texts(raisers) if raisers else [], adversarial)


def _check_row(
    row: Record, roster: Sequence[Voter], raised_by: Sequence[str], adversarial: bool
) -> None:
    raisers = set(raised_by)
    able = {voter.worker_id for voter in roster} - raisers
    votes = [(filled(one, "workerId"), Vote.of(one, "")) for one in row.records("votes")]
    absent = [filled(one, "workerId") for one in row.records("withoutVote")]
    named = [worker for worker, _ in votes] + absent
    if len(named) != len(able) or set(named) != able:
        raise UserError(f"{row.where}: votes and withoutVote are not those who could vote")
    rows = [{"workerId": worker, **vote.members()} for worker, vote in votes]
    for name, value in _verdict(roster, raisers, rows, len(absent), adversarial).items():
        if row.members.get(name) != value:
            found = row.members.get(name)
            raise row.fault(name, f"its votes make {value!r}, found {found!r}")
