"""What a run used, as its team state and its report tell it (R-018, R-019, R-096, R-101). Pure.

Numbers that are not known are null in the team state, with the reason, and `unknown` in the report:
a total with a part unknown is unknown itself, and never counts that part as 0 (Z-073).
"""

from __future__ import annotations

from typing import Any, Callable, Iterable, Mapping, NamedTuple, Sequence

from okstra_ctl.providers import usage
from okstra_ctl.providers.models import Price
from okstra_ctl.providers.usage import Spent, Usage
from okstra_ctl.reportdata.draft_execution import CELLS
from okstra_ctl.reports.usage_files import Turns

FILLED = (*CELLS, "durationMs", "cliTotalTokens", "cliCostUsd")
UNKNOWN = "unknown"  # a cell of the report whose number nobody can tell
HOSTED = "native-session"  # the runner of a worker inside its host: the lead's log has its turns
IN_LEAD = "its turns are in the log of the lead's session"
_MILLION = 1_000_000
_DIGITS = 6  # of a cost in USD

Members = dict[str, Any]
PriceOf = Callable[[str, str], Price | None]  # provider, model


class Cost(NamedTuple):
    """The numbers of a row; None: not known."""

    total: int | None
    billable: int | None  # each token weighed by its price, an input token being 1
    usd: float | None

    def members(self) -> Members:
        return dict(zip(CELLS, self, strict=True))


NOTHING = Cost(0, 0, 0.0)


def cost(provider: str, spent: Spent, price_of: PriceOf) -> Cost:
    """Return what was spent as tokens and, where each model has a price, as money."""
    if not spent.exact:
        return Cost(None, None, None)
    usd, billable = 0.0, 0.0
    for model, used in spent.by_model:
        price = price_of(provider, model)
        if used.total and price is None:
            return Cost(spent.usage.total, None, None)
        if used.total and price is not None:
            weighed = sum(count * each for count, each in zip(used, price, strict=True))
            usd += weighed / _MILLION
            billable += weighed / price.input if price.input else 0.0
    return Cost(spent.usage.total, round(billable), round(usd, _DIGITS))


def sum_of(costs: Iterable[Cost]) -> Cost:
    """Return the sum, each of its numbers unknown where one of the parts has it unknown."""
    rows = list(costs)
    usd = _sum([row.usd for row in rows])
    return Cost(
        _whole(_sum([row.total for row in rows])),
        _whole(_sum([row.billable for row in rows])),
        None if usd is None else round(usd, _DIGITS),
    )


def _whole(number: float | None) -> int | None:
    return None if number is None else round(number)


def _sum(numbers: Sequence[float | None]) -> float | None:
    known = [one for one in numbers if one is not None]
    return sum(known) if len(known) == len(numbers) else None


class Table(NamedTuple):
    """All that is told of a run: the lead, each worker, and their sums."""

    lead: Spent
    lead_cost: Cost
    workers: Mapping[str, Members]  # `workers[].usage` of the team state
    costs: Mapping[str, Cost]  # of each worker
    hosted: frozenset[str]  # workers whose turns count with the lead


def table(
    state: Members,
    lead: tuple[str, Spent],
    turns: Mapping[tuple[str, str], Turns],
    price_of: PriceOf,
) -> Table:
    """Return the table of a run; `lead` is its provider, empty for a harness, and what it spent."""
    workers: dict[str, Members] = {}
    costs: dict[str, Cost] = {}
    hosted = frozenset(row["workerId"] for row in state["workers"] if row["runner"] == HOSTED)
    for row in state["workers"]:
        worker = row["workerId"]
        own = {kind: one for (who, kind), one in turns.items() if who == worker}
        parts = [one.spent for one in own.values()]
        if worker in hosted:
            parts.append(Spent(why=IN_LEAD))
        spent = usage.together(parts)
        costs[worker] = cost(row["provider"], spent, price_of)
        kinds = [
            {"dispatchKind": kind, "transcripts": one.transcripts, **_counts(one.spent)}
            for kind, one in own.items()
        ]
        workers[worker] = {**_counts(spent), **costs[worker].members(), "dispatches": kinds}
    return Table(lead[1], cost(*lead, price_of), workers, costs, hosted)


def _counts(spent: Spent) -> Members:
    """Return tokens by class, as far as they are known, and why that is not all."""
    used: Usage = spent.usage
    names = ("inputTokens", "outputTokens", "cacheReadTokens", "cacheWriteTokens")
    return {"exact": spent.exact, "why": spent.why, **dict(zip(names, used, strict=True))}


def rows(found: Table) -> dict[str, Cost]:
    """Return the rows lead, worker and grand (R-018). Workers in the host count with the lead."""
    own = [one for worker, one in found.costs.items() if worker not in found.hosted]
    workers = sum_of([NOTHING, *own])
    return {
        "lead": found.lead_cost,
        "worker": workers,
        "grand": sum_of([found.lead_cost, workers]),
    }


def into_state(state: Members, found: Table, until: str | None) -> Members:
    """Return the team state with what was used in it, in the place of what it said before (R-110).

    `until`: the time up to which the lead's session counts; None: it has none.
    """
    lead = {**_counts(found.lead), **found.lead_cost.members(), "until": until}
    workers = [{**row, "usage": found.workers[row["workerId"]]} for row in state["workers"]]
    sums = rows(found)
    summary: Members = {name: one.members() for name, one in sums.items()}
    summary["cli"] = {"costUsd": sums["worker"].usd}
    summary["unknown"] = unknown(found)
    return {**state, "workers": workers, "leadUsage": lead, "usageSummary": summary}


def unknown(found: Table) -> list[str]:
    """Return a line for each count and each price that is not known."""
    lines = [f"lead: {found.lead.why}"] if found.lead.why else []
    lines += [f"{name}: {one['why']}" for name, one in found.workers.items() if one["why"]]
    priced = [("lead", found.lead_cost), *found.costs.items()]
    lines += [
        f"{name}: no price of its model is known"
        for name, one in priced
        if one.total is not None and one.usd is None
    ]
    return lines


def into_report(data: Members, seats: Sequence[Members], state: Members, found: Table) -> Members:
    """Return a report's data with its cells filled, in the place of what they held (R-096).

    `seats`: the rows of the run's workers as its records have them now; the report was written
    before its writer had ended. A row whose role is no worker's stays (R-019).
    """
    sums = rows(found)
    tokens: Members = {name: _cells(one) for name, one in sums.items()}
    tokens["cli"] = {"costUsd": _cell(sums["worker"].usd)}
    filled = {row["workerId"]: {**row, **_seat(row["workerId"], state, found)} for row in seats}
    others = [row for row in data["executionStatus"] if not _is_seat(row, filled)]
    return {**data, "executionStatus": [*others, *filled.values()], "tokenUsage": tokens}


def _is_seat(row: Members, seats: Mapping[str, Members]) -> bool:
    return row["workerId"] in seats or row["role"] in seats


def _seat(worker: str, state: Members, found: Table) -> Members:
    own = found.costs[worker]
    spans = [
        one["durationMs"]
        for one in state["workerDispatches"]
        if one["workerId"] == worker and one["durationMs"] is not None
    ]
    return {
        **_cells(own),
        "durationMs": sum(spans) if spans else UNKNOWN,
        "cliTotalTokens": _cell(own.total),
        "cliCostUsd": _cell(own.usd),
    }


def _cells(row: Cost) -> Members:
    return {name: _cell(value) for name, value in row.members().items()}


def _cell(number: float | None) -> float | str:
    return UNKNOWN if number is None else number
