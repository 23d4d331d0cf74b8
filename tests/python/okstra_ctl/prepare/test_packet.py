from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from okstra_ctl.prepare.packet import (
    LONGEST_BRIEF,
    Source,
    analysis_material,
    analysis_packet,
    expectations,
    reference_expectations,
)

TOKEN = "0123456789abcdef01234567"
BRIEF = "# Bug\n\nsay yes\n\n## Expected values\n\n3\n\n## Environment\n\n"


def source(brief: str, **fields: object) -> Source:
    usual: dict[str, object] = {
        "task_key": "shop:g:t",
        "task_type": "error-analysis",
        "work_category": "bugfix",
        "workers": [("codex-analyser", "analyser", "gpt"), ("report-writer", "report-writer", "")],
        "brief": brief,
        "directive": "",
        "analysis_target": "",
        "evidence": [],
        "related": [],
        "checkout": [],
    }
    return Source(**{**usual, **fields})  # type: ignore[arg-type] # a test may say what it likes


def test_the_packet() -> None:
    """P-134, P-142: whatever somebody wrote stands fenced, the rest are our words."""
    text = analysis_packet(
        source(BRIEF, directive="be quick", analysis_target="src", evidence=[("a.log", "5 bytes")]),
        TOKEN,
    )
    blocks = text.split(f"BEGIN DATA {TOKEN} ")
    assert [block.partition("\n")[0] for block in blocks[1:]] == [
        *("brief", "directive", "target", "headings"),
    ]
    outside = [block.partition(f"END DATA {TOKEN} ")[2] for block in blocks[1:]]
    assert not any("say yes" in part or "be quick" in part for part in [blocks[0], *outside])
    assert "- `a.log` (5 bytes)" in text
    assert "| `codex-analyser` | analyser | gpt |" in text
    assert "| `report-writer` | report-writer | the default of its CLI |" in text


def test_a_long_brief_is_quoted_in_part_and_says_so() -> None:
    text = analysis_packet(source("x" * (LONGEST_BRIEF + 7)), TOKEN)
    assert "7 more characters stand in `task-brief.md`" in text
    assert "x" * LONGEST_BRIEF in text and "x" * (LONGEST_BRIEF + 1) not in text


def test_what_the_brief_expects() -> None:
    """P-143."""
    assert expectations(BRIEF) == {"Expected values": "3"}
    assert reference_expectations(source(BRIEF), TOKEN) == (
        f"# Reference expectations\n\nBEGIN DATA {TOKEN} expectations\n"
        f"## Expected values\n\n3\nEND DATA {TOKEN} expectations\n"
    )
    assert reference_expectations(source("x"), TOKEN) == (
        "# Reference expectations\n\nThe brief states none.\n"
    )


def test_the_material() -> None:
    text = analysis_material(
        source(BRIEF, checkout=[("head", "1a")], related=[("shop:g:u", "m.json")]), TOKEN
    )
    assert text == (
        "# Analysis material\n\n## Checkout\n\n- head: `1a`\n\n## Headings of the brief\n\n"
        f"BEGIN DATA {TOKEN} headings\n- Bug\n- Expected values\n- Environment\n"
        f"END DATA {TOKEN} headings\n\n## Related tasks\n\n- `shop:g:u`: `m.json`\n\n"
        "## Evidence given\n\nNone.\n"
    )


@given(st.text(), st.text())
def test_no_brief_ends_its_own_fence(brief: str, directive: str) -> None:
    """XS-15: as many ends as beginnings, each a line of ours."""
    text = analysis_packet(source(brief, directive=directive), TOKEN)
    lines = [line for line in text.splitlines() if TOKEN in line]
    assert [line.split()[0] for line in lines] == ["BEGIN", "END"] * (len(lines) // 2)
