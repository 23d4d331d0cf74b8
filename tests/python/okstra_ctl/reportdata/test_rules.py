"""What a report's members must be to each other (R-011 to R-020, C-271 to C-277, Z-112)."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any, Callable

import pytest
import report_samples as samples
from hypothesis import given
from hypothesis import strategies as st

from okstra_ctl.reportdata import excerpt, report, rules
from okstra_kernel import UserError, schemas

Members = dict[str, Any]
FULL = schemas.schema(report.SCHEMA)
TASKS = (*FULL[excerpt.ABOUT]["deliverables"], "final-verification", "implementation")


def changed(change: Callable[[Members], object]) -> Members:
    data = samples.report()
    data["clarificationItems"] = [samples.question()]
    change(data)
    return data


def asked(**more: Any) -> Callable[[Members], object]:
    return lambda data: data["clarificationItems"][0].update(more)


ALTERNATIVE = {
    **{"role": "alternative", "answer": "a", "rationale": "", "scopeImpact": "", "addedWork": ""},
    "directionChange": "",
}


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (lambda d: d["consensus"].clear(), "$.consensus: F-001 is missing"),
        (lambda d: d["consensus"][0].update(id="F-002"), "$.consensus: F-002 is no finding of"),
        (lambda d: d["consensus"][0].update(evidence="none — x"), "$.consensus F-001: its evid"),
        (lambda d: d["consensus"][0].update(evidence="a.py:1, b"), "$.consensus F-001: its evid"),
        (
            lambda d: d["evidence"]["primary"][0].update(source="a.py:9-3"),
            "$.evidence.primary E-001: no path:line: a.py:9-3",
        ),
        (lambda d: d["findings"][1].update(evidence=["a:2-1"]), "$.findings F-002: no path:line"),
        (lambda d: d["findings"][1].update(id="G-001"), "$.findings: the id G-001 stands there 2"),
        (
            lambda d: d["findings"][0]["votes"][0].update(workerId="claude-analyser"),
            "$.findings F-001: claude-analyser raised it and has a vote on it",
        ),
        (
            lambda d: d["findings"][0]["votes"][0].update(workerId="grok-analyser"),
            "$.findings F-001: grok-analyser has 2 votes",
        ),
        (
            lambda d: d["convergence"]["classes"].update(rejected=0),
            "$.convergence.classes.rejected: 0, but 1 findings have it",
        ),
        (
            lambda d: d["humanSummary"]["decisionsNeeded"].append("C-002"),
            "$.humanSummary.decisionsNeeded: no such question: C-002",
        ),
        (
            lambda d: d["errorAnalysis"]["causes"][0].update(findingId="F-9"),
            "$.errorAnalysis.causes: no such finding: F-9",
        ),
        (
            lambda d: d["clarificationItems"].append(samples.question()),
            "$.clarificationItems: the id C-001 stands there 2 times",
        ),
        (asked(options=[ALTERNATIVE]), "$.clarificationItems C-001: a decision has exactly one"),
        (asked(kind="material"), "$.clarificationItems C-001: options are for a decision"),
        (asked(kind="material", options=[]), "$.clarificationItems C-001: neither options nor"),
        (asked(statement="Which?"), "$.clarificationItems C-001: no 'Evidence checked:"),
        (asked(statement="x Evidence checked: none"), "$.clarificationItems C-001: 'Evidence ch"),
        (asked(statement="x Evidence checked: it"), "$.clarificationItems C-001: 'Evidence ch"),
        (lambda d: d.update(schemaVersion="1.0"), "$.schemaVersion: this okstra reads"),
        (asked(id="C-1"), "$.clarificationItems[0].id: expected"),
        (lambda d: d.update(readerSummary={}), "$.readerSummary: unknown member"),
    ],
)
def test_a_broken_rule_is_one_line_with_its_place(
    change: Callable[[Members], object], fault: str
) -> None:
    found = report.faults(changed(change))
    assert [line for line in found if line.startswith(fault)] != [], found


@pytest.mark.parametrize(
    "statement",
    [
        "x Evidence checked: src/a.py:3",
        "x Evidence checked: `src/a.py:3-5`, `b.sh:1`.",
        "x\nEvidence checked: none — only the reporter knows",
    ],
)
def test_what_was_checked_for_a_question(statement: str) -> None:
    """C-277."""
    assert report.faults(changed(asked(statement=statement))) == []


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("src/a.py:3", True),
        ("src/a b.py:3-3", True),
        ("한글.py:12", True),
        ("a:0", False),
        ("a:3-2", False),
        ("a", False),
        ("a\n:1", False),
        (":1", False),
        ("a:1:2", False),
        ("http://a:80", False),
    ],
)
def test_what_cites_a_place(text: str, told: bool) -> None:
    """R-016."""
    assert rules.cites(text) is told


def test_the_schema_and_the_rules_mean_the_same_by_a_place() -> None:
    assert FULL["$defs"]["place"]["pattern"] == f"^{rules.PLACE}$"


def test_a_file_that_is_not_valid_is_refused_with_all_its_faults(tmp_path: Path) -> None:
    path = tmp_path / "final-report-error-analysis-001.data.json"
    path.write_text(json.dumps(changed(lambda d: d["consensus"].clear())), encoding="utf-8")
    with pytest.raises(UserError, match=r"\$\.consensus: F-001 is missing"):
        report.load(str(path))
    path.write_text(json.dumps(samples.report()), encoding="utf-8")
    assert report.load(str(path)).data == samples.report()


@pytest.mark.parametrize("end", [".data.json", ".md", ".html"])
def test_each_form_stands_for_its_data(end: str) -> None:
    """R-001, R-048."""
    assert report.data_path(f"a/final-report-x-001{end}") == "a/final-report-x-001.data.json"
    with pytest.raises(UserError, match="neither"):
        report.data_path("a/b.txt")


def test_canonical_bytes_do_not_depend_on_the_order_of_members() -> None:
    """Z-030."""
    data = samples.report()
    assert report.canonical_bytes(data) == report.canonical_bytes(dict(reversed(data.items())))


@pytest.mark.parametrize("task_type", TASKS)
def test_an_excerpt_is_for_its_task_type(task_type: str) -> None:
    """R-012."""
    found = excerpt.for_task(task_type, FULL)
    own = {"deliverables"} and FULL[excerpt.ABOUT]["deliverables"].get(task_type)
    others = set(FULL[excerpt.ABOUT]["deliverables"].values()) - {own}
    assert not others & set(found["properties"]) and excerpt.ABOUT not in found
    assert own is None or own in found["required"]
    text = json.dumps(found["properties"]) + json.dumps(found["$defs"])
    assert [name for name in found["$defs"] if f'#/$defs/{name}"' not in text] == []
    assert schemas_valid(found, samples.report(task_type=task_type))


def schemas_valid(schema: Members, value: Any) -> bool:
    from jsonschema import Draft202012Validator

    return bool(Draft202012Validator(schema).is_valid(value))


def places(value: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return where something stands in a value."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value)
    found = []
    for key, inner in pairs:
        found.append((*at, key))
        if isinstance(inner, (dict, list)):
            found += places(inner, (*at, key))
    return found


SAMPLES = {task: samples.report(task_type=task) for task in TASKS}
VALUES: st.SearchStrategy[Any] = st.sampled_from(
    [None, "", "x", 0, -1, 1.5, True, [], {}, "--", "C-001", "a.py:1", "high"]
)


@given(task=st.sampled_from(TASKS), other=st.sampled_from(TASKS), data=st.data())
def test_what_satisfies_an_excerpt_satisfies_the_full_schema(
    task: str, other: str, data: st.DataObject
) -> None:
    """R-012: a faithful subset."""
    value = copy.deepcopy(SAMPLES[other])
    for _ in range(data.draw(st.integers(0, 3))):
        *way, last = data.draw(st.sampled_from(places(value)))
        inside = value
        for step in way:
            inside = inside[step]
        if data.draw(st.booleans()):
            inside[last] = data.draw(VALUES)
        else:
            del inside[last]
    if schemas_valid(excerpt.for_task(task, FULL), value):
        assert schemas_valid(FULL, value)


def test_every_kind_of_a_task_without_data_has_no_excerpt() -> None:
    """Z-103."""
    assert excerpt.text("improvement-discovery") == b""
    assert json.loads(excerpt.text("error-analysis"))["properties"]["taskType"] == {
        "const": "error-analysis"
    }


def test_both_languages_have_the_same_texts_with_the_same_placeholders() -> None:
    """R-028."""
    import re

    from okstra_ctl.reportdata import report_texts

    def shape(language: str) -> dict[str, list[str]]:
        catalog = report_texts.catalog(language)
        return {
            f"{part}.{name}": sorted(re.findall(r"\{\w+\}", text))
            for part, texts in catalog.items()
            if isinstance(texts, dict)
            for name, text in texts.items()
        }

    assert shape("en") == shape("ko")
