"""What the turns of a run are about to be, from its manifest and the files they read (H-026)."""

from __future__ import annotations

import os
from typing import Iterable, Sequence

from okstra_ctl.convergence import working
from okstra_ctl.dispatch import worker_prompt_files
from okstra_ctl.dispatch.run_files import RunFiles
from okstra_ctl.drive import facts_files, names, progress
from okstra_ctl.drive.costs import FREE, Prices, Turn
from okstra_ctl.drive.progress import UNSTARTED, Facts, Seat
from okstra_ctl.providers import models, models_files
from okstra_kernel import UserError

_VERIFIER_TEXT = 8 << 10  # bytes of a reviewer's prompt beside its claims, about


def plan(run: RunFiles, facts: Facts, round_limit: int) -> list[Turn]:
    """Return every turn that may still be started, with how often at most."""
    rounds_left = 0 if facts.decided else round_limit
    found = [
        _turn(run, progress.INITIAL, seat.worker_id, _first_prompt(run, seat.worker_id), 1)
        for seat in facts.analysers
        if seat.state == UNSTARTED
    ]
    if rounds_left:
        found += [
            _turn(run, progress.VERIFY, seat.worker_id, 0, rounds_left) for seat in facts.analysers
        ]
    critic = facts.critic
    if critic is not None and critic.state == UNSTARTED:
        found.append(_turn(run, progress.CRITIC, critic.worker_id, 0, 1))
        found += [_turn(run, progress.GAPS, one.worker_id, 0, 1) for one in facts.analysers]
    if facts.writer.state == UNSTARTED:
        found.append(_turn(run, progress.REPORT, facts.writer.worker_id, 0, 1))
    return found


def of_step(run: RunFiles, step: str, facts: Facts) -> list[Turn]:
    """Return the turns that a step is about to start, with what their prompts weigh."""
    seats: dict[str, Sequence[Seat]] = {
        progress.INITIAL: facts.analysers,
        progress.VERIFY: facts.verifiers,
        progress.CRITIC: [facts.critic] if facts.critic else [],
        progress.GAPS: facts.gap_voters,
        progress.REPORT: [facts.writer],
    }
    names_of = _unstarted(seats.get(step, ()))
    weigh = _first_prompt if step == progress.INITIAL else _later_prompt
    return [_turn(run, step, worker, weigh(run, worker), 1) for worker in names_of]


def prices() -> Prices:
    """Return what is known of prices. Raises UserError for a damaged catalog."""
    catalog = models_files.load_catalog()
    return Prices(_KnownPrices(catalog))


class _KnownPrices(dict[tuple[str, str], float]):
    """Looks a model up when it is asked for: most runs ask for two or three."""

    def __init__(self, catalog: models.Catalog) -> None:
        super().__init__()
        self.catalog = catalog

    def get(self, key: tuple[str, str], default: float | None = None) -> float | None:  # type: ignore[override]
        provider, name = key
        if provider in FREE or not name:
            return default
        try:
            price = models.resolve_model(self.catalog, provider, name).price
        except UserError:
            return default
        return price.input if price else default


def _turn(run: RunFiles, step: str, worker: str, weight: int, most: int) -> Turn:
    row = facts_files.assignment(run, worker)
    return Turn(step, worker, row["provider"], row["modelExecutionValue"], weight, most)


def _first_prompt(run: RunFiles, worker: str) -> int:
    """Return the bytes of an analyser's prompt and of what it is told to read whole."""
    job = names.job(run, facts_files.assignment(run, worker), names.INITIAL, facts_files.ANALYSER)
    return len(worker_prompt_files.of_job(run, job).encode()) + _inputs(run)


def _later_prompt(run: RunFiles, worker: str) -> int:
    path = run.path(names.work(run))
    state = facts_files.work_state(run) if os.path.exists(path) else None
    claims = sum(len(str(working.members(state)["groups"])) for _ in [0]) if state else 0
    return _VERIFIER_TEXT + claims


def _inputs(run: RunFiles) -> int:
    folder = run.manifest["instructionSetPath"].rstrip("/")
    paths = [run.path(f"{folder}/{name}") for name in worker_prompt_files.READ_WHOLE]
    return sum(os.path.getsize(path) for path in paths if os.path.isfile(path))


def _unstarted(seats: Iterable[Seat]) -> list[str]:
    return [seat.worker_id for seat in seats if seat.state == UNSTARTED]
