"""The places that a worker cites: `path:line` and `path:start-end` (H-011, Z-117)."""

from __future__ import annotations

import posixpath
import re
from typing import Iterator, NamedTuple

_SHAPE = re.compile(r"([^\x00-\x1f`]*[^\x00-\x20`:]):([1-9][0-9]{0,8})(?:-([1-9][0-9]{0,8}))?")
_TICKED = re.compile(r"(?<!`)`([^`]+)`(?!`)")
_BARE = re.compile(r"(?<![\w/.:`@-])([\w./-]+:[1-9][0-9]{0,8}(?:-[1-9][0-9]{0,8})?)(?!\w)")
_NONE = re.compile(r"none — *(\S.*)")


class Citation(NamedTuple):
    path: str  # as it was written
    start: int  # the first line, from 1
    end: int  # the last one

    def __str__(self) -> str:
        lines = f"{self.start}" if self.start == self.end else f"{self.start}-{self.end}"
        return f"{self.path}:{lines}"

    @property
    def plain_path(self) -> str:
        """The path without `./` and the like, to compare it with another one."""
        return posixpath.normpath(self.path)

    def within(self, other: Citation) -> bool:
        """Tell whether the other one is of the same file and takes in all of these lines."""
        same = self.plain_path == other.plain_path
        return same and other.start <= self.start and self.end <= other.end


def parse(text: str) -> Citation | None:
    """Return the place that a text names, or None: no such shape, or its lines run backwards."""
    found = _SHAPE.fullmatch(text)
    if not found or "://" in text or re.match(r" |.*:[0-9]+$", found[1]):
        return None  # also `path:line:column`
    start = int(found[2])
    end = int(found[3]) if found[3] else start
    return Citation(found[1], start, end) if start <= end else None


def evidence(value: str) -> tuple[tuple[Citation, ...], str, str]:
    """Read the `Evidence` of a finding: its places, or the reason for none, or what is wrong.

    Of the three that are returned, one is not empty.
    """
    none = _NONE.fullmatch(value)
    if none:
        return (), none[1], ""
    found = []
    for piece in re.split(r"(?<=`) *, *(?=`)", value):
        ticked = _TICKED.fullmatch(piece)
        place = parse(ticked[1]) if ticked else None
        if place is None:
            return (), "", piece
        found.append(place)
    return tuple(found), "", ""


def ticked(text: str) -> Iterator[Citation]:
    """Yield the back-ticked places of a line of prose.

    Ports and times look alike: without a slash, a dot or a capital, `redis:6379` names no file.
    """
    for found in _TICKED.finditer(text):
        place = parse(found[1])
        if place and _names_a_file(place.path):
            yield place


def mentioned(text: str) -> tuple[Citation, ...]:
    """Return the places in a vote's explanation, back-ticked or not (Z-117)."""
    bare = (parse(found[1]) for found in _BARE.finditer(_TICKED.sub(" ", text)))
    files = (place for place in bare if place and re.search("[/.]", place.path))
    return tuple(dict.fromkeys([*ticked(text), *files]))


def _names_a_file(path: str) -> bool:
    letters = re.search(r"[^\W\d_]", path)
    return bool(letters) and (bool(re.search(r"[/.]", path)) or path[0].isupper())
