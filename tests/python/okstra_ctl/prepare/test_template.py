from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from okstra_ctl.prepare.template import fill
from okstra_kernel import UserError


def test_a_value_is_not_looked_into_again() -> None:
    """P-168: what somebody wrote fills nothing."""
    values = {"A": "{{B}} \\1 \\g<0> $x", "B": "결제\n"}
    assert fill("{{A}}|{{B}}|{{b}}|{{ A }}|{{A", values, "t") == (
        "{{B}} \\1 \\g<0> $x|결제\n|{{b}}|{{ A }}|{{A"
    )


def test_every_token_without_a_value_is_named() -> None:
    """P-165, 20 §32 row 58."""
    with pytest.raises(UserError) as caught:
        fill("{{C}} {{A}} {{B_2}} {{C}}", {"A": ""}, "launch.template.md")
    assert str(caught.value) == "launch.template.md: no value for B_2, C"


PIECES = st.lists(st.sampled_from(["{{A}}", "{{B}}", "{{", "}}", "{", "x", "A", "\n", "{{a}}"]))


@given(PIECES, st.text(), st.text())
def test_fill_puts_each_value_where_its_token_stood(pieces: list[str], a: str, b: str) -> None:
    text = "".join(pieces)
    values = {"A": a, "B": b}
    parts = re.split(r"(\{\{[AB]\}\})", text)
    expected = "".join(values[part[2]] if part in ("{{A}}", "{{B}}") else part for part in parts)
    assert fill(text, values, "t") == expected
