"""`okstra worker-audit-check`: the results of one run and their audit sidecars (D-160 to D-165)."""

from __future__ import annotations

import os
import re
from typing import Iterator, NamedTuple

from okstra_ctl.evidence import audit, contract, document
from okstra_ctl.evidence import violation as rules
from okstra_ctl.evidence.audit import Failure, Sidecar
from okstra_ctl.evidence.front_matter import Identity
from okstra_ctl.evidence.result import Result
from okstra_ctl.evidence.reverify import KIND, Reverification
from okstra_ctl.runs.run_ref import CATEGORIES
from okstra_kernel import Refusal, UserError, display, notice, plain_file
from okstra_project.slug import slugify

_AUDIT = "-audit"  # behind the stem of the result that a sidecar belongs to
_LARGEST_PROMPT = 16 << 20


class Run(NamedTuple):
    """Where the files of one run of a phase lie."""

    folder: str
    task_type: str
    seq: str

    @property
    def ending(self) -> str:
        return f"-{slugify(self.task_type)}-{self.seq}.md"

    def path(self, category: str, stem: str) -> str:
        name = f"{stem}{self.ending}"
        return os.path.join(self.folder, CATEGORIES[category], name)


def report(run_dir: str, task_type: str, seq: str, worker: str = "") -> tuple[int, str]:
    """Return exit status and the failures as JSON.

    Raises UserError for words that name no run, Refusal for what the system cannot read.
    """
    if not re.fullmatch("[0-9]{3,9}", seq):
        raise UserError(f"not a run number of three digits or more: {seq}")
    if not os.path.isdir(run_dir):
        raise UserError(f"not a folder: {run_dir}")
    run = Run(run_dir, task_type, seq)
    names = list(stems(run, worker))
    failures = [failure for name in names for failure in check(run, name)]
    if worker and not names:
        failures = [Failure(worker, rules.RESULT_FILE, f"no result file of {task_type} {seq}")]
    elif not names:
        notice.tell(f"worker-audit-check: no result of {notice.printable(task_type)} {seq} yet")
    members = {"ok": not failures, "failures": [one.json() for one in failures]}
    return (2 if failures else 0), display.document({"schemaVersion": 1, **members})


def check(run: Run, stem: str) -> list[Failure]:
    """Check one result; `stem` is its worker, with the kind of a later dispatch behind it."""
    data, fault = _bytes(run.path("workerResults", stem), document.MAX_BYTES)
    if fault:
        return [Failure(stem, rules.RESULT_FILE, fault)]
    answer = contract.read(data, Identity(taskType=run.task_type, seq=run.seq))
    failures = _failures(stem, "", answer.violations)
    failures += _foreign(stem, answer.identity)
    sidecar, wrong = _sidecar(run, stem)
    failures += wrong
    if sidecar and isinstance(answer, Result) and _ledger_asked(run, stem, answer):
        for number, place in audit.uncovered(answer.cited, sidecar.read):
            what = f"no Evidence read row for {place}"
            failures.append(Failure(stem, rules.EVIDENCE_ROW, what, str(place), number))
    return failures


def _sidecar(run: Run, stem: str) -> tuple[Sidecar | None, list[Failure]]:
    """Return the sidecar of a result, None without one, and what is wrong with it."""
    path = run.path("workerResults", f"{stem}{_AUDIT}")
    name = os.path.basename(path)
    if not os.path.lexists(path):
        return None, [Failure(stem, rules.AUDIT_SIDECAR, f"no audit sidecar: {name}")]
    data, fault = _bytes(path, document.MAX_BYTES)
    if fault:
        return None, [Failure(stem, rules.AUDIT_SIDECAR, f"{name}: {fault}")]
    sidecar = audit.read(data.decode("utf-8", "replace"))
    return sidecar, _failures(stem, f"{name}: ", sidecar.violations)


def _foreign(stem: str, identity: Identity) -> list[Failure]:
    """Name a result that another worker says to have written (XI-16)."""
    worker = identity.workerId
    if not worker or stem in (worker, f"{worker}-{identity.dispatchKind}"):
        return []
    return [Failure(stem, rules.IDENTITY, f"the file is {stem}'s, its workerId is {worker}")]


def _failures(stem: str, of: str, violations: tuple[rules.Violation, ...]) -> list[Failure]:
    return [
        Failure(stem, one.rule, f"{of}line {one.line}: {one.message}", "", one.line)
        for one in violations
    ]


def _ledger_asked(run: Run, stem: str, answer: Result | Reverification) -> bool:
    """Tell whether the prompt of this result asks for the ledger; none there asks for nothing."""
    kind = answer.identity.dispatchKind
    for name in dict.fromkeys((stem, f"{stem}-{kind or 'initial'}", f"{stem}-initial")):
        path = run.path("prompts", name)
        if os.path.lexists(path):
            data, fault = _bytes(path, _LARGEST_PROMPT)
            if fault:
                raise Refusal(f"{path}: {fault}")
            if audit.asks_for_ledger(data.decode("utf-8", "replace")):
                return True
    return False


def stems(run: Run, worker: str) -> Iterator[str]:
    """Yield the stems of a run's results in order; sidecars are none (D-162)."""
    try:
        names = sorted(os.listdir(os.path.join(run.folder, CATEGORIES["workerResults"])))
    except FileNotFoundError:
        return
    except OSError as err:
        raise Refusal(f"{run.folder}: {err.strerror}") from err
    for name in names:
        stem = name.removesuffix(run.ending)
        if stem in (name, "") or stem.endswith(_AUDIT) or name.startswith("."):
            continue
        if not worker or stem == worker or _of_worker(stem, worker):
            yield stem


def _of_worker(stem: str, worker: str) -> bool:
    rest = stem.removeprefix(f"{worker}-")
    return rest != stem and bool(KIND.fullmatch(rest))


def _bytes(path: str, limit: int) -> tuple[bytes, str]:
    """Return what a file holds, up to the limit and one byte more, or why it is not read."""
    if os.path.islink(path):
        return b"", "a link, and okstra writes none (Z-101)"
    try:
        return plain_file.read(path, os.path.basename(path), limit=limit), ""
    except UserError as err:
        return b"", str(err)
