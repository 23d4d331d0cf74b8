"""What a drive is going to start, and whether it stays within a budget (H-026). Pure."""

from __future__ import annotations

from typing import Mapping, NamedTuple, Sequence

from okstra_kernel import display

BYTES_A_TOKEN = 4  # G-030
FREE = ("local",)  # providers that cost nothing
UNKNOWN = "unknown"


class Turn(NamedTuple):
    """A turn that may be started; `most`: how often at most."""

    step: str
    worker_id: str
    provider: str
    model: str
    prompt_bytes: int  # of the prompt and of what it has the worker read; 0: not known yet
    most: int

    @property
    def tokens(self) -> int:
        return self.prompt_bytes // BYTES_A_TOKEN

    @property
    def paid(self) -> bool:
        return self.provider not in FREE


class Prices(NamedTuple):
    """Dollars for a million tokens of input, by (provider, model); what is missing is unknown."""

    of: Mapping[tuple[str, str], float]

    def cost(self, turn: Turn) -> float | None:
        if not turn.paid:
            return 0.0
        price = self.of.get((turn.provider, turn.model))
        return None if price is None else price * turn.tokens / 1_000_000


def shown(turns: Sequence[Turn], prices: Prices, round_limit: int) -> str:
    """Return the plan as a table for people, with what is not known said."""
    rows = [
        (
            turn.step,
            turn.worker_id,
            turn.provider,
            turn.model or "default",
            f"{turn.prompt_bytes:,}" if turn.prompt_bytes else "-",
            f"{turn.tokens:,}" if turn.prompt_bytes else "-",
            _money(prices.cost(turn), turn),
            str(turn.most),
        )
        for turn in turns
    ]
    heads = ("step", "worker", "provider", "model", "bytes", "tokens", "input $", "at most")
    most = sum(turn.most for turn in turns if turn.paid)
    lines = [
        display.table(heads, rows),
        "",
        f"at most {most} paid turns, in {round_limit} rounds of re-verification at most; "
        "each worker may have one retry",
        "bytes and tokens (estimated) are those of a prompt and of the inputs it names, for one "
        "turn; what a worker reads of the code, and what it answers, comes on top",
    ]
    return "\n".join(lines)


def _money(cost: float | None, turn: Turn) -> str:
    if cost is None or not (turn.prompt_bytes or not turn.paid):
        return UNKNOWN
    return f"{cost:.3f}" if cost else "0"


class Budget(NamedTuple):
    """Limits on what a run spends; None: no limit."""

    tokens: int | None = None
    dollars: float | None = None


class Spent(NamedTuple):
    """What the turns so far have cost. `dollars` is None where a price is not known."""

    tokens: int
    dollars: float | None


def exceeded(budget: Budget, spent: Spent, turns: Sequence[Turn], prices: Prices) -> str:
    """Return why these turns must not be started now, or an empty text (H-026)."""
    paid = [turn for turn in turns if turn.paid]
    if not paid:
        return ""
    tokens = spent.tokens + sum(turn.tokens for turn in paid)
    if budget.tokens is not None and tokens > budget.tokens:
        return f"--budget-tokens={budget.tokens}: {spent.tokens} spent, the next turns need more"
    if budget.dollars is None:
        return ""
    costs = [prices.cost(turn) for turn in paid]
    known = [cost for cost in costs if cost is not None]
    if spent.dollars is None or len(known) < len(costs):
        names = ", ".join(
            dict.fromkeys(f"{turn.provider}/{turn.model or 'default'}" for turn in paid)
        )
        return f"--budget-usd={budget.dollars}: no price is known for {names}; use --budget-tokens"
    if spent.dollars + sum(known) > budget.dollars:
        return f"--budget-usd={budget.dollars}: {spent.dollars:.3f} spent, the next turns need more"
    return ""
