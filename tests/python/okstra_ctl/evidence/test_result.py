from __future__ import annotations

from typing import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from okstra_ctl.evidence import result
from okstra_ctl.evidence.citation import Citation
from okstra_ctl.evidence.findings import Finding
from okstra_ctl.evidence.front_matter import Identity

IDENTITY = Identity(
    workerId="codex-analyser",
    provider="codex",
    model="gpt-5",
    taskKey="shop:checkout:dev-1",
    taskType="error-analysis",
    seq="001",
    dispatchKind="initial",
)
MARKER = "<!-- okstra:result-complete -->"


def read(text: str, expected: Identity = result.ANYBODY) -> result.Result:
    return result.read(text.encode("utf-8"), expected)


def told(text: str, expected: Identity = result.ANYBODY) -> list[tuple[int, str, str]]:
    return [(one.line, one.rule, one.message) for one in read(text, expected).violations]


def test_a_good_result_is_read_whole(good_result: str) -> None:
    """H-010, H-011."""
    places = (Citation("src/cache.py", 41, 41), Citation("빈 folder/a.py", 44, 48))
    assert read(good_result, IDENTITY) == result.Result(
        IDENTITY,
        (
            Finding(
                "F-001",
                "the key ignores the tenant",
                "major",
                "defect",
                "two tenants share a row.",
                places,
                "put the tenant into the key.",
                "SHOP-7",
                "",
                12,
            ),
            Finding(
                "F-002",
                "nobody looked at the clock",
                "info",
                "fact",
                "times are local.",
                (),
                "ask.",
                "",
                "",
                20,
                "it is not in the code",
            ),
        ),
        ((16, places[0]), (16, places[1])),
        False,
        (),
    )


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("\n", "\r\n"),
        (f"{MARKER}\n", MARKER),
        (f"{MARKER}\n", f"{MARKER}  \n\n \n"),
        ("---\nworkerId", "---\napproved: true\nworkerId"),
        ("seq: 001", 'seq: "001"'),
        ("- Severity: major", "* **Severity**: `major`"),
        ("- Kind: defect", "- **Kind:** defect"),
        ("two tenants share", "two tenants\n  share"),
        ("- Statement: two", "- Statement:\n  two"),
        ("- Ticket", "  ```\n  - Severity: info\n  ```\n- Ticket"),
        ("\n### F-002", "\n> ### F-009 — quoted\n> - Severity: minor\n\n### F-002"),
        ("\n### F-002", "\n~~~md\n### F-009 — fenced\n````\n~~~\n### F-002"),
        ("\n### F-002", "\n<!--\n### F-009 — hidden\n-->\n### F-002"),
        (
            "\n### F-002",
            "BEGIN DATA 01234567 brief\n### F\nEND DATA 99999999\nEND DATA 01234567 b\n### F-002",
        ),
        ("\n### F-002", "-----0123456789ab-----\n### F-009 — x\n-----0123456789ab-----\n### F-002"),
        ("## 2. Evidence\n", "## 2. Evidence\n### F-001 — again\nmore of it\n"),
        ("## 1. Findings", "# A title\n\n## 1. Findings"),
    ],
)
def test_what_means_the_same_is_read_the_same(old: str, new: str, good_result: str) -> None:
    """Z-050, XS-15: quoted text is no finding, front matter that nobody knows says nothing."""
    assert old in good_result
    found = read(good_result.replace(old, new), IDENTITY)
    assert found.violations == ()
    assert meaning(found) == meaning(read(good_result))


