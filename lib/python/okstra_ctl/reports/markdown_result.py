"""Section 5 of a report: what this kind of task delivers (R-026, R-038). Pure."""

from __future__ import annotations

import json
from typing import Any, Iterator

from okstra_ctl.reports.markdown_text import NONE, fenced, inline, quote, table, texts

Members = dict[str, Any]


def parts(data: Members) -> Iterator[str]:
    """Yield the parts of the section."""
    found = [
        *_error_analysis(data.get("errorAnalysis")),
        *_requirements(data.get("requirementsDiscovery")),
        *_plan(data.get("implementationPlanning")),
    ]
    for section in data.get("resultSections", []):
        found += [f"### {inline(section['heading'])}", quote(section["body"])]
    yield from found or [NONE]


def _error_analysis(told: Members | None) -> Iterator[str]:
    if told is None:
        return
    yield "### 5.1 Symptom and Reproduction"
    yield texts(told["symptom"])
    yield "### 5.2 Causes, Ranked"
    heads = ("Rank", "Finding", "What speaks for it", "What speaks against it", "Would refute it")
    names = ("rank", "findingId", "supports", "opposes", "wouldRefute")
    yield table(heads, [[str(row[name]) for name in names] for row in told["causes"]])
    yield "### 5.3 Reach of the Error"
    yield texts(told["reach"])


def _requirements(told: Members | None) -> Iterator[str]:
    if told is None:
        return
    yield "### 5.1 Requirements"
    heads = ("ID", "Requirement", "Source", "Evidence", "Ticket")
    yield table(heads, [_requirement(row) for row in told["requirements"]])
    yield "### 5.2 Scope"
    for name, key in (("In", "inScope"), ("Out", "outOfScope"), ("Waiting", "waiting")):
        yield f"{name}:"
        yield texts(told["scope"][key])
    yield "### 5.3 Classification and Route"
    route = told["route"]
    yield table(
        ("Work category", "Next task type", "Reason"),
        [[route["workCategory"], route["taskType"], route["reason"]]],
    )


def _requirement(row: Members) -> list[str]:
    evidence = ", ".join(row["evidence"])
    return [row["id"], row["requirement"], row["source"], evidence, row["ticketId"]]


def _plan(told: Members | None) -> Iterator[str]:
    """Yield a plan as its data: its own sections come with the planning part."""
    if not told:
        return
    yield "### 5.5 Implementation Plan"
    yield fenced(json.dumps(told, ensure_ascii=False, indent=2), "json")
