"""What is shown before anything is paid for, and what a budget forbids (H-026)."""

from __future__ import annotations

import pytest

from okstra_ctl.drive import costs
from okstra_ctl.drive.costs import Budget, Prices, Spent, Turn

PRICES = Prices({("codex", "gpt"): 2.0})
CODEX = Turn("initial", "codex-analyser", "codex", "gpt", 4_000_000, 1)
CLAUDE = Turn("verify", "claude-analyser", "claude", "", 0, 3)
LOCAL = Turn("initial", "local-analyser", "local", "lint", 400, 1)


def test_the_plan_says_what_is_known_and_what_is_not() -> None:
    lines = costs.shown([CODEX, CLAUDE, LOCAL], PRICES, 3).splitlines()
    assert [line.split() for line in lines[1:4]] == [
        ["initial", "codex-analyser", "codex", "gpt", "4,000,000", "1,000,000", "2.000", "1"],
        ["verify", "claude-analyser", "claude", "default", "-", "-", "unknown", "3"],
        ["initial", "local-analyser", "local", "lint", "400", "100", "0", "1"],
    ]
    assert lines[5].startswith("at most 4 paid turns, in 3 rounds")


@pytest.mark.parametrize(
    ("budget", "spent", "turns", "said"),
    [
        (Budget(), Spent(9**9, None), [CODEX], ""),
        (Budget(tokens=1_000_000), Spent(0, None), [CODEX], ""),
        (Budget(tokens=1_000_000), Spent(1, None), [CODEX], "--budget-tokens=1000000: 1 spent"),
        (Budget(tokens=0), Spent(0, None), [LOCAL], ""),
        (Budget(dollars=2.0), Spent(0, 0.0), [CODEX], ""),
        (Budget(dollars=2.0), Spent(0, 0.001), [CODEX], "--budget-usd=2.0: 0.001 spent"),
        (Budget(dollars=9.0), Spent(0, 0.0), [CLAUDE], "no price is known for claude/default"),
        (Budget(dollars=9.0), Spent(5, None), [CODEX], "no price is known for codex/gpt"),
    ],
)
def test_a_budget(budget: Budget, spent: Spent, turns: list[Turn], said: str) -> None:
    why = costs.exceeded(budget, spent, turns, PRICES)
    assert said in why and bool(said) == bool(why)
