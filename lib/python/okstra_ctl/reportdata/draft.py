"""A whole report out of what a run recorded, and nothing besides (H-031, R-013 to R-019).

For the report writer that has no model, and for a headless run whose writer failed. What the
records do not tell is said to be untold. Pure; the words for people are data (`report_texts`).
"""

from __future__ import annotations

from typing import Any

from okstra_ctl.reportdata import draft_execution, draft_result, draft_rows, draft_summary
from okstra_ctl.reportdata.report import VERSION
from okstra_kernel import redaction, texts

Members = dict[str, Any]
WITHOUT_TICKETS = ("release-handoff", "final-verification")


def draft(
    manifest: Members,
    state: Members,
    team_state: Members,
    *,
    language: str,
    state_path: str,
    state_sha256: str,
) -> Members:
    """Return a valid data.json of a run whose votes are done.

    `manifest`: of the run. `state`: the final state of its convergence, at `state_path` (relative
    to the project) with this hash. `team_state`: who was started and how that ended. `language`:
    of the sentences for people, `en` or `ko`; another one counts as `en`. Secrets of known shapes
    are taken out (Z-051). Equal records give equal data.
    """
    language = language if language in texts.LANGUAGES else texts.DEFAULT_LANGUAGE
    findings, unplaced = draft_rows.rows(manifest, state, team_state, "findings")
    findings = draft_rows.ranked(findings)
    gaps, unplaced_gaps = draft_rows.rows(manifest, state, team_state, "gaps")
    seats = draft_execution.status(manifest, team_state)
    limits = draft_execution.limits(manifest, findings, gaps, seats, language)
    limits += draft_execution.untold([*unplaced, *unplaced_gaps], manifest, language)
    told = draft_summary.Told(manifest, state, findings, seats, language)
    data = {
        **_identity(manifest, language),
        "verdictCard": draft_summary.verdict(told),
        "humanSummary": draft_summary.summary(told),
        "clarificationItems": [],
        "evidence": {"primary": draft_rows.primary(findings)},
        "consensus": draft_rows.consensus(findings),
        "findings": findings,
        "gaps": gaps,
        "convergence": _convergence(state, findings, state_path, state_sha256),
        "nextSteps": draft_summary.next_steps(told),
        "followUpTasks": [],
        **draft_result.deliverable(manifest, findings, language),
        "limits": limits,
        "ticketCoverage": _coverage(manifest, [*findings, *gaps]),
        "executionStatus": seats,
        "tokenUsage": draft_execution.tokens(),
    }
    hidden: Members = redaction.hide_in(data, [])
    return hidden


def _identity(manifest: Members, language: str) -> Members:
    names = ("taskKey", "taskType", "runId", "seq")
    return {
        "schemaVersion": VERSION,
        **{name: manifest[name] for name in names},
        "reportLanguage": language,
    }


def _convergence(state: Members, findings: list[Members], path: str, sha256: str) -> Members:
    count = dict.fromkeys(draft_rows.CLASSES, 0)
    for row in findings:
        count[row["class"]] += 1
    return {
        "adversarial": state["adversarial"],
        "rounds": state["rounds"],
        "statePath": path,
        "stateSha256": sha256,
        "classes": count,
    }


def _coverage(manifest: Members, rows: list[Members]) -> Members:
    """Return which ticket each finding is of; one ticket needs no rows (R-017)."""
    if manifest["taskType"] in WITHOUT_TICKETS:
        return {"omit": True}
    tickets = list(dict.fromkeys(row["ticketId"] for row in rows)) or [manifest["taskId"]]
    if len(tickets) == 1:
        return {"singleTicket": tickets[0]}
    return {
        "tickets": [
            {"ticketId": name, "findings": [row["id"] for row in rows if row["ticketId"] == name]}
            for name in tickets
        ]
    }
