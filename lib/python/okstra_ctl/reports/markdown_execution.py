"""Section 6 of a report: who took part, how that ended, the cost (R-018, R-019, R-021). Pure."""

from __future__ import annotations

from typing import Any, Iterator

from okstra_ctl.reports.markdown_text import EMPTY, inline, items, table

Members = dict[str, Any]
_CELLS = ("totalTokens", "billableTokens", "costUsd")
_SEAT = (*_CELLS, "durationMs", "cliTotalTokens", "cliCostUsd")


def parts(data: Members) -> Iterator[str]:
    """Yield the parts of the section."""
    yield "### 6.1 Workers"
    heads = ("Role", "Provider", "Model", "Status", "Reason")
    costs = ("Total tokens", "Billable tokens", "Cost (USD)", "Duration (ms)")
    cli = ("CLI tokens", "CLI cost (USD)")
    yield table((*heads, *costs, *cli), map(_seat, data["executionStatus"]))
    yield "### 6.2 Starts"
    yield table(
        ("Worker", "Kind", "Attempt", "Status", "Reason", "Duration (ms)"),
        [_start(seat, one) for seat in data["executionStatus"] for one in seat["dispatches"]],
    )
    yield "### 6.3 Token Usage"
    usage = data["tokenUsage"]
    rows = [[name, *_cells(usage[name], _CELLS)] for name in ("lead", "worker", "grand")]
    cost = ["cli", EMPTY, EMPTY, *_cells(usage["cli"], ("costUsd",))]
    yield table(("Row", *costs[:3]), [*rows, cost])
    yield "### 6.4 Ticket Coverage"
    yield _coverage(data["ticketCoverage"])
    yield "### 6.5 Convergence"
    yield items(_convergence(data["convergence"]))


def _seat(row: Members) -> list[str]:
    model = row["modelUsed"] or row["model"]
    if row["modelMismatch"]:
        model = f"{model or EMPTY} (assigned: {row['model'] or EMPTY})"
    head = [row["role"], row["provider"], model, row["status"], row["reason"]]
    return [*head, *_cells(row, _SEAT)]


def _start(seat: Members, one: Members) -> list[str]:
    took = EMPTY if one["durationMs"] is None else str(one["durationMs"])
    words = [seat["workerId"], one["dispatchKind"], str(one["attempt"]), one["status"]]
    return [*words, one["reason"], took]


def _cells(row: Members, names: tuple[str, ...]) -> list[str]:
    return [str(row[name]) for name in names]


def _coverage(told: Members) -> str:
    if "singleTicket" in told:
        return f"One ticket: {inline(told['singleTicket'])}"
    if "omit" in told:
        return "Not tagged by ticket."
    rows = [[row["ticketId"], ", ".join(row["findings"])] for row in told["tickets"]]
    return table(("Ticket", "Findings"), rows)


def _convergence(told: Members) -> Iterator[str]:
    yield f"Mode: {'adversarial' if told['adversarial'] else 'collaborative'}"
    yield f"Rounds: {told['rounds']}"
    yield f"Classes: {', '.join(f'{name} {count}' for name, count in told['classes'].items())}"
    yield f"State: {inline(told['statePath'])}"
    yield f"State sha256: {told['stateSha256']}"
