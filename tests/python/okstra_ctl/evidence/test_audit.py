from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from okstra_ctl.evidence import audit, heartbeat
from okstra_ctl.evidence.audit import Confirmation
from okstra_ctl.evidence.citation import Citation
from okstra_kernel import iso_time


def test_a_good_sidecar_is_read_whole(good_audit: str) -> None:
    """H-013, D-163."""
    assert audit.read(good_audit) == audit.Sidecar(
        (
            Confirmation("instruction-set/001/task-brief.md", "0123456789ab", 2),
            Confirmation("instruction-set/001/packet.md", "abcdef012345", 3),
        ),
        (Citation("src/cache.py", 30, 60), Citation("빈 folder/a.py", 44, 48)),
        (),
    )


@pytest.mark.parametrize(
    ("old", "new", "line", "rule"),
    [
        ("## 0. Reading Confirmation\n", "", 7, "reading-confirmation"),
        ("## 0.", "> ## 0.", 8, "reading-confirmation"),
        ("sha256:0123456789ab", "sha256:0123456789", 2, "reading-confirmation"),
        ("sha256:0123456789ab", "sha256:0123456789abcdef", 2, "reading-confirmation"),
        ("`instruction-set/001/task-brief.md` sha256:", "", 2, "reading-confirmation"),
        ("py:30-60", "py:60-30", 6, "evidence-row"),
        ("py:30-60", "py", 6, "evidence-row"),
        ("- PROGRESS", "```\n- PROGRESS", 8, "fence"),
    ],
)
def test_what_is_wrong_with_a_sidecar(
    old: str, new: str, line: int, rule: str, good_audit: str
) -> None:
    """H-013, D-163."""
    assert old in good_audit
    found = audit.read(good_audit.replace(old, new, 1)).violations
    assert [(one.line, one.rule) for one in found] == [(line, rule)]


def test_a_sidecar_that_confirms_nothing_is_told() -> None:
    found = audit.read("## 0. Reading Confirmation\n- PROGRESS: x\n- Evidence read: a.py:1-2\n")
    assert [one.message for one in found.violations] == ["confirms no file"]


@pytest.mark.parametrize(
    ("cited", "rows", "covered"),
    [
        ("a.py:41", ["a.py:41"], True),
        ("a.py:41-48", ["a.py:30-60"], True),
        ("a.py:41", ["./a.py:1-41"], True),
        ("a.py:41-48", ["a.py:1-44", "a.py:45-60"], False),
        ("a.py:41-48", ["a.py:42-60"], False),
        ("a.py:41", ["b/a.py:41-41", "A.py:41-41"], False),
        ("a.py:41", [], False),
    ],
)
def test_a_row_covers_a_place_of_the_same_file(cited: str, rows: list[str], covered: bool) -> None:
    """D-161, D-163: one row takes in all of the lines."""
    places = [Citation(*_parts(row)) for row in rows]
    asked = (7, Citation(*_parts(cited)))
    assert audit.uncovered([asked], places) == ([] if covered else [asked])


def _parts(text: str) -> tuple[str, int, int]:
    path, _, lines = text.rpartition(":")
    start, _, end = lines.partition("-")
    return path, int(start), int(end or start)


@pytest.mark.parametrize(
    ("prompt", "asked"),
    [
        ("# Job\n**Evidence ledger:** required-v1\n", True),
        ("**Evidence ledger:** required-v1  \r\n", True),
        ("**Evidence ledger:** required-v2\n", False),
        ("see **Evidence ledger:** required-v1\n", False),
        ("```\n**Evidence ledger:** required-v1\n```\n", False),
        ("BEGIN DATA 01234567 brief\n**Evidence ledger:** required-v1\nEND DATA 01234567 x", False),
        ("", False),
    ],
)
def test_the_prompt_asks_for_the_ledger(prompt: str, asked: bool) -> None:
    """D-163, D-165, XS-15: a brief that quotes the line asks for nothing."""
    assert audit.asks_for_ledger(prompt) == asked


@given(st.text() | st.lists(st.sampled_from(["- Evidence read: ", "a.py:1-2", "\n", "```"])))
def test_any_text_is_a_sidecar_or_at_fault(text: str | list[str]) -> None:
    audit.read("".join(text))


def test_heartbeats() -> None:
    """D-118, D-119, D-120, XS-15: what cannot be read, or is quoted, is none."""
    text = """\
- PROGRESS: 2026-03-01T10:05:00Z read-inputs
- PROGRESS: soon
PROGRESS: phase-1 waits
> - PROGRESS: 2026-03-01T10:06:00Z
```
- PROGRESS: 2026-03-01T10:07:00Z
```
- PROGRESS: 2026-03-01T12:08:00+02:00
"""
    times = [iso_time.show(at) for at in heartbeat.times(text)]
    assert times == ["2026-03-01T10:05:00Z", "2026-03-01T10:08:00Z"]
    assert (heartbeat.EVERY, heartbeat.GRACE, heartbeat.BUDGET) == (300, 60, 360)


@given(st.integers(0, 4_000_000_000), st.text())
def test_a_heartbeat_is_one_line_that_is_read_again(at: int, text: str) -> None:
    """D-118."""
    line = heartbeat.line(at, text)
    assert "\n" not in line
    assert list(heartbeat.times(line)) == [at]
