"""The index of a report without data (R-030 to R-032)."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from okstra_ctl.reports import report_index, report_index_files
from okstra_kernel import UserError

TEXT = """---
task-type: improvement-discovery
---

# Improvements

## 1. Clarification Items

| ID | Statement |
|---|---|
| C-001 | keep [the](x) order? |

## 5.9 Improvement Candidates

### I-001 — one *query* too many
I-002 is no row here.

```
### I-003 quoted
```

| I-004 | cache it | I-001 |
"""
MADE = """---
task-type: improvement-discovery
---

# Improvements

<!-- okstra:report-index -->
## Index
<a id="report-index"></a>

- Candidates
  - [I-001](#i-001) one query too many
  - [I-004](#i-004) cache it
- Questions
  - [C-001](#c-001) keep the(x) order?
<!-- /okstra:report-index -->

## 1. Clarification Items

| ID | Statement |
|---|---|
| <a id="c-001"></a>C-001 | keep [the](x) order? |

## 5.9 Improvement Candidates

### <a id="i-001"></a>I-001 — one *query* too many
I-002 is no row here.

```
### I-003 quoted
```

| <a id="i-004"></a>I-004 | cache it | I-001 |
"""


def test_index_and_anchors() -> None:
    assert report_index.inject(TEXT, "en") == MADE
    assert report_index.has_index(MADE)
    assert not report_index.has_index(TEXT)


def test_again_it_is_replaced_in_another_language_too() -> None:
    assert report_index.inject(MADE, "en") == MADE
    korean = report_index.inject(MADE, "ko")
    assert "## 목차" in korean
    assert report_index.inject(korean, "en") == MADE


def test_without_rows_it_says_so() -> None:
    assert "- Candidates: none\n- Questions: none\n" in report_index.inject("Nothing.\n", "en")


def test_line_ends_stay() -> None:
    made = report_index.inject(TEXT.replace("\n", "\r\n"), "en")
    assert made == MADE.replace("\n", "\r\n")


@pytest.mark.parametrize("language", ["fr", "", "EN"])
def test_another_language(language: str) -> None:
    with pytest.raises(UserError, match="not a report's language"):
        report_index.inject(TEXT, language)


@pytest.mark.parametrize("mark", ["<!-- okstra:report-index -->", "<!-- /okstra:report-index -->"])
def test_an_index_that_was_cut_is_not_guessed_at(mark: str) -> None:
    with pytest.raises(UserError, match="was cut"):
        report_index.inject(MADE.replace(f"{mark}\n", ""), "en")


LINE = st.sampled_from(
    ["---", "# T", "## H", "", "```", "| I-001 | a |", "### C-002: x", "text", "  "]
)


@given(st.lists(LINE), st.sampled_from(["en", "ko"]))
def test_twice_is_once(lines: list[str], language: str) -> None:
    once = report_index.inject("\n".join(lines), language)
    assert report_index.inject(once, language) == once


def test_a_file(tmp_path: Path) -> None:
    path = tmp_path / "보고 서.md"
    path.write_text(TEXT, "utf-8")
    assert report_index_files.command(str(path), "en") == (0, str(path))
    assert path.read_text("utf-8") == MADE
    before = path.stat().st_ino
    report_index_files.inject(str(path), "en")
    assert path.stat().st_ino == before, "an index that is right is not written again"


@pytest.mark.parametrize("data", [b"\xff\xfe", None])
def test_what_cannot_be_read(tmp_path: Path, data: bytes | None) -> None:
    path = tmp_path / "r.md"
    if data is not None:
        path.write_bytes(data)
    with pytest.raises(UserError, match=r"r\.md"):
        report_index_files.inject(str(path), "en")
