from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from okstra_ctl.runs.error_line import EXCERPT, LINE, PROBE, SUFFIX, cut, fit
from okstra_ctl.runs.error_record import Entry, Origin, record
from okstra_kernel import jsonl, schemas

NOW = "2026-03-01T00:00:00Z"
ORIGIN = Origin("p:g:t", "error-analysis", "codex-worker", "worker", None)
PROBES = ("targetProbe", "controlProbe")


def fitted(entry: Entry, origin: Origin = ORIGIN) -> dict[str, Any]:
    return fit(record(entry, origin, NOW))


def sandbox(text: str, **more: Any) -> dict[str, Any]:
    return {"cause": "sandbox-denied", "causeEvidence": dict.fromkeys(PROBES, text), **more}


@pytest.mark.parametrize(
    ("text", "limit", "kept"),
    [
        ("", 0, ""),
        ("abc", 3, "abc"),
        ("a" * 20, 20, "a" * 20),
        ("a" * 20, 19, "a" * 5 + SUFFIX),
        ("가" * 10, 29, "가" * 5 + SUFFIX),  # 15 bytes of room
        ("가" * 10, 28, "가" * 4 + SUFFIX),  # 14: the fifth would be split
        ("abcdef", 3, "abc"),  # no room for the suffix
        ("가나", 5, "가"),
        ("a" * 6 + SUFFIX + "a" * 9, 20, "a" * 6 + SUFFIX),
    ],
)
def test_cut(text: str, limit: int, kept: str) -> None:
    """(D-174)."""
    assert cut(text, limit) == kept


@given(st.text(max_size=60), st.integers(0, 200))
def test_a_cut_text_is_a_beginning_and_fits(text: str, limit: int) -> None:
    """(D-174)."""
    kept = cut(text, limit)
    size = len(text.encode())
    assert len(kept.encode()) <= limit
    assert (kept == text) == (size <= limit)
    assert text.startswith(kept.removesuffix(SUFFIX))
    if size > limit >= len(SUFFIX.encode()):
        assert kept.endswith(SUFFIX)
        assert len(kept.encode()) > limit - 4 or SUFFIX[0] in text  # no more is lost than must be


def test_caps_of_an_ordinary_record() -> None:
    """(D-174): excerpt 2048, each probe 256; null stays null."""
    found = fitted(Entry(0, "tool-failure", "m", "é" * 5000, sandbox("p" * 999)))
    assert len(found["stderrExcerpt"].encode()) in (EXCERPT, EXCERPT - 1)
    assert [len(found["context"]["causeEvidence"][name].encode()) for name in PROBES] == [PROBE] * 2
    assert found["command"] is found["model"] is found["exitCode"] is None
    assert fitted(Entry(0, "tool-failure", "m"))["stderrExcerpt"] is None


def test_the_excerpt_goes_first_then_the_message_then_what_is_not_about_the_cause() -> None:
    """(D-174)."""
    one = fitted(Entry(0, "tool-failure", "m" * 3000, "e" * 2000))
    assert one["message"] == "m" * 3000
    assert one["stderrExcerpt"].endswith(SUFFIX) and len(jsonl.encode(one)) == LINE
    two = fitted(Entry(0, "tool-failure", "m" * 9000, "e"))
    assert two["stderrExcerpt"] == ""
    assert two["message"].endswith(SUFFIX) and len(jsonl.encode(two)) == LINE
    notes = sandbox("p", notes=["n" * 1000])
    three = fitted(Entry(0, "tool-failure", "m" * 9000, "e", notes, "\x01" * 4000))
    assert (three["context"], len(three["command"].encode())) == (notes, 413)
    assert (three["stderrExcerpt"], len(three["message"].encode())) == ("", 256)
    four = fitted(Entry(0, "tool-failure", "m" * 900, "e", sandbox("p", notes=["n" * 9000])))
    assert four["context"] == sandbox("p", droppedBytes=9015)
    assert (four["message"], four["stderrExcerpt"]) == ("m" * 900, "e")
    five = fitted(Entry(0, "tool-failure", "m", None, sandbox("\x01" * 400, n="n" * 900), None))
    assert [len(probe) for probe in five["context"]["causeEvidence"].values()] == [254] * 2


def test_bytes_that_are_no_text_and_lines_within_a_name() -> None:
    """(D-174)."""
    origin = ORIGIN._replace(model="gpt\n\x1b[31m", phase="x" * 500)
    found = fitted(Entry(0, "cli-failure", "a\udcffb", "\ud800", None, "c\udc80"), origin)
    assert [found[name] for name in ("message", "stderrExcerpt", "command", "model")] == [
        *("a\ufffdb", "\ufffd", "c\ufffd"),
        "gpt\ufffd\ufffd[31m",
    ]
    assert len(found["phase"].encode()) == 128


any_text = st.text(max_size=40) | st.integers(0, 6000).map("\x01".__mul__)
any_text |= st.integers(0, 3000).map("가".__mul__) | st.integers(0, 6000).map('"'.__mul__)


@given(
    st.builds(
        Entry,
        ts=st.integers(0, 4_000_000_000),
        error_type=st.just("tool-failure"),
        message=any_text,
        stderr_excerpt=st.none() | any_text,
        context=st.none() | st.builds(sandbox, any_text.filter(str.strip), more=any_text),
        command=st.none() | any_text,
        exit_code=st.integers(-(1 << 53), 1 << 53),
        duration_ms=st.none() | st.integers(0, 1 << 53),
    ),
    st.builds(
        ORIGIN._replace, task_key=any_text, model=st.none() | any_text, sidecar=st.none() | any_text
    ),
)
def test_every_record_fits_its_line(entry: Entry, origin: Origin) -> None:
    """(D-174): at most 4,096 bytes, one line, of the same shape; a second time nothing changes."""
    found = fitted(entry, origin._replace(task_key=f"p{origin.task_key}"))
    line = jsonl.encode(found)
    assert len(line) <= LINE
    assert line.count(b"\n") == 1
    assert json.loads(line) == found
    assert schemas.check(found, "error-record") == []
    assert fit(found) == found
