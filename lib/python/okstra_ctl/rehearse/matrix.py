"""What became of each worker of a rehearsal, beside what should have (H-050, H-051). Pure."""

from __future__ import annotations

from typing import Any, NamedTuple, Sequence

from okstra_ctl.dispatch import jobs, retry
from okstra_ctl.rehearse.scenarios import MARKED, NO, NOTHING, SECOND, YES, Scenario

Record = dict[str, Any]  # of a dispatch, as the team state has it

_HEADS = ("scenario", "cli", "reason", "exit", "held until", "retry", "counted")


class Row(NamedTuple):
    scenario: str
    provider: str
    reason: str  # of the first turn; empty: it completed
    exit_code: int | None  # of the first turn
    held_until: str  # when its quota comes back; empty: it is not held
    retry: str
    counted: str


def rows(scenario: Scenario, records: Sequence[Record]) -> list[Row]:
    """Return a row for each provider of the scenario that was dispatched."""
    found = []
    for provider in scenario.providers:
        turns = [one for one in records if one["provider"] == provider]
        first = next((one for one in turns if one["dispatchKind"] == jobs.INITIAL), None)
        if first:
            found.append(_row(scenario.name, first, turns))
    return found


def _row(name: str, first: Record, turns: Sequence[Record]) -> Row:
    again = next((one for one in turns if one["dispatchKind"].endswith(retry.SUFFIX)), None)
    last = again or first
    counted = NO
    if last["status"] == "completed":
        counted = MARKED if last["modelMismatch"] else YES
    return Row(
        scenario=name,
        provider=first["provider"],
        reason=first["reason"],
        exit_code=first["exitCode"],
        held_until=first["resetAt"] or "" if first["status"] == "held" else "",
        retry=NO if not again else YES if again["status"] == "completed" else SECOND,
        counted=counted,
    )


def faults(scenario: Scenario, row: Row, *, retries: bool) -> dict[str, str]:
    """Return what should have been, for each column that differs."""
    wanted = expected(scenario, retries=retries)
    held = YES if row.held_until else NO
    got = _columns(row.reason, row.exit_code, held, row.retry, row.counted)
    return {name: value for name, value in wanted.items() if got[name] != value}


def expected(scenario: Scenario, *, retries: bool) -> dict[str, str]:
    """Return the columns of the scenario; where nobody tries again, what failed does not count."""
    again, counted = scenario.retry, scenario.counted
    if not retries and again != NO:
        again, counted = NO, NO
    return _columns(scenario.reason, scenario.exit_code, scenario.held, again, counted)


def _columns(
    reason: str, exit_code: int | None, held: str, again: str, counted: str
) -> dict[str, str]:
    values = (reason or NOTHING, str(exit_code), held, again, counted)
    return dict(zip(_HEADS[2:], values, strict=True))


def cells(row: Row, wrong: dict[str, str]) -> tuple[str, ...]:
    """Return the row as the table shows it; what differs from the expected stands last."""
    held = row.held_until or NO
    got = _columns(row.reason, row.exit_code, held, row.retry, row.counted)
    told = ", ".join(f"{name} {value}" for name, value in wrong.items())
    return (row.scenario, row.provider, *got.values(), f"expected: {told}" if told else "")


def heads() -> tuple[str, ...]:
    return (*_HEADS, "")


def as_json(row: Row, wrong: dict[str, str]) -> dict[str, Any]:
    return {
        "scenario": row.scenario,
        "provider": row.provider,
        "reason": row.reason,
        "exitCode": row.exit_code,
        "heldUntil": row.held_until or None,
        "retry": row.retry,
        "counted": row.counted,
        "differs": wrong,
    }
