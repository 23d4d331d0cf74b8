"""The rules of an audit sidecar: what the worker read, and whether it read what it cites. Pure.

    ## 0. Reading Confirmation
    - `instruction-set/002/task-brief.md` sha256:0123456789ab
    - Evidence read: src/app.py:30-60
    - PROGRESS: 2026-03-01T10:05:00Z read-inputs

The final check of a run uses these same rules, so that an early pass cannot turn out false (D-160).
"""

from __future__ import annotations

import re
from typing import Iterable, NamedTuple, Sequence

from okstra_ctl.evidence import citation, document, heartbeat, own_lines
from okstra_ctl.evidence import violation as rules
from okstra_ctl.evidence.citation import Citation
from okstra_ctl.evidence.own_lines import Line
from okstra_ctl.evidence.violation import Violation, shown

LEDGER = "**Evidence ledger:** required-v1"  # a line of the prompt that asks for rule (c) (D-163)

_READ = re.compile(r" ?[-*+] +Evidence read:[ \t]*(.*)")
_CONFIRMED = re.compile(r" ?[-*+] +(.*[^ \t])[ \t]+(?:sha256[:= ] ?)?`?([0-9a-f]{12})`?")


class Confirmation(NamedTuple):
    path: str
    sha256: str  # its first twelve hexadecimal digits
    line: int


class Sidecar(NamedTuple):
    confirmed: tuple[Confirmation, ...]
    read: tuple[Citation, ...]  # the rows `Evidence read`
    violations: tuple[Violation, ...]


class Failure(NamedTuple):
    """One thing wrong with a worker's files, as `worker-audit-check` prints it (D-164)."""

    worker: str
    rule: str
    message: str
    citation: str = ""
    line: int = 0  # of the result or the sidecar; 0: of none

    def json(self) -> dict[str, object]:
        return dict(zip(self._fields, self, strict=True))


def read(text: str) -> Sidecar:
    """Read an audit sidecar (H-013). What it only quotes does not count."""
    texts = own_lines.split(text.rstrip())
    lines, faults = own_lines.scan(texts[: document.MAX_LINES])
    if len(texts) > document.MAX_LINES:
        what = f"more than {document.MAX_LINES} lines"
        faults.append(Violation(document.MAX_LINES, rules.SIZE, what))
    rows: list[Citation] = []
    for line in lines:
        found = _READ.fullmatch(line.text) if line.own else None
        place = citation.parse(found[1].rstrip().strip("`")) if found else None
        if place:
            rows.append(place)
        elif found:
            what = f"not <path>:<start>-<end>: {shown(found[1])}"
            faults.append(Violation(line.number, rules.EVIDENCE_ROW, what))
    confirmed, wrong = _confirmed(_section(lines), len(lines))
    return Sidecar(confirmed, tuple(rows), rules.in_order([*faults, *wrong]))


def asks_for_ledger(prompt: str) -> bool:
    """Tell whether a worker's prompt asks for a row for each place that is cited (D-165)."""
    return any(line.text.rstrip() == LEDGER for line in own_lines.own(prompt))


def uncovered(
    cited: Iterable[tuple[int, Citation]], rows: Sequence[Citation]
) -> list[tuple[int, Citation]]:
    """Return the places that no single row takes in, with their lines (D-161, D-163)."""
    by_path: dict[str, list[Citation]] = {}
    for row in rows:
        by_path.setdefault(row.plain_path, []).append(row)
    return [
        (number, place)
        for number, place in cited
        if not any(place.within(row) for row in by_path.get(place.plain_path, ()))
    ]


def _section(lines: Sequence[Line]) -> list[Line] | None:
    """Return the items of the reading confirmation; None without such a section."""
    section: list[Line] | None = None
    inside = False
    for line in lines:
        head = document.heading(line)
        if head:
            inside = head[0] == 2 and document.is_confirmation(head[1])
            section = section or [] if inside else section
        elif inside and section is not None and line.own and _is_item(line.text):
            section.append(line)
    return section


def _is_item(text: str) -> bool:
    other = heartbeat.is_one(text) or _READ.fullmatch(text)
    return not other and bool(re.match(r" ?[-*+] ", text))


def _confirmed(
    section: Sequence[Line] | None, last: int
) -> tuple[tuple[Confirmation, ...], list[Violation]]:
    if section is None:
        what = f"no heading `## {document.CONFIRMATION}`"
        return (), [Violation(last, rules.READING_CONFIRMATION, what)]
    found: list[Confirmation] = []
    faults: list[Violation] = []
    for line in section:
        row = _CONFIRMED.fullmatch(line.text.rstrip())
        if row:
            path = re.sub(r"[ \t]*[-—:,=|(]*$", "", row[1]).strip("` ")
            found.append(Confirmation(path, row[2], line.number))
        else:
            what = f"not a path and the first 12 hex digits of its sha256: {shown(line.text)}"
            faults.append(Violation(line.number, rules.READING_CONFIRMATION, what))
    if not found and not faults:
        faults.append(Violation(last, rules.READING_CONFIRMATION, "confirms no file"))
    return tuple(found), faults
