"""`replay`: everything computed once more from the files of a run, and compared (Z-020, C-017).

Looked at are the working state, the list of what was fed to it, every file on that list, the
answers that votes and findings were read from, and the final state. Whether a cited line exists is
not looked up again: the project may have moved on; what was found then stands with the vote.
"""

from __future__ import annotations

import os
from typing import Any

from okstra_ctl.convergence import answers, document_files, run_names
from okstra_ctl.convergence.answers import Response
from okstra_ctl.convergence.ballot import Members, Outcome, vote_members
from okstra_ctl.convergence.engine import ConvergenceEngine
from okstra_ctl.convergence.working import State
from okstra_kernel import UserError, jsonl, store
from okstra_kernel.strict_json import Record

_ENGINE = ConvergenceEngine()
_MEMBERS = 5  # of a row of the list


def replay(run_dir: str, seq: str) -> dict[str, Any]:
    """Return what was looked at and every difference, the first one first. Raises UserError."""
    task_type, seq = run_names.newest(run_dir, seq)
    work = os.path.join(run_dir, run_names.work_state(task_type, seq))
    final = os.path.join(run_dir, run_names.final_state(task_type, seq))
    checked: list[str] = []
    differences: list[str] = []

    def look(path: str, expected: bytes) -> None:
        checked.append(os.path.relpath(path, run_dir))
        differences.extend(_difference(path, checked[-1], expected))

    try:
        record = document_files.read(work).record
        inputs = _Inputs(run_dir, work)
        made = _folded(inputs, _ENGINE.state(record))
        checked += inputs.used
        look(work, store.json_rows_bytes(made))
        for path, faults in _answers(run_dir, _ENGINE.state(Record(made, work))):
            checked.append(path)
            differences.extend(faults)
        if os.path.exists(final):
            look(final, store.json_rows_bytes(_ENGINE.finish(Record(made, work))))
    except UserError as err:
        differences += [str(err), *err.details]
    told = {"taskType": task_type, "seq": seq, "checked": list(dict.fromkeys(checked))}
    return {"schemaVersion": 1, "ok": not differences, **told, "differences": differences}


def _difference(path: str, name: str, expected: bytes) -> list[str]:
    found = document_files.content(path)
    if found == expected:
        return []
    old, new = found.split(b"\n"), expected.split(b"\n")
    line = next(
        (n for n, pair in enumerate(zip(old, new, strict=False)) if pair[0] != pair[1]), None
    )
    if line is None:
        return [f"{name}: {len(old)} lines, recomputed {len(new)}"]
    pairs = enumerate(zip(old[line], new[line], strict=False))
    at = next((n for n, pair in pairs if pair[0] != pair[1]), min(len(old[line]), len(new[line])))
    start = max(0, at - 40)
    shown, made = (text[line][start : at + 40].decode("utf-8", "replace") for text in (old, new))
    return [f"{name}:{line + 1}:{at + 1}: {shown!r}, recomputed {made!r}"]


def _folded(inputs: _Inputs, state: State) -> Members:
    """Return the state that the files of the run make, step by step. Raises UserError."""
    made = _ENGINE.start(inputs.take("seed", "groups"))
    for one in state.rounds:
        step = f"round-{one.number}"
        plan, results = inputs.take(step, "plan"), inputs.take(step, "results")
        made = _ENGINE.apply(Record(made, step), plan, results)
    if state.coverage:
        batch = inputs.take("coverage", "batch")
        made = _ENGINE.apply_gaps(Record(made, "coverage"), batch)
    return made


class _Inputs:
    """The files that were fed to a working state, each as it was then, or a UserError.

    The list is compared with itself as it would be written, so that no byte of it is loose.
    """

    def __init__(self, run_dir: str, work: str) -> None:
        self.run_dir = run_dir
        self.list = document_files.inputs_path(work)
        self.used = [os.path.relpath(self.list, run_dir)]
        self.rows: dict[tuple[str, str], Record] = {}
        written = b""
        for row in jsonl.each(self.list):
            if isinstance(row, str):
                raise UserError(f"{self.list}: {row}")
            row.versioned(1)
            if len(row.members) != _MEMBERS:
                raise UserError(f"{row.where}: not the members of a row")
            self.rows[row.text("step"), row.text("input")] = row  # done again, the later counts
            written += jsonl.encode(row.members)
        if written != document_files.content(self.list):
            raise UserError(f"{self.list}: not as okstra writes it")

    def take(self, step: str, name: str) -> Record:
        """Return the object of a file that was fed in. Raises UserError if it has changed."""
        row = self.rows.get((step, name))
        if row is None:
            raise UserError(f"{self.list}: {name} of {step} is not listed")
        relative = row.text("path")
        self.used.append(relative)
        path = found_path(self.run_dir, relative)
        if path is None:
            raise UserError(f"{relative}: not there: {name} of {step}")
        read = document_files.read(path)
        if read.sha256 != row.text("sha256"):
            raise UserError(f"{relative}: changed since {step} took it in")
        return read.record


def found_path(run_dir: str, relative: str) -> str | None:
    """Return where a file of the run lies: in its place, or in the archive of a run (P-223)."""
    path = os.path.join(run_dir, relative)
    if os.path.isfile(path):
        return path
    archive = os.path.join(run_dir, "archive")
    for name in sorted(os.listdir(archive)) if os.path.isdir(archive) else []:
        moved = os.path.join(archive, name, relative)
        if os.path.isfile(moved):
            return moved
    return None


def _answers(run_dir: str, state: State) -> list[tuple[str, list[str]]]:
    """Return the path of each worker's answer, and what no longer agrees with the state."""
    found = [
        (path, _hash_fault(run_dir, path, sha256, f"the findings of {worker}"))
        for worker, path, sha256 in state.origins
    ]
    mode = answers.ADVERSARIAL if state.adversarial else answers.COLLABORATIVE
    for one in state.rounds:
        names = dict(one.batches)
        for outcome in one.outcomes:
            if outcome.answer:
                asked = names[outcome.worker_id]
                faults = _outcome_faults(run_dir, one.number, asked, mode, outcome)
                found.append((outcome.answer, faults))
    return found


def _hash_fault(run_dir: str, relative: str, sha256: str, what: str) -> list[str]:
    path = found_path(run_dir, relative)
    if path is None:
        return [f"{relative}: not there: {what}"]
    if document_files.sha256(document_files.content(path)) != sha256:
        return [f"{relative}: changed since it was read: {what}"]
    return []


def _outcome_faults(
    run_dir: str, number: int, names: tuple[str, ...], mode: str, outcome: Outcome
) -> list[str]:
    worker = outcome.worker_id
    faults = _hash_fault(run_dir, outcome.answer, outcome.sha256, f"the votes of {worker}")
    if faults:
        return faults
    path = found_path(run_dir, outcome.answer) or ""
    response = Response(document_files.content(path), outcome.answer, outcome.sha256)
    verified = {vote.finding_id: vote.verified for vote in outcome.votes}
    made = answers.results(
        number,
        [(worker, names)],
        mode,
        {worker: response},
        {worker: (outcome.status, outcome.duration_ms)},
        lambda place: False,
    )
    votes = made["outcomes"][0]["votes"]
    told = [{**vote, "basisVerified": verified[vote["findingId"]]} for vote in votes]
    if told != [vote_members(vote) for vote in outcome.votes]:
        return [f"{outcome.answer}: its votes are not those of the state: round {number}, {worker}"]
    return []
