"""The findings of a report: each with its class, who found it and who voted how (R-013, Z-022).

Pure. A name or a word that the state lacks stays empty.
"""

from __future__ import annotations

import re
from typing import Any, Iterator, Sequence

from okstra_ctl.reportdata import rules

CLASSES = ("consensus", "partial-consensus", "contested", "rejected", "unverified")
STANDING = CLASSES[:2]  # what the votes left standing
SEVERITIES = ("blocker", "major", "minor", "info")
KINDS = ("defect", "requirement-gap", "risk", "option", "improvement", "fact")
_LEVELS = ("high", "medium", "low")
_ORDER = (*CLASSES[:3], CLASSES[4], CLASSES[3])  # from sure to refuted
_ID = re.compile(r"[A-Za-z0-9][\w.-]{0,99}")
_TITLE = 100  # characters

Members = dict[str, Any]


def rows(
    manifest: Members, state: Members, team_state: Members, name: str
) -> tuple[list[Members], list[tuple[str, str]]]:
    """Return the rows of `findings` or `gaps`, and what was cited but is no place: (id, text)."""
    found, unplaced = [], []
    for number, row in enumerate(state[name], 1):
        one = _row(row, _id(row, number, name), manifest, team_state, gap=name == "gaps")
        found.append(one)
        unplaced += [(one["id"], text) for text in row.get("evidence", ()) if not rules.cites(text)]
    return found, unplaced


def ranked(findings: Sequence[Members]) -> list[Members]:
    """Return findings from the surest and gravest on; equal ones keep their order."""
    return sorted(findings, key=_rank)


def primary(findings: Sequence[Members]) -> list[Members]:
    """Return a row for each place that a standing finding cites, once each (R-016)."""
    found: dict[tuple[str, str], Members] = {}
    for row in ranked(findings):
        for place in row["evidence"] if row["class"] in STANDING else ():
            told = {"claim": row["title"], "source": place, "ticketId": row["ticketId"]}
            found.setdefault((place, row["title"]), told)
    return [{"id": f"E-{number:03}", **row} for number, row in enumerate(found.values(), 1)]


def consensus(findings: Sequence[Members]) -> list[Members]:
    """Return the findings that all votes support (R-013)."""
    return [
        {
            "id": row["id"],
            "finding": row["claim"],
            "evidence": ", ".join(row["evidence"]) or f"{rules.NO_PLACE}no place was cited",
            "ticketId": row["ticketId"],
        }
        for row in findings
        if row["class"] == rules.CONSENSUS
    ]


def counted(row: Members) -> tuple[int, int]:
    """Return how many votes support a finding, and how many oppose it."""
    verdicts = [vote["verdict"] for vote in row["votes"]]
    return sum(one in ("agree", "supplement") for one in verdicts), verdicts.count("disagree")


def _rank(row: Members) -> tuple[int, int, int]:
    severity = row["severity"]
    grave = SEVERITIES.index(severity) if severity in SEVERITIES else len(SEVERITIES)
    return _ORDER.index(row["class"]), grave, _LEVELS.index(row["confidence"])


def _id(row: Members, number: int, name: str) -> str:
    own = str(row.get("findingId") or row.get("gapId") or "")
    return own if _ID.fullmatch(own) else f"{'G' if name == 'gaps' else 'F'}-x{number:03}"


def _row(row: Members, name: str, manifest: Members, team_state: Members, *, gap: bool) -> Members:
    claim = row["claim"]
    return {
        "id": name,
        "title": " ".join(row.get("title", "").split()) or _short(claim),
        "claim": claim,
        "evidence": [text for text in row.get("evidence", ()) if rules.cites(text)],
        "severity": _known(row.get("severity", ""), SEVERITIES),
        "kind": _known(row.get("kind", ""), KINDS),
        "recommendation": row.get("recommendation", ""),
        "ticketId": row.get("ticket", "").strip() or manifest["taskId"],
        "class": row["class"],
        "confidence": row["confidence"],
        "marks": list(row["marks"]),
        "raisedBy": list(row.get("raisedBy", ())),
        "alsoRaisedBy": list(row.get("alsoRaisedBy", ())),
        "votes": [_vote(vote, team_state, gap=gap) for vote in row["votes"]],
        "withoutVote": [dict(one) for one in row["withoutVote"]],
    }


def _known(word: str, words: Sequence[str]) -> str:
    return word if word in words else ""


def _short(claim: str) -> str:
    line = " ".join(claim.split()) or "--"
    return line if len(line) <= _TITLE else f"{line[: _TITLE - 1]}…"


def _vote(vote: Members, team_state: Members, *, gap: bool) -> Members:
    used = _dispatch(vote, team_state, gap=gap)
    return {
        "workerId": vote["workerId"],
        "provider": vote["provider"],
        "modelUsed": used.get("modelUsed", ""),
        "modelMismatch": used.get("modelMismatch", False),
        "round": vote["round"],
        "verdict": vote["verdict"],
        "basis": vote["basis"],
        "evidence": list(vote["evidence"]),
        "basisVerified": vote["basisVerified"],
    }


def _dispatch(vote: Members, team_state: Members, *, gap: bool) -> Members:
    """Return the dispatch that a vote came of: its round's, of a gap the worker's last one.

    A worker inside the host's session has none: then the model that answered is not known.
    """
    kind = r".*" if gap else rf"reverify-r{vote['round']}(-retry[0-9]+)?"
    fitting = [
        one
        for one in _completed(vote["workerId"], team_state)
        if re.fullmatch(kind, one["dispatchKind"])
    ]
    return fitting[-1] if fitting else {}


def _completed(worker_id: str, team_state: Members) -> Iterator[Members]:
    for one in team_state["workerDispatches"]:
        if one["workerId"] == worker_id and one["status"] == "completed":
            yield one
