"""A report as Markdown, for those who read text: models, and people in a terminal (R-022 to R-028).

Equal data gives equal bytes. Headings, ids and machine words are English in every language; the
summary for people is not in here, it is the page's (R-015). Pure.
"""

from __future__ import annotations

from typing import Any, Iterator

from okstra_ctl.reports import (
    markdown_execution,
    markdown_findings,
    markdown_result,
    redacted,
)
from okstra_ctl.reports.markdown_text import (
    NONE,
    inline,
    items,
    quoted_scalar,
    table,
)
from okstra_kernel.redaction import Secrets

Members = dict[str, Any]
PLANNING = "implementation-planning"
_ITEMS = ("ID", "Kind", "Statement", "Options or expected form", "Blocks", "Status")


def render(data: Members, known: Secrets) -> str:
    """Return the Markdown of a report's valid data.

    `known`: the secrets that the environment holds; those of known shapes are found anyway (Z-051).
    """
    data = redacted.redacted(data, known)
    parts = [_front_matter(data), f"# {inline(data['taskType'])}: {inline(data['taskKey'])}"]
    parts += _carried_in(data)
    parts += ["## 1. Clarification Items", *_questions(data)]
    parts += ["## 2. Verdict and Evidence", *markdown_findings.parts(data)]
    parts += ["## 3. Recommended Next Steps", *_next_steps(data)]
    parts += ["## 4. Follow-up Tasks", _follow_ups(data)]
    parts += ["## 5. Result", *markdown_result.parts(data)]
    parts += ["## 6. Execution", *markdown_execution.parts(data)]
    return "\n\n".join(parts) + "\n"


def _front_matter(data: Members) -> str:
    """Return the front matter; a plan's is born unapproved, whatever its data says (R-022)."""
    approval = ["approved: false", "implementation-option:"]
    return "\n".join(
        [
            "---",
            *(approval if data["taskType"] == PLANNING else []),
            f"task-key: {quoted_scalar(data['taskKey'])}",
            f"task-type: {quoted_scalar(data['taskType'])}",
            f"seq: {quoted_scalar(data['seq'])}",
            f"report-language: {data['reportLanguage']}",
            f"schema-version: {quoted_scalar(data['schemaVersion'])}",
            "---",
        ]
    )


def _carried_in(data: Members) -> list[str]:
    """Return section 0, which is there only when answers were carried in (R-026, C-281)."""
    rows = data.get("clarificationCarriedIn", [])
    if not rows:
        return []
    lines = [f"{row['id']}: {inline(row['answer'])} — {inline(row['outcome'])}" for row in rows]
    return ["## 0. Clarification Response Carried In From Previous Run", items(lines)]


def _questions(data: Members) -> Iterator[str]:
    rows = data["clarificationItems"]
    yield table(_ITEMS, [_question(row) for row in rows])
    for row in rows:
        for option in _options(row):
            told = [f"**{row['id']}, {option['role']}:** {inline(option['answer'])}"]
            told += [f"{name}: {inline(option[key])}" for name, key in _ABOUT if option[key]]
            yield items([" · ".join(told)])


_ABOUT = (
    ("why", "rationale"),
    ("scope", "scopeImpact"),
    ("added work", "addedWork"),
    ("direction", "directionChange"),
)


def _question(row: Members) -> list[str]:
    given = "; ".join(option["answer"] for option in _options(row)) or row.get("expectedForm", "")
    return [row["id"], row["kind"], row["statement"], given, row["blocks"], row["status"]]


def _options(row: Members) -> list[Members]:
    """Return the options of a question, the recommended one first (R-040, C-275)."""
    return sorted(row.get("options", []), key=lambda option: option["role"] != "recommended")


def _next_steps(data: Members) -> Iterator[str]:
    lines = []
    for row in data["nextSteps"]:
        task = f" (next task type: {inline(row['taskType'])})" if row["taskType"] else ""
        why = f" — {inline(row['reason'])}" if row["reason"] else ""
        lines.append(f"{inline(row['step'])}{task}{why}")
    for row in data["followUpTasks"]:
        lines.append(f"Follow-up {row['id']}: {inline(row['title'])} (section 4)")
    yield items(lines) if lines else NONE


def _follow_ups(data: Members) -> str:
    heads = ("ID", "Task", "Title", "Task type", "Reason", "Ticket")
    names = ("id", "taskId", "title", "taskType", "reason", "ticketId")
    return table(heads, [[row[name] for name in names] for row in data["followUpTasks"]])
