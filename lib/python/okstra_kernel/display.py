"""What is printed as a command's answer: JSON for programs, columns for people (Z-060, U-08).

Secrets are taken out of both (Z-051). A text from outside may hold anything: in columns, control
and bidirectional characters become escapes, so that no terminal obeys them.
"""

from __future__ import annotations

import functools
import itertools
import json
import os
import re
import sys
from typing import Any, Collection, Iterable, Sequence

from okstra_kernel import redaction

_GAP = "  "
_BATCH = 200  # values
_LINE = json.JSONEncoder(ensure_ascii=False, allow_nan=False)
_DOCUMENT = json.JSONEncoder(ensure_ascii=False, allow_nan=False, indent=2)


def wants_json(asked: bool) -> bool:
    """Tell whether JSON is to be printed: asked for, or stdout is no terminal."""
    return asked or not sys.stdout.isatty()


def document(value: Any) -> str:
    """Return a JSON value as text, without secrets, two blanks deep."""
    return _json(value, _DOCUMENT)


def listing(records: Iterable[dict[str, Any]], first: str) -> str:
    """Return JSON objects, a line each, as they stand within a list. `first` is their first member.

    A batch at a time is written and searched for secrets: one by one, ten thousand cost too much
    (Q-4). Within a text its quotes are escaped, so that only two objects can meet like this.
    """
    meet, apart = f'}}, {{"{first}": ', f'}},\n    {{"{first}": '
    rest, texts = iter(records), []
    while batch := list(itertools.islice(rest, _BATCH)):
        texts.append(_json(batch, _LINE)[1:-1].replace(meet, apart))
    return ",\n    ".join(texts)


def is_plain(texts: Collection[str]) -> bool:
    """Tell whether these stand in JSON as they are: no secrets, and nothing to escape."""
    all_of_them = "\n".join(texts)
    return (
        all_of_them.isascii()
        and all(map(str.isprintable, texts))
        and '"' not in all_of_them
        and "\\" not in all_of_them
        and not redaction.suspect(all_of_them, _secrets())
    )


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return columns as wide as their widest cell; the last one ends where it ends."""
    cells = [list(heads), *([visible(cell) for cell in row] for row in rows)]
    widths = [max(map(width, column)) for column in zip(*cells, strict=True)]
    return "\n".join(_GAP.join(map(_padded, row, widths)).rstrip() for row in cells)


def visible(text: str) -> str:
    """Return a text for a terminal: without secrets, on one line, controls as escapes."""
    clean = redaction.hide(text, _secrets())
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


def _json(value: Any, writer: json.JSONEncoder) -> str:
    known = _secrets()
    text = writer.encode(value)
    if redaction.suspect(text, known):
        value = redaction.hide_in(value, known)
        text = writer.encode(value)
    return _encodable(text)


def _encodable(text: str) -> str:
    """Return JSON as it is, or with escapes for half a surrogate pair, from a file name."""
    if text.isascii():
        return text
    return re.sub("[\ud800-\udfff]", lambda found: f"\\u{ord(found[0]):04x}", text)


@functools.lru_cache(1)
def _secrets() -> redaction.Secrets:
    """Look through the environment once: it does not change while an answer is printed."""
    return redaction.secrets(os.environ)
