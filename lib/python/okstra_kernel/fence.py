"""Fences around text from outside, so that models and our own readers take it as data (Z-050).

A lead that fences text by hand writes the same line twice, `-----<token>-----`, as its contract
says; what okstra fences tells the beginning from the end.
"""

from __future__ import annotations

import re

_LINE = "{edge} DATA {token} {what}"
_EDGE = re.compile(r"(BEGIN|END) DATA ([0-9A-Za-z]{8,64})(?: .*)?")
_BY_HAND = re.compile(r"-----([0-9A-Za-z]{8,64})-----")


def fenced(text: str, what: str, token: str) -> str:
    """Return the text between two lines that hold `token`, which its author could not know."""
    begin = _LINE.format(edge="BEGIN", token=token, what=what)
    end = _LINE.format(edge="END", token=token, what=what)
    return f"{begin}\n{text.rstrip(chr(10))}\n{end}"


def new_token() -> str:
    """Return a token for one prompt: 96 random bits in hexadecimal."""
    import secrets

    return secrets.token_hex(12)


def begun(line: str) -> str:
    """Return the token of a line that begins a fence, or an empty text."""
    found = _EDGE.fullmatch(line.rstrip())
    if found:
        return found[2] if found[1] == "BEGIN" else ""
    by_hand = _BY_HAND.fullmatch(line.rstrip())
    return by_hand[1] if by_hand else ""


def ended(line: str) -> str:
    """Return the token of a line that ends a fence, or an empty text."""
    found = _EDGE.fullmatch(line.rstrip())
    if found:
        return found[2] if found[1] == "END" else ""
    by_hand = _BY_HAND.fullmatch(line.rstrip())
    return by_hand[1] if by_hand else ""
