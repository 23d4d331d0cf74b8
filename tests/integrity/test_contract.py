"""Every contract id that code, texts or tests cite is a fact in docs/contract/.

A citation is a pair of brackets that begins with an id: `(L-045)`, `(P-038 to P-042, Z-102)`. Facts
that no test cites are told as a warning: not each needs one, but somebody should have looked.
"""

from __future__ import annotations

import re
import warnings
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ID = r"(?:X[FCTIS]|[A-Z])-\d{1,3}[a-z]?"
CITATION = re.compile(rf"\(({ID}(?![\w-])[^()]*)\)")
DATA = re.compile(r"(C|R|F|E|I|S)-\d\d\d")  # ids of questions, findings … inside a report's data


def facts() -> set[str]:
    """Return the ids that docs/contract/ holds, one at the beginning of each of its items."""
    return {found for page in pages() for found in re.findall(rf"^- \*\*({ID})\*\*", page, re.M)}


def later() -> set[str]:
    """Return the ids of facts that the pages announce: they come with what needs them."""
    lines = [line for page in pages() for line in page.splitlines() if "Still to come:" in line]
    return {found for line in lines for found in cited(f"(Z-0 {line})".replace("…", " to "))}


def pages() -> list[str]:
    return [page.read_text(encoding="utf-8") for page in ROOT.glob("docs/contract/*.md")]


def cited(text: str) -> set[str]:
    """Return the ids that a text cites; `P-1 to P-3` cites all three."""
    found: set[str] = set()
    for inside in CITATION.findall(text):
        found |= set(re.findall(rf"\b{ID}\b", inside))
        for area, first, last in re.findall(r"\b([A-Z]+)-(\d+) to (?:[A-Z]+-)(\d+)", inside):
            width = len(first)
            found |= {f"{area}-{n:0{width}}" for n in range(int(first), int(last) + 1)}
    return found


def citations(*folders: str) -> dict[str, list[str]]:
    """Return the files that cite each id."""
    found: dict[str, list[str]] = {}
    for folder in folders:
        for path in sorted(p for p in (ROOT / folder).rglob("*") if p.is_file()):
            if path.suffix == ".pyc" or path == Path(__file__):
                continue
            for one in cited(path.read_text(encoding="utf-8", errors="replace")):
                found.setdefault(one, []).append(str(path.relative_to(ROOT)))
    return found


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("as (L-045).", {"L-045"}),
        ("(P-008 to P-010, Z-102)", {"P-008", "P-009", "P-010", "Z-102"}),
        ("(Z-009, L-008 step 5) (XS-09)", {"Z-009", "L-008", "XS-09"}),
        ("L-045 without brackets, f(L-1), (see L-2), (UTF-8)", {"L-1"}),
    ],
)
def test_what_a_citation_is(text: str, ids: set[str]) -> None:
    assert cited(text) == ids


def test_every_cited_fact_exists() -> None:
    known = facts()
    if not known:
        pytest.skip("docs/contract/ holds no facts yet")
    found = citations("bin", "lib", "validators", "prompts", "tests")
    unknown = {one: files for one, files in found.items() if one not in known | later()}
    assert {one: files for one, files in unknown.items() if not DATA.fullmatch(one)} == {}


def test_facts_that_no_test_cites_are_told() -> None:
    untested = sorted(facts() - set(citations("tests")))
    if untested:
        warnings.warn(
            f"{len(untested)} facts are cited by no test: {' '.join(untested)}", stacklevel=1
        )
