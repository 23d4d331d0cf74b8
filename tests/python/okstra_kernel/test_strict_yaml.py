from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from okstra_kernel import UserError, strict_yaml


def test_every_scalar_is_text() -> None:
    text = "a: 1.10\nb: no\nc: [2026-11-29, ~]\nd:\ne: {f: 'x: y'}\n"
    assert strict_yaml.parse(text, "f") == {
        "a": "1.10",
        "b": "no",
        "c": ["2026-11-29", "~"],
        "d": "",
        "e": {"f": "x: y"},
    }
    assert strict_yaml.parse("", "f") == {}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: 1\nb: 2\na: 3", "f:3: repeated: a"),
        ("a: &x [1]\nb: *x", "f:1: an alias is not taken here"),
        ("- a", "f: expected a mapping"),
        ("? [a]\n: b", "f:1: a name must be text"),
    ],
)
def test_what_is_refused_is_named_with_its_line(text: str, message: str) -> None:
    with pytest.raises(UserError) as caught:
        strict_yaml.parse(text, "f")
    assert str(caught.value) == message


def test_what_is_no_yaml_is_named_with_its_line() -> None:
    with pytest.raises(UserError, match="f:2: not YAML: "):
        strict_yaml.parse("a: 1\nb: ]", "f")


@given(st.text())
def test_any_text_ends_in_a_mapping_or_a_user_error(text: str) -> None:
    try:
        assert isinstance(strict_yaml.parse(text, "f"), dict)
    except UserError as err:
        assert str(err).startswith("f")
