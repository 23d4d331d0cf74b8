"""The table of scenarios: what it may hold, and how one is chosen (H-050, H-051)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from okstra_ctl.dispatch import outcome, retry
from okstra_ctl.providers import registry
from okstra_ctl.rehearse import scenarios
from okstra_ctl.rehearse.scenarios import Scenario
from okstra_kernel import UserError

REHEARSAL = Path(__file__).parents[3] / "rehearsal"
TABLE = (REHEARSAL / "scenarios.tsv").read_text(encoding="utf-8")
KNOWN = scenarios.parse(TABLE)
CUT = "cut\tclaude,grok\tincomplete-result\t0\tno\tyes\tyes\tleaves half of it\n"


def test_a_line_is_a_scenario() -> None:
    assert scenarios.parse(f"# head\n\n{CUT}") == [
        Scenario(
            *("cut", ("claude", "grok"), "incomplete-result", 0),
            *("no", "yes", "yes", "leaves half of it"),
        )
    ]
    assert scenarios.parse(CUT.replace("incomplete-result", "-"))[0].reason == ""


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("\t0\t", "\tx\t", "line 1 is not a scenario: 'cut'"),
        ("\t0\t", "\t", "line 1 is not a scenario: 'cut'"),
        ("\tno\t", "\tmaybe\t", "line 1: held is none of no, yes"),
        ("yes\tyes\tl", "third\tyes\tl", "line 1: retry is none of no, yes, second"),
        ("yes\tyes\tl", "yes\tsecond\tl", "line 1: counted is none of no, yes, marked"),
    ],
)
def test_a_line_that_is_none_is_named(old: str, new: str, message: str) -> None:
    with pytest.raises(UserError, match=message):
        scenarios.parse(CUT.replace(old, new, 1))


def test_the_stand_ins_play_what_the_table_tells_and_nothing_else() -> None:
    code = (REHEARSAL / "stand_in.bash").read_text(encoding="utf-8")
    code = code.partition("# Beside the table")[0]  # what other tests have them do
    played = {name.replace("_", "-") for name in re.findall(r"^play_(\w+)\(\)", code, re.M)}
    assert sorted(one.name for one in KNOWN) == sorted(played)


def test_the_table_holds_what_can_be() -> None:
    """H-050: each of the four CLIs; what does not count is tried again where D-135 says so."""
    known = {spec.name for spec in registry.all_specs()}
    for one in KNOWN:
        assert set(one.providers) <= known
        assert one.reason in ("", *outcome.REASONS)
        assert (one.retry != "no") == (one.reason in retry.RETRIED), one.name
        assert (one.counted == "no") == (bool(one.reason) and one.retry != "yes"), one.name
    assert {name for one in KNOWN for name in one.providers} == known - {"local"}


def test_chosen() -> None:
    assert scenarios.chosen(KNOWN, []) == KNOWN
    names = [one.name for one in scenarios.chosen(KNOWN, ["quota", "cut"])]
    assert names == ["cut", "quota"]  # as the table has them


@pytest.mark.parametrize(
    ("name", "message"),
    [("qouta", "no such scenario: qouta; did you mean quota?$"), ("zzz", "scenario: zzz$")],
)
def test_an_unknown_name_is_told_with_the_nearest(name: str, message: str) -> None:
    with pytest.raises(UserError, match=message.replace("?", r"\?")) as caught:
        scenarios.chosen(KNOWN, ["cut", name])
    assert caught.value.next_step == "okstra rehearse --list"
