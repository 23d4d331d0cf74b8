"""The words of `okstra convergence` and what each does (C-010 to C-020)."""

from __future__ import annotations

import gc
import json
from typing import Any, Sequence

from okstra_ctl.convergence import (
    answers,
    answers_files,
    document_files,
    examples,
    replaying,
    seeding,
    showing,
    stepping,
)
from okstra_ctl.convergence.engine import ConvergenceEngine
from okstra_ctl.convergence.working import FINAL, WORKING
from okstra_kernel import Refusal, UserError, display

_ENGINE = ConvergenceEngine()
Answer = tuple[int, str]


def run(arguments: dict[str, Any]) -> Answer:
    """Do what was asked. Raises UserError.

    Votes make many small values and no cycles: looking for those takes half the time (Q-20).
    """
    gc.disable()
    verb = next(name for name in _VERBS if arguments[name])
    return _VERBS[verb](arguments)


def _group(arguments: dict[str, Any]) -> Answer:
    results = pairs("--result", arguments["--result"])
    adversarial = _mode(arguments) == answers.ADVERSARIAL
    return _ok(answers_files.groups(results, arguments["--output"], adversarial=adversarial))


def _seed(arguments: dict[str, Any]) -> Answer:
    names = ("--groups", "--work-state", "--final-state", "--migration-dir")
    paths = [arguments[name] for name in names]
    return _ok(seeding.seed(*paths, restart=arguments["--restart-from-round0"]))


def _plan_round(arguments: dict[str, Any]) -> Answer:
    return _ok(stepping.plan_round(arguments["--work-state"], arguments["--plan"]))


def _collect_results(arguments: dict[str, Any]) -> Answer:
    return _ok(
        answers_files.collect(
            arguments["--plan"],
            _mode(arguments),
            pairs("--result", arguments["--result"]),
            pairs("--dispatch", arguments["--dispatch"]),
            arguments["--output"],
        )
    )


def _apply_round(arguments: dict[str, Any]) -> Answer:
    paths = [arguments[name] for name in ("--work-state", "--plan", "--results")]
    return _ok(stepping.apply_round(*paths))


def _apply_critic_gaps(arguments: dict[str, Any]) -> Answer:
    return _ok(stepping.apply_gaps(arguments["--work-state"], arguments["--results"]))


def _finalize(arguments: dict[str, Any]) -> Answer:
    return _ok(stepping.finalize(arguments["--work-state"], arguments["--output"]))


def _validate(arguments: dict[str, Any]) -> Answer:
    kind, path = arguments["--kind"], arguments["--state"]
    if kind not in (WORKING, FINAL):
        raise UserError(f"no such kind of state: --kind={kind}; it is {WORKING} or {FINAL}")
    record = document_files.read(path).record
    try:
        if record.text("kind") != kind:
            raise record.fault("kind", f"expected {kind}, found {record.text('kind')!r}")
        _ENGINE.check(record)
    except UserError as err:
        raise Refusal(str(err), details=err.details) from err
    return _ok({"ok": True, "state": path, "kind": kind})


def _example(arguments: dict[str, Any]) -> Answer:
    kind = arguments["--kind"]
    if kind not in examples.KINDS:
        raise UserError(f"no such example: --kind={kind}; there are {', '.join(examples.KINDS)}")
    return 0, json.dumps(examples.example(kind), ensure_ascii=False, indent=2)


def _replay(arguments: dict[str, Any]) -> Answer:
    found = replaying.replay(arguments["--run-dir"], arguments["--seq"] or "")
    return (2 if found["differences"] else 0), display.document(found)


def _show(arguments: dict[str, Any]) -> Answer:
    state = showing.load(arguments["--run-dir"], arguments["--seq"] or "")
    if display.wants_json(arguments["--json"]):
        return 0, display.document(state)
    return 0, showing.table(state)


_VERBS = {
    "group": _group,
    "seed": _seed,
    "plan-round": _plan_round,
    "collect-results": _collect_results,
    "apply-round": _apply_round,
    "apply-critic-gaps": _apply_critic_gaps,
    "finalize": _finalize,
    "validate": _validate,
    "example": _example,
    "replay": _replay,
    "show": _show,
}


def pairs(option: str, words: Sequence[str]) -> dict[str, str]:
    """Return `<worker>=<value>` words by worker. Raises UserError (C-036)."""
    found: dict[str, str] = {}
    for word in words:
        worker, equals, value = word.partition("=")
        if not (worker and equals and value):
            raise UserError(f"not <worker>=<value>: {option}={word}")
        if worker in found:
            raise UserError(f"{option}: a second time: {worker}")
        found[worker] = value
    return found


def _mode(arguments: dict[str, Any]) -> str:
    mode = arguments["--mode"]
    if mode not in answers.WORDS:
        raise UserError(f"no such mode: --mode={mode}; it is {' or '.join(answers.WORDS)}")
    return str(mode)


def _ok(value: dict[str, Any]) -> Answer:
    return 0, display.document({"schemaVersion": 1, **value})
