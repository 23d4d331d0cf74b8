"""A worker's answer in its outbox against the contract and what its round asked (H-010 to H-014).

What is found here is what collecting the votes and the last check of the run would find; now the
worker can still be run again.
"""

from __future__ import annotations

import os
import re

from okstra_ctl.convergence import answers, run_names, working
from okstra_ctl.dispatch import prompt_contract, retry
from okstra_ctl.dispatch.outcome import INVALID, Product
from okstra_ctl.dispatch.records import Record
from okstra_ctl.dispatch.run_files import RunFiles
from okstra_ctl.evidence import audit, contract, document, reverify
from okstra_ctl.evidence.front_matter import Identity
from okstra_ctl.evidence.result import Result
from okstra_ctl.evidence.reverify import Reverification
from okstra_ctl.evidence.violation import Violation
from okstra_kernel import plain_file, strict_json

_ROUND = re.compile(r"reverify-r([0-9]+)")
_SOUND = Product("")


def result(run: RunFiles, record: Record, data: bytes) -> tuple[Product, Result | Reverification]:
    """Judge a result, and return it as it was read."""
    asked = _asked(run, record)
    identity = _identity(run, record)
    read: Result | Reverification
    if asked is None:
        read = contract.read(data, identity)
    else:
        words = answers.WORDS[mode(run)]
        read = reverify.read(data, identity, words, asked)
    return Product(read.reason, _first(read.violations)), read


def sidecar(
    run: RunFiles, record: Record, data: bytes, answer: Result | Reverification | None
) -> Product:
    """Judge the audit sidecar of a result (D-161); `answer` is None for a JSON product."""
    found = audit.read(data[: document.MAX_BYTES].decode("utf-8", "replace"))
    if found.violations:
        return Product(INVALID, f"audit.md: {_first(found.violations)}")
    if not isinstance(answer, Result) or not _ledger(run, record):
        return _SOUND
    for number, place in audit.uncovered(answer.cited, found.read):
        what = f"line {number}: no Evidence read row in audit.md for {place}"
        return Product(INVALID, what)
    return _SOUND


def _asked(run: RunFiles, record: Record) -> tuple[str, ...] | None:
    """Return the findings that a round put to this worker; None where no plan says so."""
    kind = _ROUND.fullmatch(record["dispatchKind"].removesuffix(retry.SUFFIX))
    if kind is None:
        return None
    number = int(kind[1])
    names = run.task_type, run.seq
    for name in (run_names.plan(number, *names), run_names.gap_plan(*names)):
        path = run.path(f"{run.run_dir}/{name}")
        if not os.path.isfile(path):
            continue
        plan = strict_json.read(path)
        if plan.integer("round") == number:
            return dict(working.batches_of(plan)).get(record["workerId"])
    return None


def mode(run: RunFiles) -> str:
    """Return the mode of the votes, which is a property of the run (C-009)."""
    adversarial = run.manifest.get("convergence", {}).get("adversarial", True)
    return answers.ADVERSARIAL if adversarial else answers.COLLABORATIVE


def _ledger(run: RunFiles, record: Record) -> bool:
    path = record["promptPath"]
    prompt = plain_file.read(run.path(path), path, limit=prompt_contract.LIMIT)
    return audit.asks_for_ledger(prompt.decode("utf-8", "replace"))


def _first(violations: tuple[Violation, ...]) -> str:
    return next((f"line {one.line}: {one.message}" for one in violations), "")


def _identity(run: RunFiles, record: Record) -> Identity:
    """Return who should have written the result, and for what (XI-16)."""
    return Identity(
        workerId=record["workerId"],
        provider=record["provider"],
        taskKey=run.key.text,
        taskType=run.task_type,
        seq=run.seq,
        dispatchKind=record["dispatchKind"],
    )