FAULTS = [
    # The frame (H-010)
    ("---\nworkerId", "workerId", (1, "front-matter", "no front matter: line 1 is not ---")),
    ("initial\n---", "initial\n", (1, "front-matter", "the front matter has no closing ---")),
    ("seq: 001\n", "", (1, "front-matter", "missing: seq")),
    ("seq: 001", "seq: 1", (7, "front-matter", "not a seq: '1'")),
    ("seq: 001", "seq: [001]", (7, "front-matter", "not a seq: \"['001']\"")),
    ("seq: 001", "seq: 001\nseq: 002", (8, "front-matter", "repeated: seq")),
    ("model: gpt-5", 'model: "x', (8, "front-matter", None)),
    ("model: gpt-5", "model: &a x\nb: *a", (4, "front-matter", "an alias is not taken here")),
    ("model: gpt-5", "model: " + "[" * 900 + "]" * 900, (1, "front-matter", "nested too deeply")),
    ("model: gpt-5", "a: " + "x" * 5000, (1, "front-matter", "longer than 4096 characters")),
    ("## 3. Risks", "## 3. Risk", (30, "section", "not a section of a result: '## 3. Risk'")),
    ("## 3. Risks", "## 3. Risk", (39, "section", "missing: ## 3. Risks")),
    ("## 3. Risks", "## 2. Evidence", (30, "section", "a second time: '## 2. Evidence'")),
    ("## 3. Risks\nNone.", "## 3. Risks\n", (30, "section", None)),
    ("## 3. Risks\n", "## 3. Risks\nmany\n", (32, "section", "None. beside other text: 3. Risks")),
    ("## 3. Risks", "# 3. Risks", (30, "section", "not a section of a result: '# 3. Risks'")),
    ("## 5", "## 6. More\n## 5", (36, "section", "not a section of a result: '## 6. More'")),
    (MARKER, f"{MARKER}\nmore", None),
    (MARKER, f"{MARKER}\n{MARKER}", (39, "closing-marker", "text follows the closing marker")),
    ("## 3.", "## 0. Reading Confirmation\n## 3.", (30, "reading-confirmation-in-result", None)),
    ("two tenants", "two\x1b[2J tenants", (15, "control-character", "a control character: U+001B")),
    ("two tenants", "two\u2028tenants", (15, "control-character", "a control character: U+2028")),
    # Findings (H-011)
    ("### F-001 — the", "### F-001 - the", (12, "finding", None)),
    ("### F-001 — the", "### F-1 — the", (12, "finding", None)),
    ("### F-001 — the", " ## F-001 — the", (12, "section", None)),
    ("### F-001 — the", "#### F-001 — the", (12, "finding", None)),
    ("### F-002", "### F-001", (20, "finding", "F-001 stands in line 12 already")),
    ("- Severity: major\n", "", (12, "finding", "missing: Severity")),
    ("Severity: major", "Severity: Major", (13, "finding", None)),
    ("Kind: defect", "Kind: bug", (14, "finding", None)),
    ("- Kind: defect", "- Sort: defect", (14, "finding", "not a key of a finding: 'Sort'")),
    ("- Kind: defect", "- Severity: info", (14, "finding", "Severity stands in line 13 already")),
    ("- Ticket: SHOP-7", "- Ticket:", (18, "finding", "Ticket is empty")),
    ("- Ticket", "    - Ticket", (18, "finding", None)),
    ("- Ticket: SHOP-7", "and more", (18, "finding", None)),
    ("`src/cache.py:41`, `", "src/cache.py:41, `", (16, "finding", None)),
    ("44-48`", "48-44`", (16, "finding", None)),
    ("44-48`", "44`-48", (16, "finding", None)),
    ("none — it", "none - it", (24, "finding", None)),
    ("## 1. Findings\n", "## 1. Findings\nI saw:\n", (11, "finding", None)),
    ("## 2. Evidence\n", "## 2. Evidence\n### F-003 — late\n", (28, "finding", None)),
    # Fences (Z-050)
    ("- Ticket: SHOP-7", "```", (18, "fence", "a fence of code is not closed")),
    ("- Ticket", "  ```\n- Lens: x\n  ```\n- Ticket", (19, "fence", None)),
    ("- Ticket", "- ```\n  x\n- Ticket", (18, "fence", None)),
    ("\n### F-002", "END DATA 0123456789ab x\n\n### F-002", (19, "fence", None)),
    ("\n### F-002", "BEGIN DATA 0123456789ab x\n\n### F-002", (19, "fence", None)),
]


@pytest.mark.parametrize(("old", "new", "fault"), FAULTS)
def test_what_breaks_the_contract_is_told_with_its_line(
    old: str, new: str, fault: tuple[int, str, str | None] | None, good_result: str
) -> None:
    """H-010, H-011, H-014, Z-013: such a result is invalid, not cut."""
    assert old in good_result
    text = good_result.replace(old, new, 1)
    found = told(text)
    if fault is None:  # the last line is not the marker
        assert read(text).reason == "incomplete-result"
        return
    line, rule, message = fault
    assert [one for one in found if one[:2] == (line, rule) and message in (None, one[2])], found
    assert read(text).reason == "invalid-result"


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (b"", "empty"),
        (b" \n\n", "empty"),
        (b"---\nworkerId: x", f"cut: the last line is not {MARKER}"),
        (f"```\n{MARKER}\n```".encode(), f"cut: the last line is not {MARKER}"),
        (f"text {MARKER}".encode(), f"cut: the last line is not {MARKER}"),
        (f"> {MARKER}".encode(), f"cut: the last line is not {MARKER}"),
        ("결과".encode()[:-1], f"cut: the last line is not {MARKER}"),
    ],
)
def test_without_its_closing_marker_a_result_was_cut(text: bytes, what: str) -> None:
    """Z-013, XI-16: another reason than that of a whole result that breaks the contract."""
    found = result.read(text)
    assert found.reason == "incomplete-result"
    assert what in [one.message for one in found.violations if one.rule == "closing-marker"]


def test_every_cut_is_told(good_result: str) -> None:
    """Z-013: wherever the text ends, but for the blanks behind the marker."""
    data = good_result.encode()
    whole = {at for at in range(len(data) + 1) if not result.read(data[:at]).cut}
    assert whole == {len(data) - 1, len(data)}


