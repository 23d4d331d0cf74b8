"""The errors of earlier runs that the next can do something about (D-184, P-140, R-152). Pure."""

from __future__ import annotations

from okstra_ctl.runs import error_record
from okstra_ctl.runs.error_line import cut
from okstra_ctl.runs.error_log_core import Group, Summary
from okstra_kernel.notice import printable

ACTIONABLE = (error_record.CONTRACT_VIOLATION, error_record.TOOL_FAILURE)
MOST = 40  # lines: the lead reads them before anything else
LONGEST = 300  # bytes of a message


def digest(summary: Summary) -> str:
    """Return a line for each error of these types, the frequent first; an empty text for none.

    What it quotes was written by others: whoever shows it to a model fences it (Z-050).
    """
    found = [group for group in summary.groups() if group.last.error_type in ACTIONABLE]
    lines = [_line(group) for group in found[:MOST]]
    if found[MOST:]:
        lines.append(f"- and {len(found) - MOST} more that differ")
    return "\n".join(lines)


def _line(group: Group) -> str:
    last = group.last
    times = "once" if group.count == 1 else f"{group.count} times, last"
    words = [
        f"{last.error_type}, {last.agent} ({last.agent_role}), {times} {last.when} in {last.run}"
    ]
    if last.cause:
        words.append(f"cause {last.cause}")
    if group.longest_ms is not None:
        words.append(f"took up to {group.longest_ms} ms")
    return printable(f"- {', '.join(words)}: ") + cut(printable(last.message), LONGEST)
