"""What a task delivers, as far as the votes tell it (H-031, R-038). Pure.

The votes know findings; where a part asks for more, it says where that is to be found.
"""

from __future__ import annotations

from typing import Any, Sequence

from okstra_ctl.reportdata import draft_rows
from okstra_ctl.reportdata.report_texts import text

Members = dict[str, Any]
_NO_CAUSE = ("fact", "option", "improvement")  # kinds
_REFUTED = "rejected"


def deliverable(manifest: Members, findings: Sequence[Members], language: str) -> Members:
    """Return the member that a task type has of its own; none for those that have none."""
    task_type = manifest["taskType"]
    if task_type == "error-analysis":
        return {"errorAnalysis": _error_analysis(manifest, findings, language)}
    if task_type == "requirements-discovery":
        return {"requirementsDiscovery": _requirements(manifest, findings, language)}
    if task_type == "implementation-planning":
        return {"implementationPlanning": {}}
    return {}


def _error_analysis(manifest: Members, findings: Sequence[Members], language: str) -> Members:
    candidates = [
        row
        for row in draft_rows.ranked(findings)
        if row["kind"] not in _NO_CAUSE and row["class"] != _REFUTED
    ]
    untold = text(language, "draft.untold", brief=manifest["briefPath"])
    return {
        "symptom": [untold],
        "causes": [_cause(rank, row, language) for rank, row in enumerate(candidates, 1)],
        "reach": [text(language, "draft.untoldReach")],
    }


def _cause(rank: int, row: Members, language: str) -> Members:
    told: dict[str, list[str]] = {"for": [], "against": []}
    for vote in row["votes"]:
        side = {"disagree": "against", "unverifiable": ""}.get(vote["verdict"], "for")
        if side:
            told[side].append(f"{vote['workerId']}: {vote['basis']}")
    return {
        "rank": rank,
        "findingId": row["id"],
        "supports": "\n".join(told["for"]),
        "opposes": "\n".join(told["against"]),
        "wouldRefute": text(language, "draft.untoldRefutation"),
    }


def _requirements(manifest: Members, findings: Sequence[Members], language: str) -> Members:
    standing = [row for row in findings if row["class"] in draft_rows.STANDING]
    return {
        "requirements": [
            {
                "id": f"R-{number:03}",
                "requirement": row["claim"],
                "source": row["id"],
                "evidence": row["evidence"],
                "ticketId": row["ticketId"],
            }
            for number, row in enumerate(standing[:999], 1)
        ],
        "scope": {"inScope": [], "outOfScope": [], "waiting": []},
        "route": {
            "workCategory": manifest["workCategory"],
            "taskType": "",
            "reason": text(language, "draft.untoldRoute"),
        },
    }
