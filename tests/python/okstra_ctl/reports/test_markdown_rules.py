"""What a report's Markdown must not hold (R-026, R-027, C-281)."""

from __future__ import annotations

import pytest

from okstra_ctl.reports import markdown_rules
from okstra_ctl.reports.breach import DEPRECATED, SECTION_0

CASES = {
    "nothing": ("# T\n\n## 1. Clarification Items\n\nNone.\n", []),
    "an approval block": ("# T\n\n## User Approval Request\n\nx\n", [(DEPRECATED, 3)]),
    "with a number": ("## 7. User approval request\nx\n", [(DEPRECATED, 1)]),
    "old questions": ("### Clarification Questions\nx\n", [(DEPRECATED, 1)]),
    "quoted": ("```\n## User Approval Request\n```\n> ## User Response\n", []),
    "a carry-in": (
        "## 0. Clarification Response Carried In From Previous Run\n\n- C-001: yes — done\n",
        [],
    ),
    "an empty carry-in": (
        "# T\n\n## 0. Clarification Response Carried In\n\nNone.\n\n## 1. X\n\ny\n",
        [(SECTION_0, 3)],
    ),
    "an empty carry-in at the end": ("## 0. Clarification Response Carried In\n", [(SECTION_0, 1)]),
}


@pytest.mark.parametrize(("text", "expected"), CASES.values(), ids=CASES)
def test_faults(text: str, expected: list[tuple[str, int]]) -> None:
    assert [one[:2] for one in markdown_rules.faults(text)] == expected
