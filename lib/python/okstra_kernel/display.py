"""What is printed as a command's answer: JSON for programs, columns for people (Z-060, U-08).

Secrets are taken out of both (Z-051). A text from outside may hold anything: in columns, control
and bidirectional characters become escapes, so that no terminal obeys them.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any, Iterable, Sequence

from okstra_kernel import redaction

_GAP = "  "


def wants_json(asked: bool) -> bool:
    """Tell whether JSON is to be printed: asked for, or stdout is no terminal."""
    return asked or not sys.stdout.isatty()


def document(value: Any) -> str:
    """Return a JSON value as text, without secrets, two blanks deep."""
    return _json(value, indent=2)


def line(value: Any) -> str:
    """Return a JSON value as one line of text, without secrets."""
    return _json(value, indent=None)


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return columns as wide as their widest cell; the last one ends where it ends."""
    cells = [list(heads), *([visible(cell) for cell in row] for row in rows)]
    widths = [max(map(width, column)) for column in zip(*cells, strict=True)]
    return "\n".join(_GAP.join(map(_padded, row, widths)).rstrip() for row in cells)


def visible(text: str) -> str:
    """Return a text for a terminal: without secrets, on one line, controls as escapes."""
    clean = redaction.redact(text, os.environ)
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in clean)


def width(text: str) -> int:
    """Return the columns that a text takes: letters of East Asia take two, accents none (U-31)."""
    if text.isascii():
        return len(text)
    import unicodedata

    wide = sum(unicodedata.east_asian_width(c) in "WF" for c in text)
    return len(text) + wide - sum(bool(unicodedata.combining(c)) for c in text)


def _padded(text: str, columns: int) -> str:
    return text + " " * (columns - width(text))


def _json(value: Any, indent: int | None) -> str:
    clean = redaction.redact_value(value, os.environ)
    text = json.dumps(clean, ensure_ascii=False, allow_nan=False, indent=indent)
    try:
        text.encode()
    except UnicodeEncodeError:  # a file name that is not UTF-8
        return json.dumps(clean, allow_nan=False, indent=indent)
    return text
