"""The line of a place in a JSON text."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from okstra_kernel import json_lines

TEXT = """{
  "a": [1, {"b": null}],

  "c d": {
    "e": "x: ], {", "f": [
      [], {}
    ]
  }
}
"""


@pytest.mark.parametrize(
    ("message", "line"),
    [
        ("$: expected an object", 1),
        ("$.a[1].b: expected text, found null", 2),
        ('$["c d"].e: no', 5),
        ('$["c d"].f[1]: no', 6),
        ('$["c d"].f[1].gone: missing', 6),
        ("$.gone.too: missing", 1),
        ("not a place", 1),
    ],
)
def test_line(message: str, line: int) -> None:
    assert json_lines.line(TEXT, message) == line


VALUE = st.recursive(
    st.none() | st.integers() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
)


@given(VALUE)
def test_each_value_has_a_place(value: Any) -> None:
    def count(one: Any) -> int:
        inner = list(one.values()) if isinstance(one, dict) else one
        return 1 + (sum(map(count, inner)) if isinstance(inner, list) else 0)

    text = json.dumps(value, indent=1, ensure_ascii=False)
    assert len(json_lines.places(text)) == count(value)
