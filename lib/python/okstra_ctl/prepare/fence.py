"""Fences around text from outside, so that a model reads it as data (Z-050)."""

from __future__ import annotations

_LINE = "{edge} DATA {token} {what}"


def fenced(text: str, what: str, token: str) -> str:
    """Return the text between two lines that hold `token`, which its author could not know."""
    begin = _LINE.format(edge="BEGIN", token=token, what=what)
    end = _LINE.format(edge="END", token=token, what=what)
    return f"{begin}\n{text.rstrip(chr(10))}\n{end}"


def new_token() -> str:
    """Return a token for one prompt: 96 random bits in hexadecimal."""
    import secrets

    return secrets.token_hex(12)
