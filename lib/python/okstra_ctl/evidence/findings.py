"""The findings of a result: a heading and a list of keys each (H-011)."""

from __future__ import annotations

import re
from typing import Iterator, NamedTuple, Sequence

from okstra_ctl.evidence import citation, document
from okstra_ctl.evidence.citation import Citation
from okstra_ctl.evidence.own_lines import Line
from okstra_ctl.evidence.violation import FINDING, Violation, shown

SEVERITIES = ("blocker", "major", "minor", "info")
KINDS = ("defect", "requirement-gap", "risk", "option", "improvement", "fact")
NOTHING = "None."  # what an empty section holds (H-010)

_NEEDED = ("Severity", "Kind", "Statement", "Evidence", "Recommendation")
_KEYS = (*_NEEDED, "Ticket", "Lens")
_HEADING = re.compile(r"(F-[0-9]{3,9}) — (\S.*)")
_ITEM = re.compile(r" ?[-*+] +(.*)")
_KEY = re.compile(r"(\*\*)?([A-Za-z]+)(?(1)(?::\*\*|\*\*:)|:)[ \t]*(.*)")


class Finding(NamedTuple):
    id: str  # restarts with each worker
    title: str
    severity: str  # one of SEVERITIES
    kind: str  # one of KINDS
    statement: str
    evidence: tuple[Citation, ...]
    recommendation: str
    ticket: str
    lens: str
    line: int  # of its heading
    without_evidence: str = ""  # why it cites nothing


class _Value(NamedTuple):
    line: int
    pieces: list[str]

    @property
    def text(self) -> str:
        return " ".join(filter(None, self.pieces))


def read(lines: Sequence[Line]) -> tuple[tuple[Finding, ...], list[Violation]]:
    """Return the findings of section 1 that are sound, and what is wrong with all others."""
    found: list[Finding] = []
    faults: list[Violation] = []
    seen: dict[str, int] = {}
    for block in _blocks(lines):
        finding, wrong = _finding(block)
        faults += wrong
        first = seen.setdefault(_id(block[0]), block[0].number)
        if _id(block[0]) and first != block[0].number:
            what = f"{_id(block[0])} stands in line {first} already"
            faults.append(Violation(block[0].number, FINDING, what))
        elif finding:
            found.append(finding)
    for line in lines:
        if line.own and document.heading(line) is not None:
            break
        if line.own and line.text.strip() not in ("", NOTHING):
            what = f"text before the first finding: {shown(line.text)}"
            faults.append(Violation(line.number, FINDING, what))
    return tuple(found), faults


def named(words: str) -> str:
    """Return the id of the finding that a heading is about, or an empty text."""
    found = re.match(r"F-[0-9]+", words)
    return found[0] if found else ""


def _blocks(lines: Sequence[Line]) -> Iterator[list[Line]]:
    """Yield heading and lines of each block; a deeper heading begins none."""
    block: list[Line] = []
    for line in lines:
        head = document.heading(line)
        if head and (head[0] <= 3 or not block):
            if block:
                yield block
            block = []
        if head or block:
            block.append(line)
    if block:
        yield block


def _id(line: Line) -> str:
    head = document.heading(line)
    return named(head[1]) if head else ""


def _finding(block: Sequence[Line]) -> tuple[Finding | None, list[Violation]]:
    level, words = document.heading(block[0]) or (0, "")
    number = block[0].number
    title = _HEADING.fullmatch(words)
    values, faults = _values(block[1:])
    if level != 3 or not title:
        what = f"not a heading like `### F-001 — <title>`: {shown(block[0].text)}"
        faults.insert(0, Violation(number, FINDING, what))
    missing = [key for key in _NEEDED if key not in values]
    faults += [Violation(number, FINDING, f"missing: {key}") for key in missing]
    places, none, wrong = _checked(values)
    faults += wrong
    if faults or not title:
        return None, faults
    texts = {key: values[key].text if key in values else "" for key in _KEYS}
    return Finding(
        title[1],
        title[2].rstrip(),
        _bare(texts["Severity"]),
        _bare(texts["Kind"]),
        texts["Statement"],
        places,
        texts["Recommendation"],
        texts["Ticket"],
        texts["Lens"],
        number,
        none,
    ), []


def _values(lines: Sequence[Line]) -> tuple[dict[str, _Value], list[Violation]]:
    """Return line and text of each key; further lines of a value are indented by two blanks."""
    values: dict[str, _Value] = {}
    faults: list[Violation] = []
    pieces: list[str] | None = None  # of the value that is being read
    for line in lines:
        if not line.own or not line.text.strip():
            continue
        item = _ITEM.fullmatch(line.text)
        key = _KEY.fullmatch(item[1]) if item else None
        if key:
            pieces = [key[3].strip()]
            what = _misfit(key[2], values)
            if what:
                faults.append(Violation(line.number, FINDING, what))
            else:
                values[key[2]] = _Value(line.number, pieces)
        elif pieces is not None and line.text.startswith(("  ", "\t")) and not _hides_key(line):
            pieces.append(line.text.strip())
        else:
            what = f"belongs to no key of the finding: {shown(line.text)}"
            faults.append(Violation(line.number, FINDING, what))
    return values, faults


def _hides_key(line: Line) -> bool:
    """Tell whether a further line of a value looks like a key that stands too deep."""
    item = _ITEM.fullmatch(line.text.strip())
    key = _KEY.fullmatch(item[1]) if item else None
    return key is not None and key[2] in _KEYS


def _misfit(key: str, values: dict[str, _Value]) -> str:
    if key not in _KEYS:
        return f"not a key of a finding: {shown(key)}"
    return f"{key} stands in line {values[key].line} already" if key in values else ""


def _checked(values: dict[str, _Value]) -> tuple[tuple[Citation, ...], str, list[Violation]]:
    faults = []
    for key, value in values.items():
        if not value.text:
            faults.append(Violation(value.line, FINDING, f"{key} is empty"))
    for key, words in (("Severity", SEVERITIES), ("Kind", KINDS)):
        if key in values and values[key].text and _bare(values[key].text) not in words:
            what = f"{key} is none of {', '.join(words)}: {shown(values[key].text)}"
            faults.append(Violation(values[key].line, FINDING, what))
    if "Evidence" not in values or not values["Evidence"].text:
        return (), "", faults
    places, none, wrong = citation.evidence(values["Evidence"].text)
    if wrong:
        what = f"not `path:line`, `path:start-end` or none — <reason>: {shown(wrong)}"
        faults.append(Violation(values["Evidence"].line, FINDING, what))
    return places, none, faults


def _bare(word: str) -> str:
    return word[1:-1] if len(word) > 2 and word[0] == word[-1] == "`" else word
