"""A re-verification: one block for each finding that was assigned (H-012). Pure.

    ### F-001
    **Verdict**: REFUTED
    **Basis**: opened src/cache.py:41-48: the key holds the tenant three lines later.
    **Evidence**: `src/cache.py:44`

Which words are verdicts the caller knows: that depends on the mode.
"""

from __future__ import annotations

import re
from typing import Collection, Iterator, NamedTuple, Sequence

from okstra_ctl.evidence import citation, document
from okstra_ctl.evidence import violation as rules
from okstra_ctl.evidence.citation import Citation
from okstra_ctl.evidence.document import Document
from okstra_ctl.evidence.front_matter import Identity
from okstra_ctl.evidence.own_lines import Line, is_marker
from okstra_ctl.evidence.violation import VERDICT, Violation, shown

KIND = re.compile(r"reverify-r[0-9]+(?:-retry[0-9]+)?")  # its `dispatchKind`
_LABELS = ("Verdict", "Basis", "Evidence")
_LABEL = re.compile(r" {0,3}\*\*([A-Za-z]+)(?:\*\*[ \t]*:|:\*\*)(.*)")
_ID = re.compile(r"([A-Za-z0-9][\w.-]{0,99})(?: — .*)?")
_ANY_WORD = re.compile(r"[A-Z]+(?:-[A-Z]+)*")


class Answer(NamedTuple):
    finding: str
    verdict: str  # a word of the mode's
    basis: str  # quoted lines included: what a command printed
    evidence: str  # as it was written
    cited: tuple[Citation, ...]  # the places in both
    line: int


class Reverification(NamedTuple):
    identity: Identity
    answers: tuple[Answer, ...]  # the sound ones
    cut: bool
    violations: tuple[Violation, ...]

    @property
    def reason(self) -> str:
        return document.reason(self.cut, self.violations)


def read(
    data: bytes,
    expected: Identity,
    verdicts: Collection[str] | None = None,
    assigned: Sequence[str] | None = None,
) -> Reverification:
    """Read the answers. `verdicts`: the words of the mode; `assigned`: the findings, or any."""
    return parse(document.read(data, expected), verdicts, assigned)


def parse(
    doc: Document,
    verdicts: Collection[str] | None = None,
    assigned: Sequence[str] | None = None,
) -> Reverification:
    """Read the blocks of an answer whose frame was read already."""
    answers: list[Answer] = []
    faults = _stray(doc.lines)
    seen: dict[str, int] = {}
    for name, block in _blocks(doc.lines):
        number = block[0].number
        answer, wrong = _answer(name, block, verdicts)
        faults += wrong
        if assigned is not None and name and name not in assigned:
            faults.append(Violation(number, VERDICT, f"not assigned: {shown(name)}"))
        elif name in seen:
            what = f"a second verdict on {name}; the first stands in line {seen[name]}"
            faults.append(Violation(number, VERDICT, what))
        elif answer:
            answers.append(answer)
        if name:
            seen.setdefault(name, number)
    missing = [name for name in assigned or () if name not in seen]
    faults += [Violation(doc.last, VERDICT, f"no verdict on {name}") for name in missing]
    if assigned is None and not seen:
        faults.append(Violation(doc.last, VERDICT, "no verdict on anything"))
    everything = rules.in_order([*doc.violations, *faults])
    return Reverification(doc.identity, tuple(answers), doc.cut, everything)


def _blocks(lines: Sequence[Line]) -> Iterator[tuple[str, list[Line]]]:
    """Yield finding and lines of each block: a heading of level 3, up to the next heading.

    The finding is empty for a heading that names none.
    """
    block: list[Line] = []
    for line in lines:
        head = document.heading(line)
        if head and block:
            yield _named(block[0]), block
            block = []
        if block or (head and head[0] == 3):
            block.append(line)
    if block:
        yield _named(block[0]), block


def _named(line: Line) -> str:
    head = document.heading(line)
    found = _ID.fullmatch(head[1]) if head else None
    return found[1] if found else ""


def _answer(
    name: str, block: Sequence[Line], verdicts: Collection[str] | None
) -> tuple[Answer | None, list[Violation]]:
    number = block[0].number
    values, faults = _values(block[1:])
    if not name:
        what = f"not a heading like `### <finding>`: {shown(block[0].text)}"
        faults.append(Violation(number, VERDICT, what))
    word = values.get("Verdict", "").strip("`")
    known = word in verdicts if verdicts is not None else bool(_ANY_WORD.fullmatch(word))
    if "Verdict" not in values:
        faults.append(Violation(number, VERDICT, f"a block without a verdict: {shown(name)}"))
    elif not known:
        faults.append(Violation(number, VERDICT, f"not a verdict: {shown(values['Verdict'])}"))
    if not values.get("Basis"):
        faults.append(Violation(number, VERDICT, f"a verdict without a basis: {shown(name)}"))
    if faults:
        return None, faults
    evidence = values.get("Evidence", "")
    cited = citation.mentioned(f"{values['Basis']}\n{evidence}")
    return Answer(name, word, values["Basis"], evidence, cited, number), []


def _values(lines: Sequence[Line]) -> tuple[dict[str, str], list[Violation]]:
    """Return the text of each label: from behind it up to the next one.

    Quoted lines hold no label. They belong to a basis, which may show what a command printed, and
    to evidence; a verdict is never read from them (Z-050).
    """
    values: dict[str, list[str]] = {}
    faults: list[Violation] = []
    current, pieces = "", list[str]()
    for line in lines:
        found = _LABEL.fullmatch(line.text) if line.own else None
        if found:
            current, pieces = found[1], [found[2].strip()]
            if current not in _LABELS:
                faults.append(Violation(line.number, VERDICT, f"not a label: {shown(current)}"))
            elif current in values:
                faults.append(Violation(line.number, VERDICT, f"{current} a second time"))
            else:
                values[current] = pieces
        elif line.own and is_marker(line.text):
            continue
        elif current and (line.own or current != "Verdict"):
            pieces.append(line.text.rstrip())
        elif line.own and line.text.strip():
            what = f"text before the first label: {shown(line.text)}"
            faults.append(Violation(line.number, VERDICT, what))
    return {name: "\n".join(texts).strip() for name, texts in values.items()}, faults


def _stray(lines: Sequence[Line]) -> list[Violation]:
    """Name labels that stand in no block: whose verdict that is nobody can tell."""
    faults = []
    inside = False
    for line in lines:
        head = document.heading(line)
        inside = head[0] == 3 if head else inside
        found = _LABEL.fullmatch(line.text) if line.own else None
        if found and not inside and found[1] in _LABELS:
            faults.append(Violation(line.number, VERDICT, f"{found[1]} outside of a block"))
    return faults
