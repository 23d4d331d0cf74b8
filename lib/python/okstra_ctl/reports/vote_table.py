"""Who said what of which finding: a row a finding, a column a voter (R-013, Z-022). Pure.

A sign has one meaning here, in Markdown and in what `okstra convergence show` prints.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple, Sequence

from okstra_ctl.convergence import showing

Members = dict[str, Any]
LEGEND = " · ".join(re.split(r"\n|  +", showing.LEGEND))
REFUTED, RAISED, NONE = "refuted", "raised", "none"  # words besides the verdicts
SIGNS = (
    *((sign, word) for word, sign in showing.MARKS.items()),
    (showing.REFUTED, REFUTED),
    (showing.RAISED, RAISED),
    (showing.NONE, NONE),
)


class Voter(NamedTuple):
    """A column. `models`: that answered; `mismatch`: one of them is not the assigned one."""

    worker_id: str
    provider: str
    models: tuple[str, ...]
    mismatch: bool


class Cell(NamedTuple):
    """`word`: what the sign means, a key of the texts; `vote`: what was said, if anything was."""

    sign: str
    word: str
    vote: Members
    also: bool  # the voter found the same, in words of its own
    status: str  # of one without a vote


def voters(data: Members) -> list[Voter]:
    """Return the columns, in the order of the run's workers."""
    rows = [*data["findings"], *data["gaps"]]
    names: dict[str, None] = {}
    for row in rows:
        names |= dict.fromkeys(row["raisedBy"] + row["alsoRaisedBy"])
        names |= dict.fromkeys(one["workerId"] for one in (*row["votes"], *row["withoutVote"]))
    seats = {one["workerId"]: one for one in data["executionStatus"]}
    order = [*(name for name in seats if name in names), *(n for n in names if n not in seats)]
    return [_voter(name, seats.get(name, {}), rows) for name in order]


def cells(row: Members, columns: Sequence[Voter]) -> list[Cell]:
    """Return the cells of a finding's row."""
    votes = {one["workerId"]: one for one in row["votes"]}
    absent = {one["workerId"]: one["status"] for one in row["withoutVote"]}
    return [_cell(row, one.worker_id, votes, absent) for one in columns]


def sign(vote: Members) -> tuple[str, str]:
    """Return the sign of a vote, and what it means: its verdict, or `refuted`."""
    found = showing.mark(vote)
    return found, REFUTED if found == showing.REFUTED else vote["verdict"]


def _voter(name: str, seat: Members, rows: Sequence[Members]) -> Voter:
    votes = [one for row in rows for one in row["votes"] if one["workerId"] == name]
    models = dict.fromkeys(one["modelUsed"] for one in votes if one["modelUsed"])
    provider = seat.get("provider") or next((one["provider"] for one in votes), "")
    mismatch = any(one["modelMismatch"] for one in votes) or bool(seat.get("modelMismatch"))
    return Voter(name, provider, tuple(models), mismatch)


def _cell(row: Members, name: str, votes: dict[str, Members], absent: dict[str, str]) -> Cell:
    also = name in row["alsoRaisedBy"]
    if name in row["raisedBy"]:
        return Cell(showing.RAISED, RAISED, {}, False, "")
    if name not in votes:
        return Cell(showing.NONE, NONE, {}, also, absent.get(name, ""))
    return Cell(*sign(votes[name]), votes[name], also, "")
