"""What each step of a run does (H-021). Every one may be done again after a kill (H-024)."""

from __future__ import annotations

from typing import Callable, NamedTuple

from okstra_ctl.convergence import answers, answers_files, seeding, stepping
from okstra_ctl.dispatch.run_files import RunFiles
from okstra_ctl.drive import (
    facts_files,
    finishing,
    gap_steps,
    names,
    progress,
    prompt_files,
    turns_files,
    votes_files,
)
from okstra_ctl.drive.progress import Facts
from okstra_ctl.drive.turns_files import Turns

MIGRATION = "state/archive"  # where old states of a convergence are kept


class Options(NamedTuple):
    """What a drive was told."""

    turns: Turns = Turns()
    max_rounds: int = 0  # 0: what the groups say
    language: str = "en"


Do = Callable[[RunFiles, Facts, Options], None]


def _initial(run: RunFiles, facts: Facts, told: Options) -> None:
    turns_files.first_round(run, facts.analysers, told.turns)


def _group(run: RunFiles, facts: Facts, told: Options) -> None:
    found = {worker: run.path(path) for worker, path in votes_files.results(run).items()}
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
    groups = {group.finding_id: group for group in votes_files.state(run).groups}
    asked = facts_files.batches(run, names.plan(run, number))
    batches = [(worker, [groups[name] for name in found]) for worker, found in asked]
    turns_files.reviews(run, number, batches, facts.verifiers, told.turns)


def _apply(run: RunFiles, facts: Facts, told: Options) -> None:
    number = facts.open_round
    plan, results = run.path(names.plan(run, number)), run.path(names.results(run, number))
    votes_files.collect(run, number, plan, results)
    stepping.apply_round(run.path(names.work(run)), plan, results)


def _critic(run: RunFiles, facts: Facts, told: Options) -> None:
    if facts.critic is None:
        raise ValueError("no critic")
    results = list(votes_files.results(run).values())
    turns_files.one(
        run,
        facts.critic,
        names.CRITIC,
        "critic",
        lambda job: prompt_files.critic(run, job, results),
        told.turns,
    )


def _gaps(run: RunFiles, facts: Facts, told: Options) -> None:
    gap_steps.vote(run, facts.gap_voters, told.turns)


def _coverage(run: RunFiles, facts: Facts, told: Options) -> None:
    gap_steps.apply(run)


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
