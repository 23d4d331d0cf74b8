"""What an engine found at one place of the project (H-031). Pure."""

from __future__ import annotations

from typing import Any, Mapping, NamedTuple, Sequence

from okstra_ctl.evidence.citation import Citation

UNDEFINED, UNUSED, SYNTAX = "undefined", "unused", "syntax"  # topics that two engines can share
FRAME = "frame"  # a stack trace of the brief names the line
NAMED = "named"  # something else of the brief stands there


class Hit(NamedTuple):
    path: str
    start: int  # first line, from 1
    end: int
    topic: str  # one of those above, or empty
    names: tuple[str, ...]  # the identifiers or rule codes that it is about
    title: str
    statement: str
    severity: str
    kind: str
    advice: str

    @property
    def place(self) -> Citation:
        return Citation(self.path, self.start, self.end)

    def touches(self, place: Citation) -> bool:
        same = self.path == place.plain_path
        return same and self.start <= place.end and place.start <= self.end


class Look(NamedTuple):
    """What an engine saw in one file."""

    hits: tuple[Hit, ...] = ()
    notes: tuple[str, ...] = ()  # what it could not judge here, and why
    against: Mapping[str, int] = {}  # what it can disprove, `<topic> <name> <line>`: by which line


def to_row(look: Look) -> dict[str, Any]:
    """Return it as JSON carries it from one process to another."""
    return {"hits": list(look.hits), "notes": list(look.notes), "against": dict(look.against)}


def from_row(row: Mapping[str, Any]) -> Look:
    hits = tuple(_hit(one) for one in row["hits"])
    return Look(hits, tuple(row["notes"]), row["against"])


def _hit(row: Sequence[Any]) -> Hit:
    path, start, end, topic, names, *texts = row
    return Hit(path, start, end, topic, tuple(names), *texts)
