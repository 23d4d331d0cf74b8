"""The number of the next run: one more than any that was ever used (P-176 to P-180, Z-116)."""

from __future__ import annotations

import re
from typing import Iterable

_NUMBER = r"([0-9]{3,9})"  # a longer row of digits is a time or a joke


def used(names: Iterable[str], segment: str) -> list[int]:
    """Return the numbers that the names of files and folders carry.

    A name counts when, whatever extensions follow, it ends in the task type and a number; so does
    a number alone (`instruction-set/004`) and `run-004` of the archive. Hidden names do not.
    """
    shape = re.compile(rf"(?:(?:.+-)?{re.escape(segment)}-|run-|){_NUMBER}(?:\..*)?", re.DOTALL)
    found = (shape.fullmatch(name) for name in names if not name.startswith("."))
    return [int(match[1]) for match in found if match]


def following(numbers: Iterable[int]) -> str:
    """Return the next number as it is written. Gaps are not filled again."""
    return show(max(numbers, default=0) + 1)


def show(number: int) -> str:
    return f"{number:03d}"
