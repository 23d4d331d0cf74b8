"""A worker's result: who it is from, five sections, findings (H-010, H-011). Pure.

read(data).findings      the sound ones
read(data).violations    what is wrong, in the order of the lines; empty: it counts
read(data).reason        the reason of Z-013 for a result that does not count
"""

from __future__ import annotations

from typing import NamedTuple, Sequence

from okstra_ctl.evidence import citation, document, findings, own_lines
from okstra_ctl.evidence import violation as rules
from okstra_ctl.evidence.citation import Citation
from okstra_ctl.evidence.document import Document
from okstra_ctl.evidence.findings import NOTHING, Finding
from okstra_ctl.evidence.front_matter import Identity
from okstra_ctl.evidence.own_lines import Line
from okstra_ctl.evidence.violation import Violation, shown

SECTIONS = (
    "1. Findings",
    "2. Evidence",
    "3. Risks",
    "4. Recommendations",
    "5. Missing Information or Assumptions",
)
ANYBODY = Identity()

_Sections = dict[str, tuple[Line, list[Line]]]  # by name: heading, what stands below it


class Result(NamedTuple):
    identity: Identity
    findings: tuple[Finding, ...]
    cited: tuple[tuple[int, Citation], ...]  # line and place of each that is back-ticked in it
    cut: bool
    violations: tuple[Violation, ...]

    @property
    def reason(self) -> str:
        return document.reason(self.cut, self.violations)


def read(data: bytes, expected: Identity = ANYBODY) -> Result:
    """Read a result; `expected` is who should have written it, and for what (XI-16)."""
    return parse(document.read(data, expected))


def parse(doc: Document) -> Result:
    """Read the sections of an answer whose frame was read already."""
    sections, faults = _sections(doc)
    for name, (head, lines) in sections.items():
        faults += _filled(name, head, lines)
    first = sections.get(SECTIONS[0], (None, []))[1]
    found, wrong = findings.read(first)
    faults += wrong + _elsewhere(doc.lines, first)
    everything = rules.in_order([*doc.violations, *faults])
    return Result(doc.identity, found, _cited(doc.lines, found), doc.cut, everything)


def _sections(doc: Document) -> tuple[_Sections, list[Violation]]:
    """Part the text at its sections; what is missing, twice, unknown or misplaced is a fault."""
    sections: _Sections = {}
    faults: list[Violation] = []
    below: list[Line] = []
    for line in doc.lines:
        level, words = document.heading(line) or (9, "")
        if level > 2 or (level == 1 and not sections):
            if not own_lines.is_marker(line.text):
                below.append(line)
            continue
        below = []
        what = _out_of_place(level, words, line, list(sections))
        if what:
            faults.append(Violation(line.number, rules.SECTION, what))
        elif level == 2 and words in SECTIONS:
            sections[words] = (line, below)
    missing = [name for name in SECTIONS if name not in sections]
    faults += [Violation(doc.last, rules.SECTION, f"missing: ## {name}") for name in missing]
    return sections, faults


def _out_of_place(level: int, words: str, line: Line, before: Sequence[str]) -> str:
    if document.is_confirmation(words):
        return ""  # has a rule of its own
    if level != 2 or words not in SECTIONS:
        return f"not a section of a result: {shown(line.text)}"
    if words in before:
        return f"a second time: {shown(line.text)}"
    if any(SECTIONS.index(other) > SECTIONS.index(words) for other in before):
        return f"stands too late: {shown(line.text)}"
    return ""


def _filled(name: str, head: Line, lines: Sequence[Line]) -> list[Violation]:
    """Name a section that holds nothing, or both nothing and something."""
    filled = [line for line in lines if line.text.strip()]
    if not filled:
        what = f"empty; it should hold {NOTHING} if there is nothing: {name}"
        return [Violation(head.number, rules.SECTION, what)]
    nothing = [line for line in filled if line.own and line.text.strip() == NOTHING]
    if nothing and len(filled) > 1:
        what = f"{NOTHING} beside other text: {name}"
        return [Violation(nothing[0].number, rules.SECTION, what)]
    if name == SECTIONS[0] and not any(line.own for line in filled):
        return [Violation(head.number, rules.SECTION, f"holds quoted text alone: {name}")]
    return []


def _elsewhere(lines: Sequence[Line], first: Sequence[Line]) -> list[Violation]:
    """Name findings that stand outside of section 1, where nobody would count them."""
    heads = [(line, document.heading(line)) for line in lines]
    inside = {line.number for line in first}
    known = {findings.named(head[1]) for line, head in heads if head and line.number in inside}
    faults = []
    for line, head in heads:
        name = findings.named(head[1]) if head and line.number not in inside else ""
        if name and name not in known:
            what = f"a finding outside of section 1: {shown(line.text)}"
            faults.append(Violation(line.number, rules.FINDING, what))
    return faults


def _cited(lines: Sequence[Line], found: Sequence[Finding]) -> tuple[tuple[int, Citation], ...]:
    """Return each place that the worker cites itself, with the first line that does."""
    first: dict[Citation, int] = {}
    for line in lines:
        if line.own:
            for place in citation.ticked(line.text):
                first.setdefault(place, line.number)
    for finding in found:
        for place in finding.evidence:
            first.setdefault(place, finding.line)
    return tuple((number, place) for place, number in first.items())
