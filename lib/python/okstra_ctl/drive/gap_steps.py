"""The gaps that a critic found: put to the vote, then folded in as one batch (C-062 to C-065)."""

from __future__ import annotations

from typing import Sequence

from okstra_ctl.convergence import document_files, stepping
from okstra_ctl.convergence.ballot import SCHEMA, Group, Outcome
from okstra_ctl.convergence.working import batch_members
from okstra_ctl.dispatch.run_files import RunFiles
from okstra_ctl.drive import facts_files, names, turns_files, votes_files
from okstra_ctl.drive.progress import Seat
from okstra_ctl.drive.turns_files import Turns
from okstra_ctl.evidence.findings import Finding
from okstra_kernel import strict_json

Record = facts_files.Record


def vote(run: RunFiles, seats: Sequence[Seat], turns: Turns) -> None:
    """Put the critic's gaps to every analyser, and wait for all. Raises UserError."""
    state = votes_files.state(run)
    claims = _gap_claims(facts_files.gaps(run, votes_files.records(run)))
    voters = [voter.worker_id for voter in state.roster]
    number = facts_files.gap_round(state)
    asked = [(worker, tuple(claim.finding_id for claim in claims)) for worker in voters]
    plan = {"schemaVersion": SCHEMA, "round": number, "batches": batch_members(asked)}
    document_files.write(run.path(names.gap_plan(run)), plan)
    batches: list[tuple[str, Sequence[Group]]] = [(worker, claims) for worker in voters]
    turns_files.reviews(run, number, batches, seats, turns)


def _gap_claims(found: Sequence[Finding]) -> list[Group]:
    return [
        Group(
            finding_id=f"G-{number:03d}",
            claim=finding.statement,
            evidence=tuple(map(str, finding.evidence)),
            raised_by=(),
            also_raised_by=(),
            details=(("title", finding.title),),
            sources=(),
        )
        for number, finding in enumerate(found, 1)
    ]


def apply(run: RunFiles) -> None:
    """Fold gaps and votes into the state, as the one batch. Raises UserError."""
    state = votes_files.state(run)
    plan, results = run.path(names.gap_plan(run)), run.path(names.gap_results(run))
    votes_files.collect(run, facts_files.gap_round(state), plan, results)
    outcomes = [Outcome.of(row) for row in strict_json.read(results).records("outcomes")]
    claims = _gap_claims(facts_files.gaps(run, votes_files.records(run)))
    batch = _batch(run.manifest["criticAssignment"]["modelExecutionValue"], outcomes, claims)
    document_files.write(run.path(names.batch(run)), batch)
    stepping.apply_gaps(run.path(names.work(run)), run.path(names.batch(run)))


def _batch(model: str, outcomes: Sequence[Outcome], claims: Sequence[Group]) -> Record:
    """Return the coverage batch of a critic's gaps and the analysers' votes on them (C-065)."""
    dispatches = [
        {"workerId": one.worker_id, "status": one.status, "durationMs": one.duration_ms}
        for one in outcomes
    ]
    votes = {
        (vote.finding_id, one.worker_id): {"workerId": one.worker_id, **vote.members()}
        for one in outcomes
        for vote in one.votes
    }
    gaps = [
        {
            "gapId": claim.finding_id,
            "claim": claim.claim,
            "evidence": list(claim.evidence),
            "votes": [vote for (name, _), vote in votes.items() if name == claim.finding_id],
        }
        for claim in claims
    ]
    told = {"modelExecutionValue": model, "dispatches": dispatches, "gaps": gaps}
    return {"schemaVersion": SCHEMA, **told}
