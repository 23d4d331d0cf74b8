"""What a page shows, put together out of a report's data; its template only lays it out. Pure.

The first screen answers what is wrong, how sure that is, who disagrees and what to do next (R-014,
R-015, R-037); the rest follows in the order in which a reader asks for it.
"""

from __future__ import annotations

import json
from typing import Any, Sequence

from okstra_ctl.reportdata import draft_rows
from okstra_ctl.reports import vote_table
from okstra_kernel import texts as kernel_texts

Members = dict[str, Any]
_OPTIONAL = ("clarificationCarriedIn", "errorAnalysis", "requirementsDiscovery", "resultSections")
_HOLDS = {"approval": "blocksApproval", "next-phase": "blocksNext", "none": "blocksNone"}
_SHORT = 180  # characters of a dissent on the first screen
_LISTED = 8  # ids there
_FIRST = 3  # dissents there


def model(data: Members, texts: Members) -> Members:
    """Return what the template of a report takes. `texts`: of the report's language."""
    page = texts["page"]
    findings = [_finding(row, page) for row in draft_rows.ranked(data["findings"])]
    gaps = [_finding(row, page) for row in data["gaps"]]
    against = _against([*findings, *gaps])
    waiting = sum(row["status"] == "open" for row in data["clarificationItems"])
    told = {**dict.fromkeys(_OPTIONAL), **data}
    return {
        "data": told,
        "outcome": findings[0]["class"] if findings else "none",
        "where": findings[0]["evidence"][:_FIRST] if findings else [],
        "classes": _classes(data),
        "of": _filled(page["of"], count=len(findings)),
        "dissent": against,
        "more": _filled(page["more"], count=len(against) - _FIRST) if against[_FIRST:] else "",
        "few": _few(findings, page),
        "waiting": _filled(page["needsAnswer"], count=waiting) if waiting else "",
        "questions": [_question(row) for row in data["clarificationItems"]],
        "table": _table(data, [*findings, *gaps]),
        "findings": findings,
        "gaps": gaps,
        "titles": {row["id"]: row["title"] for row in (*findings, *gaps)},
        "result": any(told[name] for name in _OPTIONAL[1:]) or bool(_plan(data)),
        "plan": _plan(data),
        **_audit(data),
    }


def _filled(template: str, **values: object) -> str:
    return kernel_texts.fill(template, {name: str(value) for name, value in values.items()})


def _classes(data: Members) -> list[Members]:
    count = data["convergence"]["classes"]
    return [{"name": name, "count": n} for name, n in count.items() if n]


def _finding(row: Members, page: Members) -> Members:
    votes = [_vote(vote, page) for vote in row["votes"]]
    return {
        **row,
        "about": _about(row, page),
        "dissent": [one for one in votes if one["word"] in ("disagree", "refuted")],
        "support": [one for one in votes if one["word"] not in ("disagree", "refuted")],
    }


def _about(row: Members, page: Members) -> list[str]:
    absent = [f"{one['workerId']} ({one['status']})" for one in row["withoutVote"]]
    lists = (("raisedBy", row["raisedBy"]), ("alsoRaisedBy", row["alsoRaisedBy"]), ("none", absent))
    told = [f"{page[name]}: {', '.join(names)}" for name, names in lists if names]
    return [*told, f"{page['ticket']}: {row['ticketId']}"]


def _vote(vote: Members, page: Members) -> Members:
    sign, word = vote_table.sign(vote)
    looked = page["basisLooked"] if vote["basisVerified"] else page["basisNot"]
    told = f"{_filled(page['round'], number=vote['round'])} · {looked}"
    return {**vote, "sign": sign, "word": word, "told": told}


def _against(rows: Sequence[Members]) -> list[Members]:
    """Return who disagrees with which finding, those with the surest findings first."""
    return [
        {"workerId": one["workerId"], "id": row["id"], "short": _short(one["basis"])}
        for row in rows
        for one in row["dissent"]
    ]


def _few(findings: Sequence[Members], page: Members) -> str:
    """Return which findings nobody could decide: no dissent is not consent (Z-021)."""
    ids = [row["id"] for row in findings if row["class"] == "unverified"]
    more = " …" if len(ids) > _LISTED else ""
    return _filled(page["few"], ids=", ".join(ids[:_LISTED]) + more) if ids else ""


def _short(text: str) -> str:
    line = " ".join(text.replace("`", "").split())
    return line if len(line) <= _SHORT else f"{line[: _SHORT - 1]}…"


def _question(row: Members) -> Members:
    options = sorted(row.get("options", []), key=lambda one: one["role"] != "recommended")
    holds = _HOLDS[row["blocks"]]
    return {"expectedForm": "", **row, "options": options, "holds": holds}


def _table(data: Members, rows: Sequence[Members]) -> Members:
    voters = vote_table.voters(data)
    return {
        "voters": voters,
        "rows": [{**row, "cells": vote_table.cells(row, voters)} for row in rows],
        "legend": vote_table.SIGNS,
    }


def _plan(data: Members) -> str:
    told = data.get("implementationPlanning")
    return json.dumps(told, ensure_ascii=False, indent=2) if told else ""


def _audit(data: Members) -> Members:
    """Return the tables for those who check the run itself (R-021)."""
    names = ("status", "reason", "totalTokens", "billableTokens", "costUsd", "durationMs")
    usage, cells = data["tokenUsage"], ("totalTokens", "billableTokens", "costUsd")
    return {
        "primary": [
            (row["id"], row["claim"], row["source"], row["ticketId"])
            for row in data["evidence"]["primary"]
        ],
        "seats": [
            (row["role"], row["provider"], row["modelUsed"] or row["model"], *_picked(row, names))
            for row in data["executionStatus"]
        ],
        "starts": [
            (
                row["role"],
                *_picked(one, ("dispatchKind", "attempt", "status", "reason")),
                _took(one),
            )
            for row in data["executionStatus"]
            for one in row["dispatches"]
        ],
        "tokens": [
            *((name, *_picked(usage[name], cells)) for name in ("lead", "worker", "grand")),
            ("cli", "--", "--", usage["cli"]["costUsd"]),
        ],
        "tickets": _tickets(data),
    }


def _picked(row: Members, names: Sequence[str]) -> list[Any]:
    return [row[name] for name in names]


def _took(one: Members) -> Any:
    return "--" if one["durationMs"] is None else one["durationMs"]


def _tickets(data: Members) -> list[tuple[str, str]]:
    told = data["ticketCoverage"]
    if "tickets" in told:
        return [(row["ticketId"], ", ".join(row["findings"])) for row in told["tickets"]]
    names = ", ".join(row["id"] for row in data["findings"])
    return [(told["singleTicket"], names)] if "singleTicket" in told else []
