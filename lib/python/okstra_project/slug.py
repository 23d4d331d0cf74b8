"""The one rule by which a raw id becomes a segment of a path or a branch (P-003, P-004, Z-053).

A slug that lost letters, or was cut, carries a hash of the raw id: `결제-1` and `로그인-1` differ.
"""

from __future__ import annotations

import re
import unicodedata

from okstra_kernel import UserError

LONGEST = 80  # characters
_HASH = 8  # of them


def slugify(raw: str) -> str:
    """Return the segment of a raw id: `[a-z0-9._-]`, a letter or digit first, never empty.

    Raises UserError for an id that is empty, a path out of its folder, or holds control characters.
    """
    text = raw.strip()
    _refuse(raw, text)
    words = re.sub(r"[^a-z0-9._-]+", "-", text.lower())
    slug = re.sub(r"-{2,}", "-", words).strip("-._")
    if not slug:
        return digest(raw)
    if _lost_letters(text) or len(slug) > LONGEST:
        return f"{slug[: LONGEST - _HASH - 1].rstrip('-._')}-{digest(raw)}"
    return slug


def digest(raw: str) -> str:
    """Return what tells two raw ids apart that would have the same segment."""
    import hashlib

    return hashlib.sha256(raw.encode("utf-8", "surrogateescape")).hexdigest()[:_HASH]


def _refuse(raw: str, text: str) -> None:
    if not text:
        raise UserError(f"an id cannot be empty: {raw!r}")
    if any(unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp") for c in text):
        raise UserError(f"an id cannot hold control characters: {raw[:80]!r}")
    if text.startswith(("/", "\\", "~")) or re.fullmatch(r"[A-Za-z]:[\\/].*", text):
        raise UserError(f"an id cannot be an absolute path: {raw[:80]!r}")
    if any(step in (".", "..") for step in re.split(r"[/\\]", text)):
        raise UserError(f"an id cannot be a path out of its folder: {raw[:80]!r}")


def _lost_letters(text: str) -> bool:
    if text.isascii():
        return not any(map(str.isalnum, text))
    lost = (not c.isascii() and unicodedata.category(c)[0] in "LMN" for c in text)
    return any(lost) or not any(c.isalnum() and c.isascii() for c in text)
