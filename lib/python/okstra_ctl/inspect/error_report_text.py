"""The error report for people: Markdown in which nothing that was quoted can act (D-185). Pure."""

from __future__ import annotations

import re
from typing import Sequence

from okstra_ctl.runs.error_log_core import COUNTED, Group, Summary
from okstra_kernel import display

MOST = 200  # groups that are listed
_NAMES = {
    **{"errorType": "Error type", "agent": "Agent", "agentRole": "Role", "phase": "Phase"},
    **{"model": "Model", "cause": "Cause", "run": "Run"},
}


def markdown(task_key: str, now: str, found: Summary) -> str:
    """Return the report's text."""
    broken = f" {number(found.broken, 'line')} could not be read." if found.broken else ""
    errors = number(found.total, "error")
    parts = [
        f"# Errors of {_cell(task_key)}",
        f"Written {now}. {errors} in {number(len(found.logs), 'log')}.{broken}",
    ]
    if found.total:
        parts.append("## What went wrong\n\n" + _groups(found))
        parts += [part for name in COUNTED if (part := _counts(name, found))]
    if found.logs:
        rows = [(_cell(path), str(n), str(bad)) for path, (n, bad) in sorted(found.logs.items())]
        parts.append("## Logs\n\n" + _table(("Log", "Errors", "Broken lines"), rows))
    if found.faults:
        lines = "\n".join(f"- {_cell(fault)}" for fault in found.faults)
        parts.append(f"## What could not be read\n\n{lines}")
    return "\n\n".join(parts) + "\n"


def number(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def _groups(found: Summary) -> str:
    groups = found.groups()
    heads = ("Times", "Error type", "Agent", "Cause", "Last", "In run", "Message")
    table = _table(heads, [_row(group) for group in groups[:MOST]])
    left = len(groups[MOST:])
    more = f"\n\n{left} more kinds of errors are not listed." if left else ""
    if found.ungrouped:
        more += f"\n\n{found.ungrouped} more errors were counted alone."
    return table + more


def _row(group: Group) -> list[str]:
    last = group.last
    agent = f"{last.agent} ({last.agent_role})"
    cells = (last.error_type, agent, last.cause or "-", last.when, last.run, last.message)
    return [str(group.count), *map(_cell, cells)]


def _counts(name: str, found: Summary) -> str:
    counts = found.counts[name].most_common(MOST)
    if not counts:
        return ""
    title = _NAMES[name]
    rows = [(_cell(value), str(count)) for value, count in counts]
    return f"## By {title.lower()}\n\n" + _table((title, "Errors"), rows)


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _cell(text: str) -> str:
    """Return a text on one line, without secrets, in which no mark of Markdown or HTML acts."""
    return re.sub(r"([\\`*_{}\[\]()<>#|!~&])", r"\\\1", display.visible(text))
