"""What the error logs of a task tell, summed up in bounded memory (R-150, D-185). Pure.

A log may have come with a clone: everything in it is data that somebody wrote.
"""

from __future__ import annotations

from collections import Counter
from typing import Iterable, NamedTuple

from okstra_ctl.runs import error_record
from okstra_ctl.runs.error_line import clean, cut
from okstra_kernel import strict_json

MOST_GROUPS = 2000
MOST_FAULTS = 20  # sentences that are kept; all are counted
LONGEST_MESSAGE = 512  # bytes
COUNTED = ("errorType", "agent", "agentRole", "phase", "model", "cause", "run")


class Row(NamedTuple):
    """What a report needs of a record."""

    log: str  # path below the task's root
    run: str  # <task-type>[/stage-<N>]/<seq>
    when: str  # UTC
    error_type: str
    agent: str
    agent_role: str
    phase: str
    model: str
    cause: str
    message: str
    duration_ms: int | None


class Fault(NamedTuple):
    """A line that is no record, or a log that cannot be read."""

    log: str
    text: str


class Group:
    """The same error, met again and again."""

    __slots__ = ("count", "first", "last", "longest_ms")

    def __init__(self, row: Row) -> None:
        self.count, self.first, self.last = 0, row, row
        self.longest_ms: int | None = None

    def add(self, row: Row) -> None:
        self.count += 1
        self.first = min(self.first, row, key=lambda one: one.when)
        self.last = max(self.last, row, key=lambda one: one.when)
        if row.duration_ms is not None:
            self.longest_ms = max(self.longest_ms or 0, row.duration_ms)


class Summary:
    """All rows and faults that were seen, as numbers, groups and the first few sentences."""

    def __init__(self) -> None:
        self.total = self.broken = self.ungrouped = 0
        self.logs: dict[str, list[int]] = {}  # records, broken lines
        self.counts: dict[str, Counter[str]] = {name: Counter() for name in COUNTED}
        self.faults: list[str] = []
        self._groups: dict[tuple[str, ...], Group] = {}

    def groups(self) -> list[Group]:
        """Return the groups, the most frequent first, of those the one met last."""
        found = sorted(self._groups.values(), key=lambda group: group.last.when, reverse=True)
        return sorted(found, key=lambda group: -group.count)

    def add_row(self, row: Row) -> None:
        self.total += 1
        self.logs.setdefault(row.log, [0, 0])[0] += 1
        values = (row.error_type, row.agent, row.agent_role, row.phase, row.model, row.cause)
        for name, value in zip(COUNTED, (*values, row.run), strict=True):
            if value and (len(self.counts[name]) < MOST_GROUPS or value in self.counts[name]):
                self.counts[name][value] += 1
        key = (row.error_type, row.agent, row.agent_role, row.cause, row.message)
        if key not in self._groups and len(self._groups) >= MOST_GROUPS:
            self.ungrouped += 1
            return
        self._groups.setdefault(key, Group(row)).add(row)

    def add_fault(self, fault: Fault) -> None:
        self.broken += 1
        self.logs.setdefault(fault.log, [0, 0])[1] += 1
        if len(self.faults) < MOST_FAULTS:
            self.faults.append(fault.text)


def summarise(items: Iterable[Row | Fault]) -> Summary:
    """Return what these say together; their order does not matter, equal times aside."""
    found = Summary()
    for item in items:
        if isinstance(item, Row):
            found.add_row(item)
        else:
            found.add_fault(item)
    return found


def row(record: strict_json.Record, log: str, run: str) -> Row:
    """Return what a record tells. Raises UserError for one that is none."""
    from okstra_kernel import iso_time

    record.versioned(error_record.SCHEMA_VERSION)
    kind = record.text("errorType")
    if kind not in error_record.TYPES:
        raise record.fault("errorType", f"not an error type: {kind[:60]!r}")
    members = record.members
    context = record.record("context") if members.get("context") is not None else None
    timed = members.get("durationMs") is not None
    return Row(
        log=log,
        run=run,
        when=iso_time.show(record.time("ts")),
        error_type=kind,
        agent=_short(record.text("agent")),
        agent_role=_short(record.text("agentRole")),
        phase=_short(record.text("phase", "")),
        model=_short(record.text("model")) if members.get("model") is not None else "",
        cause=_short(context.text("cause", "")) if context else "",
        message=cut(clean(record.text("message")), LONGEST_MESSAGE),
        duration_ms=record.integer("durationMs") if timed else None,
    )


def _short(text: str) -> str:
    return cut(clean(text), 128)
