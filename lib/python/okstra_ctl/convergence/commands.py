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
)
from okstra_ctl.convergence.engine import ConvergenceEngine
from okstra_ctl.convergence.working import FINAL, WORKING
from okstra_kernel import Refusal, UserError, display
from okstra_kernel.strict_json import Record

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
    plan = _ENGINE.plan(document_files.read(arguments["--work-state"]).record)
    if plan is None:
        return _ok({"ok": True, "done": True})
    document_files.write(arguments["--plan"], plan)
    asked = sum(len(batch["findingIds"]) for batch in plan["batches"])
    told = {"round": plan["round"], "plan": arguments["--plan"], "votes": asked}
    return _ok({"ok": True, "done": False, **told})


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
    path = arguments["--work-state"]
    with document_files.locked(path):
        plan = document_files.read(arguments["--plan"])
        results = document_files.read(arguments["--results"])
        state = document_files.read(path).record
        after = _ENGINE.apply(state, plan.record, results.record)
        step = f"round-{len(after['rounds'])}"
        document_files.note(path, step, {"plan": plan, "results": results})
        document_files.write(path, after)
    left = _ENGINE.plan(Record(after, path)) is not None
    return _ok({"ok": True, "workState": path, "round": len(after["rounds"]), "done": not left})


def _apply_critic_gaps(arguments: dict[str, Any]) -> Answer:
    path = arguments["--work-state"]
    with document_files.locked(path):
        batch = document_files.read(arguments["--results"])
        after = _ENGINE.apply_gaps(document_files.read(path).record, batch.record)
        document_files.note(path, "coverage", {"batch": batch})
        document_files.write(path, after)
    return _ok({"ok": True, "workState": path, "gaps": len(after["coverage"]["gaps"])})


def _finalize(arguments: dict[str, Any]) -> Answer:
    state = _ENGINE.finish(document_files.read(arguments["--work-state"]).record)
    document_files.write(arguments["--output"], state)
    return _ok({"ok": True, "output": arguments["--output"], "classes": showing.counts(state)})


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
