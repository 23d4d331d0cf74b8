"""What a CLI's words tell: quota, rate, login, and when a quota comes back (Z-014, Z-016)."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from okstra_ctl.providers import claude_worker, codex_worker, plain_worker
from okstra_ctl.providers.turn import AUTH, QUOTA, RATE, complaint, events, reset_time

NOW = 1_800_000_000


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("Claude usage limit reached|1800000600", 600),
        ("limit resets at 2027-01-15T08:10:00Z", 600),
        ("retry-after: 30; 429 too many requests", 30),
        ("Retry-After: 30", 30),
        ("try again in 3 days 2 hours", 266_400),
        ("Try again in 1h30m.", 5400),
        ("resets in 1 hour, 5 minutes and 3 seconds", 3903),
        ("try again in 350ms", 1),
        ("try again in 1.5s", 2),
        ("retry after 5 minutes", 300),
        ("resets 3pm", None),
        ("try again at 10:30", None),
        ("your limit resets at 3 PM", None),
        ("try again later, 429", None),
        ("resets at 2027-13-45T99:00:00Z", None),
        ("", None),
    ],
)
def test_when_a_quota_comes_back(text: str, after: int | None) -> None:
    assert reset_time(text, NOW) == (0 if after is None else NOW + after)


@pytest.mark.parametrize(
    ("text", "status", "expected"),
    [
        ("You have hit your usage limit.", None, (QUOTA, 0)),
        ("rate limit: try again in 20s", None, (QUOTA, NOW + 20)),
        ("429 Too Many Requests", None, (RATE, 0)),
        ("no words", 429, (RATE, 0)),
        ("no words", 401, (AUTH, 0)),
        ("Not logged in · Please run /login", None, (AUTH, 0)),
        ("401 is the line I read", 500, ("", 0)),
        ("all is well", None, ("", 0)),
    ],
)
def test_what_a_complaint_is(text: str, status: int | None, expected: tuple[str, int]) -> None:
    found = complaint(text, status, NOW)
    assert (found.failure, found.reset_at) == expected


def test_the_wrappers_own_line_is_no_reset_time() -> None:
    text = "--- okstra: grok started 2027-01-15T08:10:00Z\nusage limit reached\n"
    found = plain_worker.read(text, NOW)
    assert (found.failure, found.reset_at) == (QUOTA, 0)


def test_a_line_separator_does_not_cut_an_event() -> None:
    line = json.dumps({"type": "turn.completed", "text": "a\u2028b\x85"}, ensure_ascii=False)
    assert codex_worker.read(f"{line}\n", NOW).ok


def test_the_last_result_counts_and_the_model_that_wrote_most() -> None:
    first = {"type": "system", "subtype": "init", "model": "claude-opus-9"}
    used = {"claude-haiku-9": {"outputTokens": 3}, "claude-opus-9": {"outputTokens": 90}}
    bad = {"type": "result", "is_error": True, "result": "500"}
    good = {"is_error": False, "type": "result", "result": "x", "modelUsage": used}
    denied = {**good, "permission_denials": [{"tool_name": "Write"}, "odd"]}
    text = "\n".join(map(json.dumps, (first, bad, denied)))
    found = claude_worker.read(text, NOW)
    assert (found.finished, found.ok, found.denied, found.model) == (
        *(True, True, ("Write",)),
        "claude-opus-9",
    )
    assert claude_worker.read(text + "\n" + json.dumps(bad), NOW).ok is False
    assert claude_worker.read(json.dumps(first), NOW).finished is False


@given(st.text(alphabet='{}[]":,\\\n ab1', max_size=60))
def test_no_transcript_breaks_a_reader(text: str) -> None:
    list(events(text))
    for reader in (claude_worker.read, codex_worker.read, plain_worker.read):
        assert reader(text, NOW).reset_at >= 0
