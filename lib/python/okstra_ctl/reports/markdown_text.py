"""Text of others within Markdown: it stays where it was put, and reads as it was written (R-025).

A text becomes one line in which nothing but a pair of single ticks is markup, so that no heading,
fence, row, link or tag can come out of it (Z-050). Pure.
"""

from __future__ import annotations

import json
import re
from typing import Iterable, Sequence

NONE = "None."
EMPTY = "--"
_CODE = re.compile(r"(?<!`)`([^`]+)`(?!`)")
_MARKUP = re.compile(r"[\\`*\[\]<~]|&(?=#|[A-Za-z])|(?<![^\W_])_|_(?![^\W_])|(?<!\S)#")
_OPENING = re.compile(r"[>#\-+=|:]|[0-9]+(?=[.)])")


def inline(text: str) -> str:
    """Return a text on one line, for a paragraph, a heading or an item of a list."""
    escaped = _escaped(text)
    opening = _OPENING.match(escaped)
    if not opening:
        return escaped or EMPTY
    at = opening.end() if opening[0][0].isdigit() else 0  # before the dot, else before all
    return f"{escaped[:at]}\\{escaped[at:]}"


def cell(text: str) -> str:
    """Return a text for a cell of a table, where no block can begin."""
    return _escaped(text).replace("|", "\\|")


def _escaped(text: str) -> str:
    line = _one_line(text)
    pieces, at = [], 0
    for found in _CODE.finditer(line):
        if found[1].strip():
            pieces += [_plain(line[at : found.start()]), found[0]]
            at = found.end()
    return "".join([*pieces, _plain(line[at:])])


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table whose cells are texts of others; `None.` without a row."""
    lines = [f"| {' | '.join(map(cell, row))} |" for row in rows]
    if not lines:
        return NONE
    return "\n".join([f"| {' | '.join(map(cell, heads))} |", f"|{'---|' * len(heads)}", *lines])


def items(lines: Iterable[str]) -> str:
    """Return a list of lines that are Markdown already; `None.` without one."""
    return "\n".join(f"- {line}" for line in lines) or NONE


def texts(lines: Iterable[str]) -> str:
    """Return a list of texts of others; `None.` without one."""
    return items(map(inline, lines))


def quote(body: str) -> str:
    """Return Markdown of others as a quotation, which nothing in it can end."""
    lines = [_visible(line.expandtabs()) for line in body.splitlines()]
    return "\n".join(f"> {line}".rstrip() for line in lines) or NONE


def fenced(text: str, language: str) -> str:
    """Return text between two fences that are longer than any run of ticks in it."""
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text}\n{fence}"


def quoted_scalar(text: str) -> str:
    """Return a text as a value in the front matter."""
    return json.dumps(_one_line(text), ensure_ascii=False)


def _one_line(text: str) -> str:
    return _visible(" ".join(text.split()))


def _visible(text: str) -> str:
    """Return a text whose controls, half characters and turns of direction are escapes."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def _plain(text: str) -> str:
    return _MARKUP.sub(lambda found: f"\\{found[0]}", text)