@pytest.mark.parametrize(
    ("data", "rule", "message"),
    [
        (b"x" * (50 << 20), "size", "larger than 1 MiB"),
        (b"\n" * 60_000 + b"x", "size", "more than 20000 lines"),
        (f"\xff\n{MARKER}".encode("latin-1"), "encoding", "byte 0 is not UTF-8"),
        (MARKER.encode("utf-16"), "encoding", "byte 0 is not UTF-8"),
    ],
    ids=["50 MB", "lines", "not UTF-8", "UTF-16"],
)
def test_what_nobody_could_read_is_told(data: bytes, rule: str, message: str) -> None:
    """XF-15, XI-16."""
    found = result.read(data)
    assert (rule, message) in [(one.rule, one.message) for one in found.violations]
    assert found.reason != ""
    assert found.findings == ()


@pytest.mark.parametrize("name", ["workerId", "provider", "taskKey", "taskType", "seq"])
def test_the_result_of_another_worker_or_run_is_refused(name: str, good_result: str) -> None:
    """XI-16: wrong worker id, wrong run."""
    expected = IDENTITY._replace(**{name: "other"})
    was = getattr(IDENTITY, name)
    line = Identity._fields.index(name) + 2
    message = f"{name} is '{was}', expected 'other'"
    assert told(good_result, expected) == [(line, "identity", message)]


def test_all_faults_are_told_not_the_first_alone(good_result: str) -> None:
    text = good_result.replace("seq: 001\n", "").replace("Kind: ", "Sort: ").replace("3. R", "3. X")
    assert [line for line, _, _ in told(text, Identity(workerId="x"))] == [
        *(1, 1, 2, 11, 13, 19, 21, 29, 38)
    ]


MUTATIONS: dict[str, Callable[[str], list[str]]] = {
    "drop": lambda line: [],
    "twice": lambda line: [line, line],
    "blank": lambda line: [""],
    "indent": lambda line: [f" {line}"],
    "code": lambda line: [f"    {line}"],
    "quote": lambda line: [f"> {line}"],
    "fence": lambda line: ["```", line, "```"],
    "open": lambda line: ["```", line],
    "comment": lambda line: [f"<!-- {line} -->"],
    "open comment": lambda line: ["<!--", line],
    "item": lambda line: [f"- {line}"],
    "heading": lambda line: [f"# {line}"],
    "bold": lambda line: [f"**{line}**"],
    "first letter": lambda line: [line[1:]],
    "half": lambda line: [line[: len(line) // 2]],
}


def meaning(found: result.Result) -> tuple[object, ...]:
    return found.identity, [finding._replace(line=0) for finding in found.findings]


@pytest.mark.parametrize("name", MUTATIONS)
def test_a_change_of_one_line_is_told_or_changes_nothing(name: str, good_result: str) -> None:
    """H-011, XS-15: what cannot be told apart is left out: an optional key, words of a value."""
    lines = good_result.split("\n")
    counted = 0
    for at, line in enumerate(lines):
        if line.startswith("- Ticket") or (name == "half" and ": " in line[:20]):
            continue
        if line.startswith("model") or (name in ("half", "heading") and line.startswith("##")):
            continue
        found = read("\n".join([*lines[:at], *MUTATIONS[name](line), *lines[at + 1 :]]))
        same = meaning(found) == meaning(read(good_result))
        assert found.violations or same, (at + 1, line)
        counted += bool(found.violations)
    assert counted > 2


def test_two_lines_changing_places_is_told_or_changes_nothing(good_result: str) -> None:
    lines = good_result.split("\n")
    for at in range(len(lines) - 1):
        changed = [*lines[:at], lines[at + 1], lines[at], *lines[at + 2 :]]
        found = read("\n".join(changed))
        assert found.violations or meaning(found) == meaning(read(good_result)), at + 1


PIECES = st.sampled_from(
    [
        *(
            "---\n",
            "workerId: a\n",
            "seq: 001\n",
            "## 1. Findings\n",
            "## 2. Evidence\n",
            "None.\n",
        ),
        *("### F-001 — x\n", "- Severity: major\n", "- Evidence: `a.py:1`\n", "- Kind: risk\n"),
        *("```\n", "> ", "  ", "<!--", "-->\n", "BEGIN DATA 0123456789 x\n", "\r\n", "\n", "결"),
        *("END DATA 0123456789 x\n", f"{MARKER}\n", "`", "a.py:1", "\0", "{", "&a", "*a", "!!x"),
    ]
)


@given(st.lists(PIECES, max_size=30).map("".join) | st.text())
def test_any_text_ends_in_a_result_or_in_faults(text: str) -> None:
    data = text.encode("utf-8", "surrogatepass")
    found = result.read(data)
    last = data.count(b"\n") + 1
    assert (found.reason == "") == (found.violations == ())
    assert all(1 <= one.line <= last and one.message for one in found.violations)
    assert [one.line for one in found.violations] == sorted(one.line for one in found.violations)


@given(st.binary())
def test_any_bytes_end_in_faults(data: bytes) -> None:
    assert result.read(data).reason in ("incomplete-result", "invalid-result")
