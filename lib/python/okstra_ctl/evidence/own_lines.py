"""Which lines of a worker's Markdown are its own, and which it only quotes (Z-050, XS-15).

Quoted is: fenced code, a data fence, a block quote, an HTML comment. What stands there is never a
heading, a finding, a verdict, a heartbeat or a reading row. A fence that is not closed, or a line
that breaks out of it, is a fault: what nobody can see the same way must not count in silence.
"""

from __future__ import annotations

import re
from typing import NamedTuple, Sequence

from okstra_ctl.evidence.violation import FENCE, Violation
from okstra_kernel import fence

MARKER = "<!-- okstra:result-complete -->"  # the closing line of a Markdown result (Z-013)

_ITEM = r"(?:[-+*]|\d{1,9}[.)])[ \t]"  # the mark of a list, which may have a fence behind it
_CODE = re.compile(rf"([ \t]*(?:{_ITEM}[ \t]*){{0,9}})(`{{3,}}(?=[^`]*$)|~{{3,}})")
_CODE_END = re.compile(r"[ \t]*(`{3,}|~{3,})[ \t]*")
_NOT_LAZY = re.compile(r" {0,3}(#{1,6}(?: |$)|[-+*] |\d{1,9}[.)] |`{3}|~{3}|<!--|BEGIN DATA |-{5})")


class Line(NamedTuple):
    number: int  # from 1
    text: str  # without its line end
    own: bool  # false: quoted


class _Open(NamedTuple):
    line: int
    kind: str  # "code", "data" or "comment"
    end: str  # what ends it: the run of ticks, the token
    indent: int


def scan(texts: Sequence[str], first: int = 1) -> tuple[list[Line], list[Violation]]:
    """Tell for each line whether it is the worker's own; `first` is the number of the first."""
    lines: list[Line] = []
    faults: list[Violation] = []
    opened: _Open | None = None
    quoting = False
    for number, text in enumerate(texts, first):
        if opened:
            if opened.indent > 1 and re.match(r" ?[^ \t]", text):
                what = f"leaves the list in which the fence of line {opened.line} stands"
                faults.append(Violation(number, FENCE, what))
            opened = None if _ends(text, opened) else opened
            lines.append(Line(number, text, False))
            continue
        opened = _opens(text, number)
        quote = text.lstrip(" ").startswith(">") or (quoting and _is_lazy(text))
        quoting = quote and not opened
        own = not opened and not quoting and not text.lstrip(" ").startswith("<!--")
        lines.append(Line(number, text, own or is_marker(text)))
        if own and fence.ended(text):
            faults.append(Violation(number, FENCE, "ends a data fence that did not begin"))
    if opened:
        faults.append(Violation(opened.line, FENCE, f"a fence of {opened.kind} is not closed"))
    return lines, faults


def own(text: str) -> list[Line]:
    """Return the worker's own lines of a whole text."""
    return [line for line in scan(split(text))[0] if line.own]


def split(text: str) -> list[str]:
    """Return the lines of a text; only newlines end one, with or without a carriage return."""
    return [line.removesuffix("\r") for line in text.split("\n")]


def is_marker(text: str) -> bool:
    return text.rstrip(" \t") == MARKER


def _opens(text: str, number: int) -> _Open | None:
    code = _CODE.match(text)
    if code:
        return _Open(number, "code", code[2], len(code[1].expandtabs(4)))
    token = fence.begun(text)
    if token:
        return _Open(number, "data", token, 0)
    if text.lstrip(" ").startswith("<!--") and "-->" not in text:
        return _Open(number, "comment", "-->", 0)
    return None


def _ends(text: str, opened: _Open) -> bool:
    if opened.kind == "data":
        return fence.ended(text) == opened.end
    if opened.kind == "comment":
        return opened.end in text
    found = _CODE_END.fullmatch(text)
    return bool(found) and found[1].startswith(opened.end) if found else False


def _is_lazy(text: str) -> bool:
    """Tell whether a line after a quote still belongs to its paragraph, as Markdown shows it."""
    return bool(text.strip()) and not _NOT_LAZY.match(text)
