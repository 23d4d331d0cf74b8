"""Section 2 of a report: what was found, how sure it is, who voted how and why (R-013). Pure."""

from __future__ import annotations

from typing import Any, Iterator, Sequence

from okstra_ctl.reportdata import rules
from okstra_ctl.reports import vote_table
from okstra_ctl.reports.markdown_text import EMPTY, NONE, inline, items, table

Members = dict[str, Any]
_CONSENSUS = ("id", "finding", "evidence", "ticketId")
_PRIMARY = ("id", "claim", "source", "ticketId")


def parts(data: Members) -> Iterator[str]:
    """Yield the parts of the section."""
    card = data["verdictCard"]
    yield " · ".join(
        f"**{name}:** {inline(card[key])}"
        for name, key in (
            ("Verdict", "verdict"),
            ("Confidence", "confidence"),
            ("Reason", "reason"),
        )
    )
    columns = vote_table.voters(data)
    yield "### 2.1 Votes"
    yield _votes([*data["findings"], *data["gaps"]], columns)
    yield f"Legend: {inline(vote_table.LEGEND)}"
    yield from (line for line in [_mismatches(columns)] if line)
    yield "### 2.2 Consensus"
    yield _table(("ID", "Finding", "Evidence", "Ticket"), _CONSENSUS, data["consensus"])
    yield "### 2.3 Evidence"
    yield _table(("ID", "Claim", "Source", "Ticket"), _PRIMARY, data["evidence"]["primary"])
    yield "### 2.4 Findings"
    yield from _findings(data["findings"])
    yield "### 2.5 Gaps"
    yield from _findings(data["gaps"])
    yield "### 2.6 Limits"
    yield _table(("Kind", "Of", "What"), ("kind", "subject", "detail"), data["limits"])


def _table(heads: Sequence[str], names: Sequence[str], rows: Sequence[Members]) -> str:
    return table(heads, [[row[name] for name in names] for row in rows])


def _votes(rows: Sequence[Members], columns: Sequence[vote_table.Voter]) -> str:
    heads = ("ID", "Title", "Class", "Confidence", *(one.worker_id for one in columns))
    return table(heads, [_row(row, columns) for row in rows])


def _row(row: Members, columns: Sequence[vote_table.Voter]) -> list[str]:
    sure = " ".join([row["confidence"], *(f"({mark})" for mark in row["marks"])])
    told = [f"found {one.sign}" if one.also else one.sign for one in vote_table.cells(row, columns)]
    return [row["id"], row["title"], row["class"], sure, *told]


def _mismatches(columns: Sequence[vote_table.Voter]) -> str:
    """Return who was answered for by another model than the assigned one (Z-016)."""
    told = [
        f"{inline(one.worker_id)} ({inline(', '.join(one.models) or EMPTY)})"
        for one in columns
        if one.mismatch
    ]
    return f"Another model than the assigned one answered: {', '.join(told)}" if told else ""


def _findings(rows: Sequence[Members]) -> Iterator[str]:
    if not rows:
        yield NONE
    for row in rows:
        yield f"#### {inline(row['id'])}: {inline(row['title'])}"
        yield inline(row["claim"])
        yield items(_facts(row))
        yield "Votes:"
        yield items([*map(_vote, row["votes"]), *map(_absent, row["withoutVote"])])


def _facts(row: Members) -> Iterator[str]:
    marks = "".join(f", {mark}" for mark in row["marks"])
    yield f"Class: {row['class']}, confidence {row['confidence']}{marks}"
    yield f"Severity: {row['severity'] or EMPTY}, kind: {row['kind'] or EMPTY}"
    yield f"Ticket: {inline(row['ticketId'])}"
    yield f"Evidence: {', '.join(map(_place, row['evidence'])) or EMPTY}"
    yield f"Raised by: {', '.join(map(inline, row['raisedBy'])) or EMPTY}"
    if row["alsoRaisedBy"]:
        yield f"Found also by: {', '.join(map(inline, row['alsoRaisedBy']))}"
    if row["recommendation"].strip():
        yield f"Recommendation: {inline(row['recommendation'])}"


def _vote(vote: Members) -> str:
    model = inline(vote["modelUsed"]) + (" (not the assigned one)" if vote["modelMismatch"] else "")
    looked = "looked up" if vote["basisVerified"] else "not looked up"
    who = f"{inline(vote['workerId'])} ({inline(vote['provider'])}, {model})"
    evidence = ", ".join(map(_place, vote["evidence"])) or EMPTY
    return (
        f"**{vote['verdict']}** by {who} in round {vote['round']}: {inline(vote['basis'])}"
        f" — evidence: {evidence}; basis {looked}"
    )


def _absent(one: Members) -> str:
    return f"**no vote** by {inline(one['workerId'])}: {inline(one['status'])}"


def _place(text: str) -> str:
    return inline(f"`{text}`") if rules.cites(text) else inline(text)
