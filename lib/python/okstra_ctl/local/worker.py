"""One turn of a worker of `local`: a prompt in, result and audit sidecar out (H-030, H-031)."""

from __future__ import annotations

import hashlib
import json
import os
import sys
import time
from typing import Any, Sequence

from okstra_ctl.convergence.ballot import SCHEMA
from okstra_ctl.evidence import citation_files, contract, result
from okstra_ctl.evidence.citation import Citation
from okstra_ctl.local import (
    analysing,
    answer,
    assignment,
    brief_clues,
    engines,
    reporting,
    verifying,
)
from okstra_ctl.local.answer import Read
from okstra_ctl.local.assignment import Assignment, Claim
from okstra_ctl.local.engines import Project
from okstra_ctl.providers import local, registry
from okstra_ctl.reportdata import report
from okstra_ctl.runs.run_ref import CATEGORIES
from okstra_kernel import UserError, notice, plain_file, store
from okstra_project.dirs import OKSTRA_DIR_NAME
from okstra_project.root import is_checkout

DEFAULT_SECONDS = 20.0
_LARGEST_INPUT = 64 << 20
_EVERY = 2.0  # seconds between two lines of progress


class _Beats:
    """Tells how far the work is: on stderr, and later in the sidecar (H-013)."""

    def __init__(self) -> None:
        self.told: list[tuple[float, str]] = []
        self._last = time.monotonic()

    def tell(self, text: str) -> None:
        self.told.append((time.time(), text))
        notice.tell(f"okstra-local-worker: {text}")

    def tick(self, done: int) -> None:
        if time.monotonic() - self._last > _EVERY:
            self._last = time.monotonic()
            self.tell(f"{done} files")


def run(arguments: dict[str, Any]) -> tuple[int, str]:
    """Do what the prompt on stdin asks. Return exit status and the final event, a line of JSON.

    Raises UserError for a prompt that cannot be followed; then nothing is written.
    """
    data = sys.stdin.buffer.read(assignment.LARGEST + 1)
    if len(data) > assignment.LARGEST:
        raise UserError(f"the prompt is larger than {assignment.LARGEST >> 20} MiB")
    task = assignment.read(data.decode("utf-8", "replace"))
    engine = engines.named(arguments["--engine"] or task.identity.model)
    registry.refuse_role(local.SPEC.name, task.role)
    task = task._replace(identity=task.identity._replace(model=engine, provider=local.SPEC.name))
    seconds = _seconds(arguments["--local-seconds"] or task.seconds)
    count = _work(task, engine, seconds)
    event = {"type": local.EVENT, "ok": True, "engine": engine, "role": task.role, "blocks": count}
    return 0, json.dumps(event)


def _work(task: Assignment, engine: str, seconds: float) -> int:
    """Do the work and write its files. Return how many findings or verdicts it came to."""
    root = os.path.realpath(task.root)
    places = [
        _below(root, path, name) for path, name in ((task.result, "Result"), (task.audit, "Audit"))
    ]
    beats = _Beats()
    if task.role == assignment.WRITER:
        return _report(task, root, places, beats)
    beats.tell("reading the brief")
    inputs = _confirmed(task, root)
    where = engines.project(_looked_at(root), _text(task.brief))
    beats.tell(f"{len(where.paths)} files, {len(where.named)} of them named by the brief")
    text, count = _answer(task, engine, where, seconds, inputs, beats)
    beats.tell(f"done: {count}")
    opened = [] if task.result.endswith(".json") else _cited(text, task, where)
    store.write_text(root, places[1], answer.audit(inputs, opened, beats.told))
    store.write_text(root, places[0], text)
    return count


def _answer(
    task: Assignment,
    engine: str,
    where: Project,
    seconds: float,
    inputs: Sequence[Read],
    beats: _Beats,
) -> tuple[str, int]:
    odd = tuple(line for one in inputs if (line := answer.difference(one)))
    if task.reverifies:
        found = verifying.verify(engine, where, task.claims, seconds, beats.tick)
        return answer.verdicts(task.identity, found, task.mode), len(found)
    if task.role == assignment.CRITIC:
        gaps = analysing.criticise(where, (*task.claims, *_results(task, where.root)))
        if task.result.endswith(".json"):
            return store.json_bytes(_gaps(task, gaps)).decode(), len(gaps.hits)
    else:
        kind = task.identity.taskType
        gaps = analysing.analyse(engine, where, seconds, beats.tick, kind)
    text = answer.findings(task.identity, gaps.hits, gaps.texts, (*gaps.notes, *odd))
    return text, len(gaps.hits)


