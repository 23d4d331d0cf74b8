"""Sums and prices: unknown is said, never counted as 0 (R-018, R-101, Z-073)."""

from __future__ import annotations

from typing import Any

import pytest

from okstra_ctl.providers.models import Price
from okstra_ctl.providers.usage import Spent, Usage
from okstra_ctl.reports import usage_table
from okstra_ctl.reports.usage_files import Turns
from okstra_ctl.reports.usage_table import Cost

PRICES = {"dear": Price(4.0, 20.0, 0.4, 5.0), "free": Price(0.0, 0.0, 0.0, 0.0)}


def price(provider: str, model: str) -> Price | None:
    return PRICES.get(model)


@pytest.mark.parametrize(
    ("spent", "expected"),
    [
        (Spent(), Cost(0, 0, 0.0)),
        (Spent((("dear", Usage(1000, 200, 500, 100)),)), Cost(1800, 2175, 0.0087)),
        (Spent((("free", Usage(1000, 200)),)), Cost(1200, 0, 0.0)),
        (Spent((("dear", Usage(10)), ("new", Usage(1)))), Cost(11, None, None)),
        (Spent((("dear", Usage(10)), ("new", Usage()))), Cost(10, 10, 0.00004)),
        (Spent((("dear", Usage(10)),), "cut"), Cost(None, None, None)),
    ],
)
def test_cost(spent: Spent, expected: Cost) -> None:
    assert usage_table.cost("claude", spent, price) == expected


def state(**runners: str) -> dict[str, Any]:
    rows = [
        {"workerId": name, "provider": "claude", "runner": runner}
        for name, runner in runners.items()
    ]
    spans = [{"workerId": name, "durationMs": 5} for name in (*runners, *runners)]
    return {"schemaVersion": 1, "workers": rows, "workerDispatches": spans}


DEAR = Turns("claude", Spent((("dear", Usage(1000)),)), 1)
LOST = Turns("grok", Spent(why="gone"), 1)
NEW = Turns("claude", Spent((("new", Usage(7)),)), 1)


def test_a_sum_with_an_unknown_part_is_unknown() -> None:
    turns = {("a", "initial"): DEAR, ("a", "reverify-r1"): NEW, ("b", "initial"): DEAR}
    made = usage_table.table(state(a="cli-wrapper", b="cli-wrapper"), ("", Spent()), turns, price)
    assert usage_table.rows(made) == {
        "lead": Cost(0, 0, 0.0),
        "worker": Cost(2007, None, None),
        "grand": Cost(2007, None, None),
    }
    assert usage_table.unknown(made) == ["a: no price of its model is known"]
    made = usage_table.table(state(a="cli-wrapper"), ("", Spent()), {("a", "x"): LOST}, price)
    assert usage_table.rows(made)["grand"] == Cost(None, None, None)
    assert usage_table.unknown(made) == ["a: gone"]


def test_workers_inside_the_host_count_with_the_lead() -> None:
    lead = ("claude", DEAR.spent)
    made = usage_table.table(state(a="native-session"), lead, {}, price)
    assert usage_table.rows(made)["grand"] == Cost(1000, 1000, 0.004)
    assert made.costs["a"] == Cost(None, None, None)
    assert usage_table.unknown(made) == [f"a: {usage_table.IN_LEAD}"]


def test_into_report_fills_what_is_known_and_says_the_rest() -> None:
    """R-019, R-102: a row that is no worker's stays."""
    before = state(a="cli-wrapper", b="cli-wrapper")
    turns = {("a", "initial"): DEAR, ("b", "initial"): LOST}
    made = usage_table.table(before, ("", Spent()), turns, price)
    old = dict.fromkeys(usage_table.FILLED, "--")
    seats = [{"workerId": name, "role": name, **old} for name in ("a", "b")]
    other = {"workerId": "lead", "role": "lead", **old}
    data = {"executionStatus": [other, {"workerId": "a", "role": "a", **old}], "x": 1}
    told = usage_table.into_report(data, seats, before, made)
    tokens, unknown = {"totalTokens": 1000, "billableTokens": 1000, "costUsd": 0.004}, "unknown"
    lost = dict.fromkeys(tokens, unknown)
    assert told == {
        "executionStatus": [
            other,
            {"workerId": "a", "role": "a", **tokens, "durationMs": 10}
            | {"cliTotalTokens": 1000, "cliCostUsd": 0.004},
            {"workerId": "b", "role": "b", **lost, "durationMs": 10}
            | {"cliTotalTokens": unknown, "cliCostUsd": unknown},
        ],
        "x": 1,
        "tokenUsage": {
            "lead": {"totalTokens": 0, "billableTokens": 0, "costUsd": 0.0},
            "worker": lost,
            "grand": lost,
            "cli": {"costUsd": unknown},
        },
    }
    assert usage_table.into_report(told, seats, before, made) == told, "it replaces (R-110)"
