"""What a model's turns cost in tokens, and whether that is all of it (R-095, R-101, Q-24). Pure.

Counts are exact, or say why they are not: nobody reads an unknown as 0 (Z-073). A reader gets a
transcript as lines, so that no file has to be held, and `None` for a line too long to be one.
"""

from __future__ import annotations

from typing import Any, Callable, Iterable, NamedTuple

from okstra_kernel import UserError, strict_json

Lines = Iterable[bytes | None]


class Usage(NamedTuple):
    """Tokens, each counted in one class only: `input` without what came from or went to a cache."""

    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0

    @property
    def total(self) -> int:
        return sum(self)

    def plus(self, other: Usage) -> Usage:
        return Usage(*map(sum, zip(self, other, strict=True)))

    def minus(self, other: Usage) -> Usage | None:
        """Return the difference; None where it would be below zero in a class."""
        left = Usage(*(mine - theirs for mine, theirs in zip(self, other, strict=True)))
        return left if min(left) >= 0 else None


class Spent(NamedTuple):
    """What was used, by the model that it was counted under; an empty name: not told.

    `why`: why this is not all of it, or not known; empty: it is exact.
    """

    by_model: tuple[tuple[str, Usage], ...] = ()
    why: str = ""

    @property
    def exact(self) -> bool:
        return not self.why

    @property
    def usage(self) -> Usage:
        """All models together: the whole where it is exact, else what is known of it."""
        found = Usage()
        for _, one in self.by_model:
            found = found.plus(one)
        return found


NOTHING = Spent()


class Stream(NamedTuple):
    """What a worker's own output tells, and which session log would tell more."""

    spent: Spent
    session: str = ""  # of a turn that did not tell its totals


ReadStream = Callable[[Lines], Stream]


def together(parts: Iterable[Spent]) -> Spent:
    """Return several counts as one, by the names of models; one gap makes it inexact."""
    by_model: dict[str, Usage] = {}
    gaps: list[str] = []
    for part in parts:
        for model, usage in part.by_model:
            by_model[model] = by_model.get(model, Usage()).plus(usage)
        gaps += [part.why] if part.why else []
    return Spent(tuple(sorted(by_model.items())), "; ".join(dict.fromkeys(gaps)))


def untold(lines: Lines) -> Stream:
    """Read the output of a CLI that tells nothing of its use (80 §12)."""
    return Stream(Spent(why="this CLI does not tell what it used"))


def free(lines: Lines) -> Stream:
    """Read the output of an engine of ours: it uses no tokens."""
    return Stream(NOTHING)


def event(line: bytes, *marks: bytes) -> dict[str, Any] | None:
    """Return the JSON object of a line that holds one of these marks; else None.

    What was cut, or is no JSON, is passed over: a transcript holds foreign lines, too.
    """
    if not line.startswith(b"{") or not any(mark in line for mark in marks):
        return None
    try:
        return strict_json.parse(line.strip(), "event").members
    except UserError:
        return None


def count(members: Any, *names: str) -> tuple[int, ...] | None:
    """Return counts by name, a missing one as 0; None if one is no count, or none is there."""
    if not isinstance(members, dict) or not any(name in members for name in names):
        return None
    found = [members.get(name, 0) for name in names]
    sound = all(type(one) is int and 0 <= one < 1 << 53 for one in found)
    return tuple(found) if sound else None
