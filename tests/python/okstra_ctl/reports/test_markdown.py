"""A report as Markdown: deterministic, and no text breaks out (R-022 to R-028, Z-030, Z-050)."""

from __future__ import annotations

import copy
from typing import Any

import pytest
import report_samples as samples
from hostile_texts import NASTY, TEXTS, filled
from hypothesis import given, settings
from markdown_it import MarkdownIt

from okstra_ctl.reports import markdown
from okstra_kernel import strict_yaml

PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
MARKUP = {"text", "code_inline", "strong_open", "strong_close", "text_special"}


def full() -> dict[str, Any]:
    """Return a report that has something in each section."""
    data = samples.report()
    data["clarificationItems"] = [
        samples.question(),
        samples.question(2, kind="data-point", options=[], expectedForm="a number"),
    ]
    data["clarificationCarriedIn"] = [{"id": "C-001", "answer": "yes", "outcome": "done"}]
    data["followUpTasks"] = [
        {
            **{"id": "FU-001", "taskId": "DEV-2", "title": "index it", "taskType": "x"},
            **{"reason": "slow", "ticketId": "DEV-1"},
        }
    ]
    data["resultSections"] = [{"heading": "More", "body": "text"}]
    return data


def body(text: str) -> str:
    return text.split("\n---\n", 1)[1]


def blocks(text: str) -> list[tuple[str, str, int]]:
    """Return the blocks of a Markdown text, those within quotations left out."""
    found, quoted = [], 0
    for token in PARSER.parse(body(text)):
        quoted -= token.type == "blockquote_close"
        if not quoted:
            found.append((token.type, token.tag, token.level))
        quoted += token.type == "blockquote_open"
    return found


def inlines(text: str) -> set[str]:
    found, quoted = set(), 0
    for token in PARSER.parse(body(text)):
        quoted += (token.type == "blockquote_open") - (token.type == "blockquote_close")
        if not quoted:
            found |= {child.type for child in token.children or []}
    return found


PLAIN = blocks(markdown.render(filled(full(), "word"), []))


@pytest.mark.parametrize("text", NASTY)
def test_a_hostile_text_stays_in_its_place(text: str) -> None:
    made = markdown.render(filled(full(), text), [])
    assert blocks(made) == PLAIN
    assert inlines(made) <= MARKUP


@settings(max_examples=40)
@given(TEXTS)
def test_any_text_stays_in_its_place(text: str) -> None:
    made = markdown.render(filled(full(), text), [])
    assert blocks(made) == PLAIN
    assert inlines(made) <= MARKUP
    made.encode()


@settings(max_examples=40)
@given(TEXTS)
def test_rendering_twice_gives_equal_bytes(text: str) -> None:
    """R-025."""
    data = filled(full(), text)
    before = copy.deepcopy(data)
    assert markdown.render(data, []) == markdown.render(copy.deepcopy(data), [])
    assert data == before


@pytest.mark.parametrize(
    "text", ["a * b", "__init__", "a_b", "C#", "x -> y", "R&D", "`a*b`", "\\d+", "[x]", "50% | 3"]
)
def test_a_text_reads_as_it_was_written(text: str) -> None:
    found = PARSER.render(body(markdown.render(filled(full(), text), [])))
    shown = PARSER.render("x").replace("x", text.replace("`", ""))
    plain = found.replace("<code>", "").replace("</code>", "").replace("&amp;", "&")
    assert shown.strip() in plain.replace("&gt;", ">")


def test_headings_are_those_of_the_contract() -> None:
    """R-026."""
    text = markdown.render(full(), [])
    assert [line for line in text.splitlines() if line.startswith("## ")] == [
        "## 0. Clarification Response Carried In From Previous Run",
        "## 1. Clarification Items",
        "## 2. Verdict and Evidence",
        "## 3. Recommended Next Steps",
        "## 4. Follow-up Tasks",
        "## 5. Result",
        "## 6. Execution",
    ]


def test_section_0_is_there_only_when_answers_were_carried_in() -> None:
    assert "## 0." not in markdown.render(samples.report(), [])


def test_the_summary_for_people_is_not_in_the_markdown() -> None:
    """R-015."""
    data = samples.report()
    data["humanSummary"] = {
        **{"headline": "only-people", "situation": "only-people", "findings": ["only-people"]},
        **{"decisionsNeeded": [], "nextStep": "only-people"},
    }
    assert "only-people" not in markdown.render(data, [])


@pytest.mark.parametrize("language", ["en", "ko"])
def test_headings_and_machine_words_are_the_same_in_both_languages(language: str) -> None:
    """R-028."""
    text = markdown.render(samples.report(language), [])
    english = markdown.render(samples.report("en"), [])
    for start in ("#", "| ID", "| F-", "- Class"):
        assert [line for line in text.splitlines() if line.startswith(start)] == [
            line for line in english.splitlines() if line.startswith(start)
        ]


def test_the_front_matter_can_be_read_back() -> None:
    """R-022, R-024."""
    text = markdown.render(samples.report(), [])
    assert strict_yaml.parse(text.split("---\n")[1], "x") == {
        **{"task-key": "shop:checkout:DEV-1", "task-type": "error-analysis", "seq": "001"},
        **{"report-language": "en", "schema-version": "2.0"},
    }


def test_a_plan_is_born_unapproved_whatever_its_data_says() -> None:
    """R-022."""
    data = samples.report(task_type="implementation-planning")
    data["implementationPlanning"] = {"approved": True}
    assert markdown.render(data, []).startswith("---\napproved: false\nimplementation-option:\n")


def test_a_secret_of_the_environment_is_taken_out() -> None:
    """Z-051."""
    data = samples.report()
    data["findings"][0]["claim"] = "it prints s3cr3t-value-of-mine"
    made = markdown.render(data, [("MY_TOKEN", "s3cr3t-value-of-mine")])
    assert "s3cr3t" not in made and "redacted:MY" in made
