"""Lines of a project's file as a result can show them: whatever they hold, they stay data. Pure."""

from __future__ import annotations

import re
from typing import Sequence

LONGEST = 160  # characters of a line that are shown
_PLACE = re.compile(r":[0-9]")


def lines(data: bytes) -> list[str]:
    """Return the lines of a file; only newlines end one. What is no UTF-8 is replaced.

    As many as `evidence.citation_files` counts: the empty rest behind the last newline is none.
    """
    found = data.decode("utf-8", "replace").split("\n")
    if not found[-1]:
        found.pop()
    return found


def shown(text: str) -> str:
    """Return a text on one line, printable, without what Markdown would take for its own."""
    short = " ".join(text.split())[: LONGEST + 1]
    short = "".join(c if c.isprintable() else "�" for c in short)
    short = short.replace("`", "'").replace("<!--", "<! --")
    return short if len(short) <= LONGEST else f"{short[: LONGEST - 1]}…"


def quoted(line: str) -> str:
    """Return a line of code in back-ticks if it can be quoted word for word, else nothing.

    What could be taken for a place that is cited is not quoted.
    """
    text = line.strip()
    plain = text and len(text) <= LONGEST and text.isprintable() and " ".join(text.split()) == text
    if not plain or "`" in text or "<!--" in text or _PLACE.search(text):
        return ""
    return f"`{text}`"


def reads(texts: Sequence[str], number: int) -> str:
    """Return a sentence that says what stands in a line, or nothing. `number` is from 1."""
    code = quoted(texts[number - 1]) if 0 < number <= len(texts) else ""
    return f" The line reads {code}." if code else ""


def clamped(number: int | None, texts: Sequence[str]) -> int:
    """Return the line that is meant: parsers name the one behind the end of a file."""
    return min(max(number or 1, 1), len(texts))
