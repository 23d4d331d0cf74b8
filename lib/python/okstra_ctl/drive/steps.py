"""What each step of a run does (H-021). Every one may be done again after a kill (H-024)."""

from __future__ import annotations

from typing import Callable, NamedTuple, Sequence

from okstra_ctl.convergence import answers, answers_files, document_files, seeding, stepping
from okstra_ctl.convergence.ballot import COMPLETED, SCHEMA, Group, Outcome
from okstra_ctl.convergence.working import State, batch_members
from okstra_ctl.dispatch.run_files import RunFiles
from okstra_ctl.drive import (
    facts_files,
    finishing,
    names,
    progress,
    prompt_files,
    seats,
    turns_files,
)
from okstra_ctl.drive.progress import Facts
from okstra_ctl.drive.turns_files import Turns
from okstra_ctl.evidence.findings import Finding
from okstra_ctl.runs import team_state, team_state_files
from okstra_kernel import UserError, strict_json

MIGRATION = "state/archive"  # where old states of a convergence are kept
Record = facts_files.Record


class Options(NamedTuple):
    """What a drive was told."""

    turns: Turns = Turns()
    max_rounds: int = 0  # 0: what the groups say
    language: str = "en"


Do = Callable[[RunFiles, Facts, Options], None]


def _initial(run: RunFiles, facts: Facts, told: Options) -> None:
    turns_files.first_round(run, facts.analysers, told.turns)


def _group(run: RunFiles, facts: Facts, told: Options) -> None:
    found = {worker: run.path(path) for worker, path in _results(run).items()}
    adversarial = facts_files.mode(run) == answers.ADVERSARIAL
    output = run.path(names.groups(run))
    answers_files.groups(found, output, adversarial=adversarial, round_limit=told.max_rounds)


def _seed(run: RunFiles, facts: Facts, told: Options) -> None:
    seeding.seed(
        run.path(names.groups(run)),
        run.path(names.work(run)),
        run.path(names.final(run)),
        run.path(f"{run.run_dir}/{MIGRATION}"),
        restart=False,
    )


def _plan(run: RunFiles, facts: Facts, told: Options) -> None:
    plan = names.plan(run, facts.open_round)
    stepping.plan_round(run.path(names.work(run)), run.path(plan))


def _verify(run: RunFiles, facts: Facts, told: Options) -> None:
    number = facts.open_round
    groups = {group.finding_id: group for group in _state(run).groups}
    asked = facts_files.batches(run, names.plan(run, number))
    batches = [(worker, [groups[name] for name in found]) for worker, found in asked]
    turns_files.reviews(run, number, batches, facts.verifiers, told.turns)


def _apply(run: RunFiles, facts: Facts, told: Options) -> None:
    number = facts.open_round
    plan, results = run.path(names.plan(run, number)), run.path(names.results(run, number))
    _collect(run, number, plan, results)
    stepping.apply_round(run.path(names.work(run)), plan, results)


def _collect(run: RunFiles, number: int, plan: str, output: str) -> None:
    """Write the results of a round, from what was published and recorded (D-068)."""
    records, kind = _records(run), names.reverify(number)
    found, ended = {}, {}
    for worker, _ in facts_files.batches(run, plan):
        record = seats.newest(records, worker, kind)
        if record is None or record["status"] not in team_state.TERMINAL:
            raise UserError(f"{worker} has not ended: {kind}")
        ended[worker] = f"{record['status']}:{record['durationMs'] or 0}"
        if record["status"] == COMPLETED:
            found[worker] = run.path(record["resultPath"])
    answers_files.collect(plan, facts_files.mode(run), found, ended, output)


def _critic(run: RunFiles, facts: Facts, told: Options) -> None:
    if facts.critic is None:
        raise ValueError("no critic")
    results = list(_results(run).values())
    turns_files.one(
        run,
        facts.critic,
        names.CRITIC,
        "critic",
        lambda job: prompt_files.critic(run, job, results),
        told.turns,
    )


def _gaps(run: RunFiles, facts: Facts, told: Options) -> None:
    state = _state(run)
    claims = _gap_claims(facts_files.gaps(run, _records(run)))
    voters = [voter.worker_id for voter in state.roster]
    number = facts_files.gap_round(state)
    asked = [(worker, tuple(claim.finding_id for claim in claims)) for worker in voters]
    plan = {"schemaVersion": SCHEMA, "round": number, "batches": batch_members(asked)}
    document_files.write(run.path(names.gap_plan(run)), plan)
    batches: list[tuple[str, Sequence[Group]]] = [(worker, claims) for worker in voters]
    turns_files.reviews(run, number, batches, facts.gap_voters, told.turns)


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


def _coverage(run: RunFiles, facts: Facts, told: Options) -> None:
    state = _state(run)
    plan, results = run.path(names.gap_plan(run)), run.path(names.gap_results(run))
    _collect(run, facts_files.gap_round(state), plan, results)
    outcomes = [Outcome.of(row) for row in strict_json.read(results).records("outcomes")]
    claims = _gap_claims(facts_files.gaps(run, _records(run)))
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


def _decide(run: RunFiles, facts: Facts, told: Options) -> None:
    stepping.finalize(run.path(names.work(run)), run.path(names.final(run)))


def _draft(run: RunFiles, facts: Facts, told: Options) -> None:
    finishing.draft(run, told.language)


def _report(run: RunFiles, facts: Facts, told: Options) -> None:
    turns_files.one(
        run,
        facts.writer,
        names.WRITER,
        names.WRITER,
        lambda job: prompt_files.writer(run, job, told.language),
        told.turns,
    )


def _finalize(run: RunFiles, facts: Facts, told: Options) -> None:
    finishing.finalize(run)


DO: dict[str, Do] = {
    progress.INITIAL: _initial,
    progress.GROUP: _group,
    progress.SEED: _seed,
    progress.PLAN: _plan,
    progress.VERIFY: _verify,
    progress.APPLY: _apply,
    progress.CRITIC: _critic,
    progress.GAPS: _gaps,
    progress.COVERAGE: _coverage,
    progress.DECIDE: _decide,
    progress.DRAFT: _draft,
    progress.REPORT: _report,
    progress.FINALIZE: _finalize,
}


def _state(run: RunFiles) -> State:
    state = facts_files.work_state(run)
    if state is None:
        raise UserError(f"not there: {names.work(run)}")
    return state


def _records(run: RunFiles) -> list[Record]:
    found: list[Record] = team_state_files.read(run.path(run.team_state))["workerDispatches"]
    return found


def _results(run: RunFiles) -> dict[str, str]:
    return facts_files.sound_results(run, _records(run))
