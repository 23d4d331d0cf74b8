"""A report as one page: nothing from elsewhere, no text becomes a tag (R-035 to R-050, Z-052)."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Any

import pytest
import report_samples as samples
from hostile_texts import NASTY, TEXTS, filled
from hypothesis import given, settings

from okstra_ctl.reportdata.report import Report
from okstra_ctl.reports import page, page_check

SHA = "a" * 64
IDS = ["F-001", "F-002", "F-003", "F-004", "G-001"]


def made(data: dict[str, Any]) -> str:
    return page.render(Report(data, "x.data.json", SHA), [])


def full(language: str = "en") -> dict[str, Any]:
    data = samples.report(language)
    data["clarificationItems"] = [samples.question()]
    data["resultSections"] = [{"heading": "More", "body": "text"}]
    return data


class Tags(HTMLParser):
    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in ("p", "br", "code", "pre", "ul", "ol", "li"):  # what small Markdown makes
            self.found.append(f"{tag} {sorted(name for name, _ in attrs)}")


PLAIN = Tags(made(filled(full(), "word"))).found


@pytest.mark.parametrize("language", ["en", "ko"])
def test_a_page_has_what_it_must_in_both_languages(language: str) -> None:
    html = made(full(language))
    assert page_check.faults(html, SHA, IDS) == []
    assert f'<html lang="{language}">' in html
    assert "The cache key leaves the tenant out" in html


@pytest.mark.parametrize("text", NASTY)
def test_a_hostile_text_is_only_shown(text: str) -> None:
    html = made(filled(full(), text))
    assert page_check.faults(html, SHA, IDS) == []
    assert Tags(html).found == PLAIN


@settings(max_examples=40)
@given(TEXTS)
def test_any_text_is_only_shown_and_twice_the_same(text: str) -> None:
    html = made(filled(full(), text))
    assert page_check.faults(html, SHA, IDS) == []
    assert Tags(html).found == PLAIN
    assert html == made(filled(full(), text))
    html.encode()


def test_each_finding_has_its_votes_with_words_and_the_dissent_is_written_out() -> None:
    """Z-022, R-013: text, not colour alone."""
    html = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", made(full())))
    for words in (
        "F-002 The lock is taken after the read contested",
        "raised it + agrees -! refutes, basis looked up",
        "src/lock.py:12 takes it before the read",
        "grok · grok-mini another model than the assigned one",
        "no vote timeout",
    ):
        assert words in html


def test_the_first_screen_answers_four_questions() -> None:
    """R-014, R-015: what is wrong, how sure, who disagrees, what next."""
    hero = made(full()).split('class="hero', 1)[1].split('id="questions"')[0]
    for words in (
        "The cache key leaves the tenant out",
        "1 of 4 findings confirmed without opposition",
        "Confidence: high",
        "src/cart.py:41-48",
        "<b>grok-analyser</b> on",
        "Plan the fix of F-001",
        "Too few votes on: F-003",
        "Questions that wait for an answer: 1",
    ):
        assert words in hero


def test_nobody_disagrees_is_said() -> None:
    data = full()
    data["findings"] = data["findings"][:1]
    data["gaps"], data["errorAnalysis"]["causes"] = [], []
    data["convergence"]["classes"] |= {"contested": 0, "rejected": 0, "unverified": 0}
    assert "Nobody disagrees." in made(data)


def test_the_recommended_option_comes_first() -> None:
    """R-040."""
    data = full()
    data["clarificationItems"][0]["options"].reverse()
    html = made(data)
    assert html.index("<b>yes</b>") < html.index("<b>no</b>")


GOOD = made(full())


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("img-src data:", "img-src *", "its content security policy is not"),
        ('"use strict"', '"use  strict"', "its content security policy is not"),
        ("</main>", "<script>1</script></main>", "one script is allowed, found 2"),
        ("</main>", '<a href="https://e.x">x</a></main>', "an address in a tag: <a href="),
        ("</main>", '<a href="javascript:x">x</a></main>', "an address in a tag: <a href="),
        ("</main>", "<img alt=x></main>", "a tag that has no place here: <img>"),
        ("</main>", '<p onclick="x">x</p></main>', "a handler in a tag: <p onclick>"),
        ("</main>", '<p style="background:url(x)">x</p></main>', "an address in a style"),
        ("* {", "@import 'x'; * {", "an address in the style sheet"),
        (SHA, "b" * 64, "made of another source"),
        ('id="f-F-002"', 'id="f-F-001"', "the id f-F-001 is there twice"),
        ('id="f-F-002"', 'id="x"', "finding F-002 is missing"),
        ('<html lang="en">', "<html>", "<html> names no language"),
        ('name="viewport"', 'name="x"', "no viewport"),
    ],
)
def test_what_a_page_must_not_be_is_told(old: str, new: str, fault: str) -> None:
    """R-050, Z-052."""
    assert old in GOOD
    assert any(
        line.startswith(fault) for line in page_check.faults(GOOD.replace(old, new, 1), SHA, IDS)
    )
