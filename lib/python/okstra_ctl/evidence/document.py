"""What every Markdown answer of a worker has: front matter, own lines, a closing marker (H-010).

Without the marker as its last line it was cut, which is another thing than a whole answer that
breaks the contract (Z-013).
"""

from __future__ import annotations

import re
from typing import NamedTuple, Sequence

from okstra_ctl.evidence import front_matter, own_lines
from okstra_ctl.evidence import violation as rules
from okstra_ctl.evidence.front_matter import Identity
from okstra_ctl.evidence.own_lines import Line
from okstra_ctl.evidence.violation import Violation

MAX_BYTES = 1 << 20
MAX_LINES = 20_000  # with MAX_BYTES: any text is checked in 64 MiB (XF-15)
INCOMPLETE = "incomplete-result"
INVALID = "invalid-result"

_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]")
_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*))?")
CONFIRMATION = "0. Reading Confirmation"  # a heading of the audit sidecar (H-013)


class Document(NamedTuple):
    identity: Identity
    lines: list[Line]  # those below the front matter
    last: int  # the number of the last line that holds something
    cut: bool
    violations: list[Violation]


def read(data: bytes, expected: Identity) -> Document:
    """Read an answer; `expected` is who should have written it, and for what."""
    text, faults = _decoded(data)
    lines = own_lines.split(text)
    while len(lines) > 1 and not lines[-1].strip():
        lines.pop()
    last = len(lines)
    if last > MAX_LINES:
        faults.append(Violation(MAX_LINES, rules.SIZE, f"more than {MAX_LINES} lines"))
    identity, taken, wrong = front_matter.read(lines, expected)
    whole = not any(one.rule == rules.SIZE for one in faults)
    cut = whole and not own_lines.is_marker(lines[-1])
    body, torn = own_lines.scan(lines[taken:MAX_LINES], taken + 1)
    faults += wrong + torn + _controls(lines[:MAX_LINES]) + _misplaced(body)
    if cut:
        what = "empty" if not text.strip() else f"cut: the last line is not {own_lines.MARKER}"
        faults.insert(0, Violation(last, rules.CLOSING_MARKER, what))
    for line in body[:-1]:
        if line.own and own_lines.is_marker(line.text):
            what = "text follows the closing marker"
            faults.append(Violation(line.number, rules.CLOSING_MARKER, what))
    return Document(identity, body, last, cut, faults)


def heading(line: Line) -> tuple[int, str] | None:
    """Return level and words of a line that is a heading of the worker's own."""
    found = _HEADING.fullmatch(line.text) if line.own else None
    return (len(found[1]), (found[2] or "").strip()) if found else None


def reason(cut: bool, violations: Sequence[Violation]) -> str:
    """Return why an answer does not count, as a dispatch says it; empty: it does (Z-013)."""
    if cut:
        return INCOMPLETE
    return INVALID if violations else ""


def is_confirmation(words: str) -> bool:
    return " ".join(words.split()).lower() == CONFIRMATION.lower()


def _decoded(data: bytes) -> tuple[str, list[Violation]]:
    faults = []
    if len(data) > MAX_BYTES:
        data = data[:MAX_BYTES]
        faults.append(Violation(1, rules.SIZE, f"larger than {MAX_BYTES >> 20} MiB"))
    try:
        return data.decode("utf-8-sig"), faults
    except UnicodeDecodeError as err:
        line = data.count(b"\n", 0, err.start) + 1
        faults.append(Violation(line, rules.ENCODING, f"byte {err.start} is not UTF-8"))
        return data.decode("utf-8-sig", "replace"), faults


def _controls(lines: Sequence[str]) -> list[Violation]:
    found = []
    for number, line in enumerate(lines, 1):
        control = _CONTROL.search(line)
        if control:
            what = f"a control character: U+{ord(control[0]):04X}"
            found.append(Violation(number, rules.CONTROL, what))
    return found


def _misplaced(body: Sequence[Line]) -> list[Violation]:
    """Name reading confirmations that stand in the result (D-161)."""
    found = ((line, heading(line)) for line in body)
    what = f"`{CONFIRMATION}` belongs to the audit sidecar alone"
    return [
        Violation(line.number, rules.CONFIRMATION_PLACE, what)
        for line, head in found
        if head and is_confirmation(head[1])
    ]
