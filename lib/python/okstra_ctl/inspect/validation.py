"""`okstra validate`: is this file what it claims to be (Z-062, R-127)?"""

from __future__ import annotations

import os
import stat
from typing import Any, Iterable, NamedTuple

from okstra_kernel import UserError, display, jsonl, schemas, strict_json

VALID, INVALID, UNUSABLE = 0, 1, 2  # also the exit status (Z-060)


class Verdict(NamedTuple):
    path: str
    kind: str  # empty: not recognised
    status: int
    rows: int  # artifacts in the file that were judged
    faults: list[str]


def report(paths: Iterable[str], *, as_json: bool) -> tuple[int, str]:
    """Return the worst status of these files, and what to print about them all."""
    verdicts = [judge(path) for path in paths]
    status = max(verdict.status for verdict in verdicts)
    if as_json:
        return status, display.document(_document(status, verdicts))
    return status, "\n".join(line for verdict in verdicts for line in _lines(verdict))


def judge(path: str) -> Verdict:
    """Judge one file; what cannot be read or recognised is a verdict, too."""
    kind = ""
    try:
        _refuse_special(path)
        kind = schemas.recognise(path)
        if next(known.rows for known in schemas.kinds() if known.name == kind):
            return _judge_rows(path, kind)
        faults = schemas.check(strict_json.read(path).members, kind)
    except UserError as err:
        return Verdict(path, kind, UNUSABLE, 0, [str(err)])
    return Verdict(path, kind, INVALID if faults else VALID, 1, faults)


def _judge_rows(path: str, kind: str) -> Verdict:
    """Judge a file row by row; a line that is no row is a fault of the file (XI-13)."""
    rows, faults = 0, []
    for row in jsonl.each(path):
        rows += 1
        if isinstance(row, str):
            faults.append(row)
            continue
        place = row.where.removesuffix(": $")
        faults += [f"{place}: {fault}" for fault in schemas.check(row.members, kind)]
    return Verdict(path, kind, INVALID if faults else VALID, rows, faults)


def _refuse_special(path: str) -> None:
    """A pipe would never end, and a folder is none of ours."""
    try:
        mode = os.stat(path).st_mode
    except OSError as err:
        raise UserError(f"{path}: {err.strerror}") from err
    except ValueError:
        raise UserError(f"not a path: {path!r}") from None
    if not stat.S_ISREG(mode):
        raise UserError(f"not a plain file: {path}")


def _lines(verdict: Verdict) -> list[str]:
    path = display.visible(verdict.path)
    if verdict.status == VALID:
        rows = f", {verdict.rows} rows" if verdict.rows != 1 else ""
        return [f"{path}: valid {verdict.kind}{rows}"]
    return [
        display.visible(fault if fault.startswith(verdict.path) else f"{verdict.path}: {fault}")
        for fault in verdict.faults
    ]


def _document(status: int, verdicts: list[Verdict]) -> dict[str, Any]:
    files = [
        {
            "path": verdict.path,
            "kind": verdict.kind or None,
            "ok": verdict.status == VALID,
            "rows": verdict.rows,
            "faults": verdict.faults,
        }
        for verdict in verdicts
    ]
    return {"schemaVersion": 1, "ok": status == VALID, "files": files}
