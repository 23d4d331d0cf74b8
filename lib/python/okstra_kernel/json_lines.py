"""In which line of a JSON text a member stands, by the path that messages name it with. Pure.

The text was read by `strict_json` before: what is no JSON has its line from there already.
"""

from __future__ import annotations

import json
import re

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[][{}:,]|[^\s"\][{}:,]+')
_PLACE = re.compile(r"\$(?:\.[A-Za-z_][A-Za-z0-9_]*|\[[0-9]+\]|\[\"(?:[^\"\\]|\\.)*\"\])*")


def line(text: str, message: str) -> int:
    """Return the line, from 1, of the place that a message begins with: `$.findings[0].class: …`.

    Of a member that is not there it is the line of what it is missing in; 1 without a place.
    """
    found = _PLACE.match(message)
    path = found[0] if found else "$"
    known = places(text)
    while path not in known and path != "$":
        path = re.sub(r"(\.[^.[\]]*|\[[^\]]*\])$", "", path) or "$"
    return known.get(path, 1)


def places(text: str) -> dict[str, int]:
    """Return the line of each value of a JSON text by its path (RFC 9535)."""
    found: dict[str, int] = {}
    open_ones: list[tuple[str, int]] = []  # path and, for a list, how many items; else -1
    at, number, path = 0, 1, "$"
    name, wants_name = "", False
    for token in _TOKEN.finditer(text):
        number += text.count("\n", at, token.start())
        at, word = token.start(), token[0]
        if word == "," or word == ":":
            wants_name = word == "," and bool(open_ones) and open_ones[-1][1] < 0
            continue
        if word in ("}", "]"):
            open_ones.pop()
            wants_name = False
            continue
        if wants_name:
            name, wants_name = word, False
            continue
        if open_ones:
            outer, items = open_ones[-1]
            path = f"{outer}[{items}]" if items >= 0 else f"{outer}{_step(name)}"
            open_ones[-1] = (outer, items + 1 if items >= 0 else -1)
        found.setdefault(path, number)
        if word in ("{", "["):
            open_ones.append((path, 0 if word == "[" else -1))
            wants_name = word == "{"
    return found


def _step(name: str) -> str:
    plain = json.JSONDecoder().decode(name)
    if re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", plain):
        return f".{plain}"
    return f"[{json.dumps(plain, ensure_ascii=False)}]"
