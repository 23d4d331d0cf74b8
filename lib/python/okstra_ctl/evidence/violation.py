"""What is wrong in a text that a worker wrote, and in which line: none is dropped (H-011)."""

from __future__ import annotations

from typing import Iterable, NamedTuple


class Violation(NamedTuple):
    line: int  # from 1; the last line for what should stand somewhere and does not
    rule: str  # a word for programs; one of those below
    message: str

    def json(self) -> dict[str, object]:
        return {"line": self.line, "rule": self.rule, "message": self.message}


SIZE = "size"
ENCODING = "encoding"
CONTROL = "control-character"
FENCE = "fence"
FRONT_MATTER = "front-matter"
IDENTITY = "identity"  # the result of somebody else, or of another run (XI-16)
CLOSING_MARKER = "closing-marker"
SECTION = "section"
FINDING = "finding"
VERDICT = "verdict"
CONFIRMATION_PLACE = "reading-confirmation-in-result"
READING_CONFIRMATION = "reading-confirmation"
EVIDENCE_ROW = "evidence-row"
AUDIT_SIDECAR = "audit-sidecar"
RESULT_FILE = "result-file"


def in_order(found: Iterable[Violation]) -> tuple[Violation, ...]:
    return tuple(sorted(found, key=lambda one: one.line))


def shown(text: str) -> str:
    """Return a piece of the text as a message quotes it."""
    return repr(text if len(text) <= 60 else f"{text[:59]}…")