def _results(task: Assignment, root: str) -> list[Claim]:
    """Return the findings of the results that a critic's prompt names among its inputs (C-062)."""
    found = []
    for one in task.inputs:
        if f"/{CATEGORIES['workerResults']}/" not in one.path:
            continue
        data = plain_file.read(os.path.join(root, one.path), one.path, limit=_LARGEST_INPUT)
        for finding in result.read(data).findings:
            told = Claim(finding.id, finding.title, finding.statement, finding.evidence)
            found.append(told)
    return found


def _report(task: Assignment, root: str, places: Sequence[str], beats: _Beats) -> int:
    """Write a report's data and the sidecar. Return how many findings it has (H-031)."""
    if not task.result.endswith(report.DATA):
        raise UserError(f"local writes a report as {report.DATA} alone, not: {task.result}")
    beats.tell("reading the run's records")
    written = reporting.write(root, task.headers)
    told = {one.path for one in task.inputs}
    inputs = [one for one in written.inputs if one.path not in told]
    beats.tell(f"done: {written.findings}")
    confirmed = _confirmed(task, root) if told or task.brief else []
    store.write_text(root, places[1], answer.audit([*confirmed, *inputs], [], beats.told))
    store.write(root, places[0], written.data)
    return written.findings


def _gaps(task: Assignment, found: analysing.Findings) -> dict[str, Any]:
    """Return the critic's document (C-062)."""
    gaps = [
        {
            "gapId": f"G-{number:03d}",
            "claim": hit.statement,
            "evidence": [str(hit.place)] if hit.start else [],
        }
        for number, hit in enumerate(found.hits, 1)
    ]
    return {"schemaVersion": SCHEMA, "workerId": task.identity.workerId, "gaps": gaps}


def _cited(text: str, task: Assignment, where: Project) -> list[Citation]:
    """Return the places that an answer cites and that were opened; look at it as others will."""
    found = contract.read(text.encode(), task.identity)
    if found.violations:
        first = found.violations[0]
        raise UserError(f"the answer would break its contract: line {first.line}: {first.message}")
    if isinstance(found, result.Result):
        places = [place for _, place in found.cited]
    else:
        places = [place for one in found.answers for place in one.cited]
    return [place for place in places if citation_files.exists(where.root, place)]


def _confirmed(task: Assignment, root: str) -> list[Read]:
    """Return the inputs of the prompt, the brief at least, with their hashes as they are now."""
    told = {one.path: one.sha256 for one in task.inputs}
    if task.brief and task.brief not in {os.path.join(root, path) for path in told}:
        told[task.brief] = ""
    found = []
    for path, sha in told.items():
        try:
            data = plain_file.read(os.path.join(root, path), path, limit=_LARGEST_INPUT)
        except UserError:
            found.append(Read(path, "", sha))
            continue
        found.append(Read(path, hashlib.sha256(data).hexdigest()[:12], sha))
    if not any(one.sha256 for one in found):
        raise UserError("no input of the prompt can be read, not even a brief")
    return found


def _text(path: str) -> str:
    if not path:
        return ""
    data = plain_file.read(path, path, limit=4 * brief_clues.LARGEST)
    return data.decode("utf-8", "replace")


def _looked_at(root: str) -> str:
    """Return the folder that is looked at: a checkout in which the worker stands, else the project.

    Who verifies code stands in a throwaway checkout of the commit under test (Z-011b).
    """
    here = os.path.realpath(os.getcwd())
    return here if here != root and is_checkout(here) else root


def _below(root: str, path: str, name: str) -> str:
    """Return a path relative to the project; only okstra's own folder is written to."""
    relative = os.path.relpath(path, root)
    if not os.path.isabs(path) or not relative.startswith(f"{OKSTRA_DIR_NAME}/"):
        raise UserError(f"{name} Path is no place of okstra's in the project: {path}")
    return relative


def _seconds(text: str) -> float:
    """Return the time that may be spent on files, in seconds. Raises UserError."""
    if not text:
        return DEFAULT_SECONDS
    if not (text.isascii() and text.isdigit() and len(text) < 7):
        raise UserError(f"not a number of seconds: --local-seconds={text}")
    return float(text)
