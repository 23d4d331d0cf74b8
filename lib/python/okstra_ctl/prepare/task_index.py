"""A task's index for people, `task-index.md`: the task and its runs as Markdown. Pure.

The template holds the words, this module the rows and what keeps a value inside its cell. jinja2
would double the time of a prepare for this one page (Q-7, docs/adr/0003).
"""

from __future__ import annotations

from typing import Iterable

from okstra_ctl.prepare import template
from okstra_ctl.prepare.facts import Members

TEMPLATE = ("prompts", "reports", "task-index.template.md")

_TOKENS = {
    "TASK_KEY": "taskKey",
    "PROJECT_ID": "projectId",
    "TASK_GROUP": "taskGroup",
    "TASK_ID": "taskId",
    "WORK_CATEGORY": "workCategory",
    "WORK_STATUS": "workStatus",
    "BRIEF_PATH": "taskBriefPath",
}
_COLUMNS = ("taskType", "seq", "status", "startedAt", "manifestPath", "reportPath")
_NOTHING = "\N{EN DASH}"
_ESCAPED = (
    *(("&", "&amp;"), ("<", "&lt;"), ("\\", "\\\\"), ("|", "\\|")),
    *(("\r", " "), ("\n", " ")),
)


def task_index(text: str, task: Members, runs: Iterable[Members], made_at: str) -> str:
    """Return the page; `text` is the template, `task` the members of the task's manifest."""
    values = {token: cell(task.get(name)) for token, name in _TOKENS.items()}
    rows = [f"| {' | '.join(cell(run.get(name)) for name in _COLUMNS)} |" for run in runs]
    return template.fill(
        text, {**values, "MADE_AT": cell(made_at), "RUN_ROWS": "\n".join(rows)}, TEMPLATE[-1]
    )


def cell(value: object) -> str:
    """Return a value as a table's cell: no text breaks out of it, or becomes HTML (G-020)."""
    text = str(value or _NOTHING)
    for found, shown in _ESCAPED:
        text = text.replace(found, shown)
    return text
