from __future__ import annotations

import pytest

from okstra_ctl.evidence import contract, reverify
from okstra_ctl.evidence.citation import Citation
from okstra_ctl.evidence.front_matter import Identity

WORDS = ("REFUTED", "SURVIVES", "SURVIVES-WITH-CAVEAT", "UNVERIFIABLE")
ASSIGNED = ("F-001", "F-004")
ANYBODY = Identity()


def read(text: str) -> reverify.Reverification:
    return reverify.read(text.encode("utf-8"), ANYBODY, WORDS, ASSIGNED)


def test_a_good_one_is_read_whole(good_reverification: str) -> None:
    """H-012, Z-050: the verdict that a command printed is no second one."""
    found = read(good_reverification)
    assert (found.reason, found.violations) == ("", ())
    assert found.answers == (
        reverify.Answer(
            "F-001",
            "REFUTED",
            "opened src/cache.py:41-48: the tenant is there.",
            "`src/cache.py:44`",
            (Citation("src/cache.py", 44, 44), Citation("src/cache.py", 41, 48)),
            10,
        ),
        reverify.Answer(
            "F-004",
            "SURVIVES",
            "ran it:\n```\n$ grep -n tenant src/cache.py\n**Verdict**: REFUTED\n```",
            "",
            (),
            15,
        ),
    )


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("### F-004", "### F-005", 15, "not assigned: 'F-005'"),
        ("### F-004", "### F-005", 24, "no verdict on F-004"),
        ("### F-004", "### F-001", 15, "a second verdict on F-001; the first stands in line 10"),
        ("### F-004", "### the other one", 15, None),
        ("### F-004", "## F-004", 16, "Verdict outside of a block"),
        ("### F-004", "> ### F-004", 24, "no verdict on F-004"),
        ("### F-004", "", 24, "no verdict on F-004"),
        ("REFUTED\n**B", "Refuted\n**B", 10, "not a verdict: 'Refuted'"),
        ("REFUTED\n**B", "DISAGREE\n**B", 10, "not a verdict: 'DISAGREE'"),
        ("REFUTED\n**B", "REFUTED, SURVIVES\n**B", 10, "not a verdict: 'REFUTED, SURVIVES'"),
        ("REFUTED\n**B", "\n> REFUTED\n**B", 10, "not a verdict: ''"),
        ("REFUTED\n**B", "REFUTED\n**Verdict**: SURVIVES\n**B", 12, "Verdict a second time"),
        ("**Verdict**: REFUTED\n**B", "**B", 10, "a block without a verdict: 'F-001'"),
        ("**Basis**: opened", "opened", 10, "a verdict without a basis: 'F-001'"),
        ("**Basis**: opened", "**Reason**: opened", 12, "not a label: 'Reason'"),
        ("**Verdict**: REFUTED\n**B", "x\n**Verdict**: REFUTED\n**B", 11, None),
        ("```\n\n<", "\n\n<", 19, "a fence of code is not closed"),
    ],
)
def test_what_breaks_the_contract_is_told_with_its_line(
    old: str, new: str, line: int, message: str | None, good_reverification: str
) -> None:
    """H-012, XI-16: unknown item, missing item, two verdicts, a word of another mode."""
    assert old in good_reverification
    found = read(good_reverification.replace(old, new, 1))
    told = [(one.line, one.message) for one in found.violations]
    assert [one for one in told if one[0] == line and message in (None, one[1])], told
    assert found.reason != ""


def test_a_block_at_fault_is_no_answer(good_reverification: str) -> None:
    """Z-050: of a worker that says two things nothing counts."""
    twice = good_reverification.replace("REFUTED\n**B", "REFUTED\n**Verdict**: SURVIVES\n**B", 1)
    assert [answer.finding for answer in read(twice).answers] == ["F-004"]


def test_without_an_end_it_was_cut(good_reverification: str) -> None:
    """Z-013."""
    assert read(good_reverification.replace("<!--", "")).reason == "incomplete-result"


@pytest.mark.parametrize(
    ("text", "kind"), [("result", "Result"), ("reverification", "Reverification")]
)
def test_its_dispatch_kind_tells_what_an_answer_is(
    text: str, kind: str, good_result: str, good_reverification: str
) -> None:
    """H-014: without the words of a mode, any word in capitals may be a verdict."""
    given = {"result": good_result, "reverification": good_reverification}[text]
    found = contract.read(given.encode("utf-8"))
    assert (type(found).__name__, found.reason) == (kind, "")


def test_no_verdict_at_all_is_told(good_reverification: str) -> None:
    text = good_reverification.replace("### ", "")
    assert "no verdict on anything" in [
        one.message for one in contract.read(text.encode("utf-8")).violations
    ]
