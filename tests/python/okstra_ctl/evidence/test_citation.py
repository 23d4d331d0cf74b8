from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from okstra_ctl.evidence import citation, citation_files
from okstra_ctl.evidence.citation import Citation


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("src/a.py:41", Citation("src/a.py", 41, 41)),
        ("src/a.py:41-48", Citation("src/a.py", 41, 48)),
        ("빈 folder/a b.py:1", Citation("빈 folder/a b.py", 1, 1)),
        ("Makefile:7-7", Citation("Makefile", 7, 7)),
        *((text, None) for text in ("a.py", "a.py:0", "a.py:2-1", "a.py:01", ":1", " a:1", "a :1")),
        *((text, None) for text in ("a.py:1-", "a.py:-1", "a.py:1-2-3", "a.py:\uff11", "a\n.py:1")),
        *((text, None) for text in ("http://x.org:80", "a.py:1:2", "a.py:1 ", "a.py:9999999999")),
    ],
)
def test_what_names_a_place(text: str, expected: Citation | None) -> None:
    """H-011."""
    assert citation.parse(text) == expected
    assert expected is None or citation.parse(str(expected)) == expected


PLACES = st.builds(
    lambda path, start, more: Citation(path, start, start + more),
    st.from_regex(r"[a-z가 /._-]{0,8}[a-z가]", fullmatch=True).filter(lambda p: p[0] != " "),
    st.integers(1, 999),
    st.integers(0, 99),
)


@given(st.lists(PLACES, min_size=1, max_size=4))
def test_what_is_written_is_read(places: list[Citation]) -> None:
    value = ", ".join(f"`{place}`" for place in places)
    assert citation.evidence(value) == (tuple(places), "", "")


@given(st.text())
def test_any_evidence_is_places_or_a_reason_or_at_fault(value: str) -> None:
    places, reason, fault = citation.evidence(value)
    assert [bool(places), bool(reason), bool(fault)].count(True) == 1 or value == ""


def test_places_in_prose() -> None:
    """D-161, D-165: what looks alike and is no file is not asked for."""
    text = "`a/b.py:1`, `LICENSE:2-3`, `redis:6379`, `12:30`, ``a.py:9``, a.py:8, `a.py:0`"
    assert list(map(str, citation.ticked(text))) == ["a/b.py:1", "LICENSE:2-3"]


def test_places_in_an_explanation() -> None:
    """Z-117: also without ticks."""
    text = "opened src/a.py:41-48: it holds; see `b c.py:7`, http://x.org/a:80, user@host.org:22."
    found = list(map(str, citation.mentioned(text)))
    assert found == ["b c.py:7", "src/a.py:41-48"]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "빈 project"
    (root / "src").mkdir(parents=True)
    (root / "src/a.py").write_text("1\n2\n3", "utf-8")
    (root / "src/empty.py").write_text("", "utf-8")
    (tmp_path / "secret").write_text("1\n", "utf-8")
    (root / "out").symlink_to(tmp_path)
    (root / "in.py").symlink_to("src/a.py")
    os.mkfifo(root / "pipe")
    return root


@pytest.mark.parametrize(
    ("path", "line", "fault"),
    [
        ("src/a.py", 1, ""),
        ("./src/a.py", 3, ""),
        ("src/a.py", 4, "the file has 3 lines: "),
        ("{root}/src/a.py", 3, ""),
        ("in.py", 3, ""),
        ("src/empty.py", 1, "the file has 0 lines: "),
        ("src/b.py", 1, "no such file or directory: "),
        ("src", 1, "not a file: "),
        ("pipe", 1, "not a file: "),
        ("../secret", 1, "leads out of its folder: "),
        ("src/../src/a.py", 1, "leads out of its folder: "),
        ("/etc/passwd", 1, "outside of the project: "),
        ("{root}x/secret", 1, "outside of the project: "),
        ("out/secret", 1, "a link out of the project: "),
        ("src/a.py/b", 1, "not a directory: "),
    ],
)
def test_a_place_exists_in_the_project_alone(
    path: str, line: int, fault: str, project: Path
) -> None:
    """Z-117: no `..`, nothing outside, no link that leads there."""
    place = Citation(path.format(root=project), line, line)
    found = citation_files.fault(str(project), place)
    assert found.removesuffix(str(place)) == fault
    assert citation_files.exists(str(project), place) == (fault == "")
