"""Answers for programs and for people (U-08, U-31, Z-051)."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from okstra_kernel import display

ESCAPES = [
    "\x1b]0;title\x07",
    "\x1b[2J",
    "\x9b31m",
    "\r",
    "\n",
    "\t",
    "\u202e",
    "\u2066",
    "\0",
    "\x7f",
]


@pytest.mark.parametrize("escape", ESCAPES)
def test_a_terminal_is_told_nothing_but_text(escape: str) -> None:
    shown = display.visible(f"a{escape}b")
    assert shown.isprintable() and shown.startswith("a") and shown.endswith("b")


@pytest.mark.parametrize(
    ("text", "columns"), [("", 0), ("abc", 3), ("결제", 4), ("e\u0301", 1), ("ｱ", 1), ("…", 1)]
)
def test_width(text: str, columns: int) -> None:
    assert display.width(text) == columns


def test_columns_line_up_with_wide_letters() -> None:
    assert display.table(("A", "B", "C"), [["결제", "x", ""], ["a", "yy", "z"]]) == (
        "A     B   C\n결제  x\na     yy  z"
    )


def test_json_is_wanted_off_a_terminal_or_when_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    for tty, asked, wanted in ((True, False, False), (True, True, True), (False, False, True)):
        monkeypatch.setattr("sys.stdout.isatty", lambda tty=tty: tty)
        assert display.wants_json(asked) is wanted


def test_a_file_name_that_is_not_utf_8_still_makes_a_json_text() -> None:
    text = display.document({"path": "결제\udcff"})
    text.encode()
    assert text == '{\n  "path": "결제\\udcff"\n}'


def test_secrets_leave_neither_in_json_nor_in_columns() -> None:
    token = "ghp_" + "Ab1d" * 9
    assert json.loads(display.document({"a": f"\n{token}"})) == {"a": "\n[redacted:github-token]"}
    assert display.visible(token) == "[redacted:github-token]"


keys = st.text(max_size=5)
values = st.none() | st.integers() | st.text() | st.lists(st.dictionaries(keys, st.text()))
records = st.lists(st.fixed_dictionaries({"k": st.text()}, optional={"x": values}), max_size=8)


@given(records)
def test_a_listing_is_the_list(items: list[dict[str, object]]) -> None:
    text = display.listing(items, "k")
    assert json.loads(f"[{text}]") == items


def test_a_listing_has_a_line_each_over_batches() -> None:
    items = [{"k": i, "inner": [{"k": 1}, {"k": 2}]} for i in range(display._BATCH * 2 + 1)]
    text = display.listing(items, "k")
    assert json.loads(f"[{text}]") == items
    assert text.startswith('{"k": 0, ')
    assert display.listing([], "k") == ""


@pytest.mark.parametrize(
    ("texts", "plain"),
    [
        ([], True),
        (["a/b.log", "c d"], True),
        (['a"'], False),
        (["a\\"], False),
        (["a\n"], False),
        (["é"], False),
        (["\udcff"], False),
        (["ghp_" + "Ab1d" * 9], False),
    ],
)
def test_what_stands_in_json_as_it_is(texts: list[str], plain: bool) -> None:
    assert display.is_plain(texts) == plain
    if plain:
        assert json.loads(f'["{"".join(texts)}"]') == ["".join(texts)]
