"""What must not stand in a report's Markdown (R-026, R-027, C-281). Pure: text in, faults out."""

from __future__ import annotations

import re
from typing import Iterator, NamedTuple

from okstra_ctl.evidence import document, own_lines
from okstra_ctl.evidence.own_lines import Line
from okstra_ctl.reports.breach import DEPRECATED, SECTION_0

# Headings of older reports: answers and approvals have places of their own now.
_DEPRECATED = re.compile(
    r"(\d+(\.\d+)*\.? )?"
    r"(User Approval Request|User Response|Clarification (Questions|Requests?|Response))",
    re.IGNORECASE,
)
_CARRIED = "0."
_NOTHING = ("none", "n/a", "-", "--", "tbd")


class Fault(NamedTuple):
    contract: str
    line: int
    message: str


def faults(text: str) -> list[Fault]:
    """Return what is wrong, by line. What a report only quotes does not count."""
    lines, _ = own_lines.scan(own_lines.split(text))
    return sorted([*_deprecated(lines), *_section_0(lines)], key=lambda one: one.line)


def _deprecated(lines: list[Line]) -> Iterator[Fault]:
    for line in lines:
        head = document.heading(line)
        if head and _DEPRECATED.fullmatch(head[1].strip()):
            yield Fault(DEPRECATED, line.number, f"a block that is written no more: {head[1]}")


def _section_0(lines: list[Line]) -> Iterator[Fault]:
    """A section 0 stands only where answers were carried in, so it has something to say."""
    start, said = 0, False
    for line in lines:
        head = document.heading(line)
        if start and head and head[0] <= 2:
            break
        if head and head[0] == 2 and head[1].startswith(_CARRIED):
            start = line.number
        elif start and line.text.strip(" .*-_|").lower() not in ("", *_NOTHING):
            said = True
    if start and not said:
        yield Fault(SECTION_0, start, "an empty section 0: nothing was carried in, leave it out")
