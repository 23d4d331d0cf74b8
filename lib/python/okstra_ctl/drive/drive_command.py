"""The words of `okstra drive`: plan first, then a yes, then the run (H-020, H-025 to H-027)."""

from __future__ import annotations

import os
import sys
from typing import Any

from okstra_ctl.dispatch import blame_files, board, run_files
from okstra_ctl.dispatch.run_files import RunFiles
from okstra_ctl.drive import costs, driving, estimate_files, facts_files, progress, spending_files
from okstra_ctl.drive.costs import Budget, Prices
from okstra_ctl.drive.driving import Ended
from okstra_ctl.drive.progress import Facts
from okstra_ctl.drive.steps import Options
from okstra_ctl.drive.turns_files import Turns
from okstra_ctl.runs import config_files
from okstra_kernel import Refusal, UserError, display, interruption, notice, terminal

LOCAL_SECONDS = "Local Seconds"  # a header that the engines of `local` read
_QUESTION = {
    "en": "Start these turns? Each may cost money. [y/N] ",
    "ko": "위의 작업을 시작할까요? 비용이 들 수 있습니다. [y/N] ",
}
ROUND_LIMIT = 3


def run(arguments: dict[str, Any]) -> tuple[int, str]:
    """Drive a run and return the exit status and how it ended. Raises UserError."""
    until = _step(arguments["--until"] or "")
    max_rounds = _number(arguments, "--max-rounds", 10)
    budget = Budget(_tokens(arguments["--budget-tokens"]), _dollars(arguments["--budget-usd"]))
    found = run_files.load(arguments["--project-root"], arguments["--run-manifest"])
    with blame_files.naming(found, arguments["--run-manifest"]):
        return _planned(found, arguments, until, max_rounds, budget)


def _planned(
    found: RunFiles, arguments: dict[str, Any], until: str, max_rounds: int, budget: Budget
) -> tuple[int, str]:
    """Show the plan, have it agreed to, and drive."""
    facts = facts_files.look(found)
    prices = estimate_files.prices()
    turns = estimate_files.plan(found, facts, max_rounds or ROUND_LIMIT)
    notice.tell(costs.shown(turns, prices, max_rounds or ROUND_LIMIT))
    as_json = arguments["--json"] or not sys.stdout.isatty()
    if arguments["--dry-run"]:
        return 0, _text(found, Ended("dry run", "", "nothing was started"), as_json)
    _confirm(found, turns, arguments["--yes"])
    parallel = _number(arguments, "--max-parallel", 999)
    seconds = _number(arguments, "--local-seconds", 3600)
    headers = {LOCAL_SECONDS: str(seconds)} if seconds else {}
    why, next_step = "its workers go on", "the same again, or okstra team teardown"
    with interruption.told(why, next_step), board.watching(arguments["--json"]) as watch:
        ended = driving.drive(
            found,
            Options(Turns(parallel, watch, headers), max_rounds),
            until=until,
            allow=lambda step, now: _over(found, step, now, budget, prices),
        )
    return ended.status, _text(found, ended, as_json)


def _over(run: RunFiles, step: str, facts: Facts, budget: Budget, prices: Prices) -> str:
    """Return why a step's turns would go beyond the budget, or an empty text."""
    if budget == Budget():
        return ""
    spent = spending_files.spent(run)
    return costs.exceeded(budget, spent, estimate_files.of_step(run, step, facts), prices)


def _confirm(run: RunFiles, turns: list[costs.Turn], yes: bool) -> None:
    """Ask before the first turn that costs money (Z-004). Raises UserError without a yes."""
    if yes or not any(turn.paid for turn in turns):
        return
    again = f"{driving.again(run)} --yes"
    if not terminal.is_there():
        raise UserError("there is no terminal to ask on; nothing was started", next_step=again)
    language = config_files.language(run.home, os.environ)
    if terminal.ask(_QUESTION[language]) not in ("y", "Y"):
        raise Refusal("cancelled; nothing was started", next_step=again)


def _text(run: RunFiles, ended: Ended, as_json: bool) -> str:
    told = driving.summary(run, ended)
    if as_json:
        return display.document({"schemaVersion": 1, **told})
    words = [ended.word, ended.step, ended.detail]
    lines = [": ".join(filter(None, words))]
    lines += [f"report: {run.path(told['report'])}"] if told["report"] else []
    return "\n".join(map(display.visible, lines))


def _step(name: str) -> str:
    if name and name not in progress.STEPS:
        raise UserError(f"no such step: --until={name}; there are {', '.join(progress.STEPS)}")
    return name


def _number(arguments: dict[str, Any], option: str, most: int) -> int:
    text = arguments[option]
    if text is None:
        return 0
    if not (text.isascii() and text.isdigit() and 0 < int(text[:9]) <= most and len(text) < 9):
        raise UserError(f"not a number from 1 to {most}: {option}={text}")
    return int(text)


def _tokens(text: str | None) -> int | None:
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 16):
        raise UserError(f"not a number of tokens: --budget-tokens={text}")
    return int(text)


def _dollars(text: str | None) -> float | None:
    if text is None:
        return None
    whole, _, part = text.partition(".")
    if not (f"{whole}{part}".isascii() and f"{whole}{part}".isdigit() and len(text) < 16):
        raise UserError(f"not an amount of dollars: --budget-usd={text}")
    return float(text)
