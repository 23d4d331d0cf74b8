"""Who took part, how that ended, and what the report therefore does not know (R-019, R-021). Pure.

Tokens and times are not counted here: their cells read `--` until they are collected.
"""

from __future__ import annotations

from typing import Any, Iterator, Sequence

from okstra_ctl.reportdata.report_texts import text

UNKNOWN = "--"  # a cell that is not collected yet
CELLS = ("totalTokens", "billableTokens", "costUsd")
_OWN_CELLS = (*CELLS, "durationMs", "cliTotalTokens", "cliCostUsd")
_TOUCHED = "touched-checkout"
_DONE = "completed"

Members = dict[str, Any]


def tokens() -> Members:
    """Return the table of tokens, not collected yet (R-018)."""
    rows = {name: dict.fromkeys(CELLS, UNKNOWN) for name in ("lead", "worker", "grand")}
    return {**rows, "cli": {"costUsd": UNKNOWN}}


def status(manifest: Members, team_state: Members) -> list[Members]:
    """Return a row for each worker of the run, with each of its starts."""
    assigned = {one.get("workerId"): one for one in manifest["workerAssignments"]}
    return [
        _seat(row, assigned.get(row["workerId"], {}), team_state) for row in team_state["workers"]
    ]


def _seat(row: Members, assigned: Members, team_state: Members) -> Members:
    own = [one for one in team_state["workerDispatches"] if one["workerId"] == row["workerId"]]
    names = ("dispatchKind", "attempt", "status", "reason", "durationMs")
    used = [one["modelUsed"] for one in own if one["modelUsed"]]
    return {
        "role": row["workerId"],
        "workerId": row["workerId"],
        "provider": row["provider"],
        "model": row["modelExecutionValue"] or assigned.get("modelExecutionValue", ""),
        "modelUsed": ", ".join(dict.fromkeys(used)),
        "modelMismatch": any(one["modelMismatch"] for one in own),
        "status": row["status"],
        "reason": row["reason"] or next((one["reason"] for one in own[::-1] if one["reason"]), ""),
        **dict.fromkeys(_OWN_CELLS, UNKNOWN),
        "dispatches": [{name: one[name] for name in names} for one in own],
    }


def limits(
    manifest: Members,
    findings: Sequence[Members],
    gaps: Sequence[Members],
    seats: Sequence[Members],
    language: str,
) -> list[Members]:
    """Return what lowers the worth of the findings, a row each."""
    rows = [*_missing(seats, language), *_starts(seats, language)]
    rows += _lowered([*findings, *gaps], language)
    critic = manifest.get("criticAssignment")
    if not critic:
        rows.append(_limit("not-looked-at", "critic", text(language, "limit.noCritic")))
    rows.append(_limit("not-looked-at", "workers", text(language, "limit.section5")))
    if manifest.get("clarificationResponse"):
        subject = manifest["clarificationResponse"]
        rows.append(_limit("not-told", subject, text(language, "limit.carriedIn")))
    return rows


def untold(rows: Sequence[tuple[str, str]], manifest: Members, language: str) -> list[Members]:
    """Return what was cited for a finding and is no place in a file, so that it is not lost."""
    return [
        _limit("not-told", name, text(language, "limit.noPlace", cited=cited))
        for name, cited in rows
    ]


def _missing(seats: Sequence[Members], language: str) -> Iterator[Members]:
    for seat in seats:
        if seat["status"] not in (_DONE, "pending", "in-progress"):
            why = seat["reason"] or UNKNOWN
            told = text(language, "limit.missingSeat", status=seat["status"], why=why)
            yield _limit("missing-seat", seat["workerId"], told)


def _starts(seats: Sequence[Members], language: str) -> Iterator[Members]:
    for seat in seats:
        for one in seat["dispatches"]:
            about = {"kind": one["dispatchKind"], "attempt": one["attempt"]}
            if one["reason"] == _TOUCHED:
                told = text(language, "limit.touched", **about)
                yield _limit(_TOUCHED, seat["workerId"], told)
            elif one["status"] in ("error", "timeout", "not-run"):
                why = one["reason"] or one["status"]
                told = text(language, "limit.failedStart", why=why, **about)
                yield _limit("failed-dispatch", seat["workerId"], told)
        if seat["modelMismatch"]:
            about = {"assigned": seat["model"] or UNKNOWN, "used": seat["modelUsed"] or UNKNOWN}
            yield _limit(
                "model-mismatch", seat["workerId"], text(language, "limit.mismatch", **about)
            )


def _lowered(rows: Sequence[Members], language: str) -> Iterator[Members]:
    """Yield a row for each mark on a finding (Z-022)."""
    for row in rows:
        if "one-family" in row["marks"]:
            yield _limit("one-family", row["id"], text(language, "limit.oneFamily"))
        if "missing-vote" in row["marks"]:
            who = ", ".join(f"{one['workerId']} ({one['status']})" for one in row["withoutVote"])
            yield _limit("missing-vote", row["id"], text(language, "limit.missingVote", who=who))


def _limit(kind: str, subject: str, detail: str) -> Members:
    return {"kind": kind, "subject": subject, "detail": detail}
