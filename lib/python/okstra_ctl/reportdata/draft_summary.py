"""The verdict, the summary and the next step, out of the classes of the findings (R-014, R-015).

Pure. A title or a claim is quoted, never reworded; all other words are the language's.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Sequence

from okstra_ctl.reportdata import draft_rows
from okstra_ctl.reportdata.report_texts import has, text

NEXT_TASK = {"error-analysis": "implementation-planning"}  # once a cause stands
_SHOWN = 5  # findings in the summary

Members = dict[str, Any]


class Told(NamedTuple):
    """What a summary is made of. `findings`, `seats`: as the report has them."""

    manifest: Members
    state: Members
    findings: Sequence[Members]
    seats: Sequence[Members]
    language: str

    @property
    def first(self) -> Members | None:
        """The surest and gravest finding, if there is any."""
        return next(iter(draft_rows.ranked(self.findings)), None)

    @property
    def outcome(self) -> str:
        """The class of the surest finding, or `none`."""
        return self.first["class"] if self.first else "none"

    def count(self, name: str) -> int:
        return sum(row["class"] == name for row in self.findings)

    def say(self, key: str, **values: object) -> str:
        return text(self.language, key, **values)


def verdict(told: Told) -> Members:
    """Return the verdict card."""
    count = {"count": told.count(told.outcome), "total": len(told.findings)}
    return {
        "verdict": told.say(f"verdict.{told.outcome}", **count),
        "confidence": told.first["confidence"] if told.first else "low",
        "reason": _reason(told),
    }


def summary(told: Told) -> Members:
    """Return what a person reads first."""
    first = told.first
    title = first["title"] if first else ""
    return {
        "headline": told.say(f"headline.{told.outcome}", title=title),
        "situation": _situation(told),
        "findings": [_line(told, row) for row in draft_rows.ranked(told.findings)[:_SHOWN]],
        "decisionsNeeded": [],
        "nextStep": _next(told),
    }


def next_steps(told: Told) -> list[Members]:
    """Return what to do, the first thing first."""
    first, stands = told.first, told.outcome in draft_rows.STANDING
    task = NEXT_TASK.get(told.manifest["taskType"], "") if stands else ""
    steps = [{"step": _next(told), "taskType": task, "reason": _reason(told)}]
    for row in told.findings:
        if row["class"] == "contested" and row is not first:
            steps.append(_step(told.say("next.settle", id=row["id"]), row["title"]))
    absent = [seat["workerId"] for seat in told.seats if _is_missing(seat)]
    if absent:
        steps.append(_step(told.say("next.seats", who=", ".join(absent)), ""))
    return steps


def _step(step: str, reason: str) -> Members:
    return {"step": step, "taskType": "", "reason": reason}


def _is_missing(seat: Members) -> bool:
    return seat["status"] in ("error", "timeout", "not-run")


def _reason(told: Told) -> str:
    row = told.first
    if row is None:
        return told.say("reason.none")
    support, opposition = draft_rows.counted(row)
    said = told.say(
        "reason.votes",
        id=row["id"],
        support=support,
        opposition=opposition,
        raised=", ".join(row["raisedBy"]),
    )
    marks = [told.say(f"mark.{mark}") for mark in row["marks"]]
    return "; ".join([said, *marks])


def _situation(told: Told) -> str:
    providers = sorted({voter["provider"] for voter in told.state["roster"]})
    return told.say(
        "draft.situation",
        workers=len(told.state["roster"]),
        providers=", ".join(providers),
        rounds=told.state["rounds"],
        total=len(told.findings),
    )


def _line(told: Told, row: Members) -> str:
    support, opposition = draft_rows.counted(row)
    return told.say(
        "draft.finding",
        id=row["id"],
        title=row["title"],
        kind=told.say(f"class.{row['class']}"),
        support=support,
        opposition=opposition,
    )


def _next(told: Told) -> str:
    key = f"next.{told.outcome}"
    if told.first and told.outcome == "unverified" and not told.first["withoutVote"]:
        key = "next.undecided"  # all seats answered, too few could judge it
    own = f"{key}-{told.manifest['taskType']}"
    key = own if has(told.language, own) else key
    return told.say(key, id=told.first["id"] if told.first else "")
