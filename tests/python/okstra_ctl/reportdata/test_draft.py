"""A report out of a run's records, nothing invented (R-010 to R-021, H-031, Z-022, Z-051)."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
import report_samples as samples
from hypothesis import given
from hypothesis import strategies as st

from okstra_ctl.convergence import reduction
from okstra_ctl.reportdata import draft_rows, report
from okstra_ctl.reportdata.draft import draft
from okstra_kernel import schemas
from okstra_project.slug import digest

TASKS = (
    "error-analysis",
    "requirements-discovery",
    "implementation-planning",
    "final-verification",
)


def drafted(**more: Any) -> dict[str, Any]:
    given = {
        **{"manifest": samples.manifest(), "state": samples.state()},
        **{"team_state": samples.team_state(), "language": "en"},
        **more,
    }
    return draft(
        given["manifest"],
        given["state"],
        given["team_state"],
        language=given["language"],
        state_path=samples.STATE_PATH,
        state_sha256="0" * 64,
    )


def test_the_sample_is_a_final_state() -> None:
    assert schemas.check(samples.state(), "convergence-final") == []


@pytest.mark.parametrize("language", ["en", "ko", "fr"])
@pytest.mark.parametrize("task_type", TASKS)
def test_a_draft_is_valid(language: str, task_type: str) -> None:
    found = drafted(manifest=samples.manifest(task_type), language=language)
    assert report.faults(found) == []
    assert found["reportLanguage"] == ("ko" if language == "ko" else "en")


def test_the_same_records_make_the_same_bytes() -> None:
    assert report.file_bytes(drafted()) == report.file_bytes(drafted())


def test_the_summary_says_what_how_sure_and_what_next() -> None:
    found = drafted()
    assert found["verdictCard"] == {
        "verdict": "1 of 4 findings confirmed without opposition",
        "confidence": "high",
        "reason": "F-001: 2 for, 0 against; raised by claude-analyser",
    }
    summary = found["humanSummary"]
    assert summary["headline"] == "The cache key leaves the tenant out"
    assert summary["nextStep"].startswith("Plan the fix of F-001")
    assert summary["findings"][0] == (
        "F-001 The cache key leaves the tenant out (consensus, 2 for, 0 against)"
    )


def test_consensus_and_evidence_are_those_of_what_stands() -> None:
    """R-013, R-016."""
    found = drafted()
    assert [row["id"] for row in found["consensus"]] == ["F-001"]
    assert found["evidence"]["primary"] == [
        {
            "id": "E-001",
            "claim": "The cache key leaves the tenant out",
            "source": "src/cart.py:41-48",
            "ticketId": "DEV-1",
        }
    ]


def test_each_vote_names_the_model_that_answered() -> None:
    """Z-016, Z-022: the mark of another model than the assigned one stands at the vote."""
    votes = {one["workerId"]: one for one in drafted()["findings"][0]["votes"]}
    assert (votes["codex-analyser"]["modelUsed"], votes["codex-analyser"]["modelMismatch"]) == (
        "codex-1",
        False,
    )
    assert (votes["grok-analyser"]["modelUsed"], votes["grok-analyser"]["modelMismatch"]) == (
        "grok-mini",
        True,
    )


def test_a_vote_without_a_dispatch_names_no_model() -> None:
    """What is not recorded is not made up (H-031)."""
    found = drafted(team_state={**samples.team_state(), "workerDispatches": []})
    assert {vote["modelUsed"] for vote in found["findings"][0]["votes"]} == {""}


def test_starts_in_vain_other_models_and_missing_votes_are_limits() -> None:
    limits = {(row["kind"], row["subject"]) for row in drafted()["limits"]}
    assert limits == {
        ("touched-checkout", "grok-analyser"),
        ("model-mismatch", "grok-analyser"),
        ("missing-vote", "F-003"),
        ("missing-vote", "F-004"),
        ("missing-vote", "G-001"),
        ("not-looked-at", "critic"),
        ("not-looked-at", "workers"),
    }


def test_a_seat_that_failed_is_told_and_to_be_filled() -> None:
    team = samples.team_state()
    team["workers"][2] |= {"status": "timeout", "reason": "deadline"}
    found = drafted(team_state=team)
    assert ("missing-seat", "grok-analyser") in {(r["kind"], r["subject"]) for r in found["limits"]}
    assert found["nextSteps"][-1]["step"] == "Fill the seats that were empty: grok-analyser."
    assert found["executionStatus"][2]["reason"] == "deadline"


def test_execution_has_each_start_and_empty_cells() -> None:
    """R-019: before collection the cells read `--`."""
    row = drafted()["executionStatus"][2]
    assert [(one["attempt"], one["reason"]) for one in row["dispatches"]] == [
        (1, "touched-checkout"),
        (2, ""),
        (1, ""),
    ]
    assert {row[name] for name in ("totalTokens", "billableTokens", "costUsd")} == {"--"}
    assert row["modelMismatch"] is True and row["modelUsed"] == "grok-1, grok-mini"


@pytest.mark.parametrize(
    ("tickets", "task_type", "expected"),
    [
        ([], "error-analysis", {"singleTicket": "DEV-1"}),
        (["A-1"] * 5, "error-analysis", {"singleTicket": "A-1"}),
        (["A-1"] * 5, "final-verification", {"omit": True}),
        (
            ["A-1", "A-2", "A-1"],
            "error-analysis",
            {
                "tickets": [
                    {"ticketId": "A-1", "findings": ["F-001", "F-003"]},
                    {"ticketId": "A-2", "findings": ["F-002"]},
                    {"ticketId": "DEV-1", "findings": ["F-004", "G-001"]},
                ]
            },
        ),
    ],
)
def test_tickets(tickets: list[str], task_type: str, expected: dict[str, Any]) -> None:
    """R-017."""
    state = samples.state()
    rows = [*state["findings"], *state["gaps"]]
    for row, ticket in zip(rows, tickets, strict=False):
        row["ticket"] = ticket
    found = drafted(state=state, manifest=samples.manifest(task_type))
    assert found["ticketCoverage"] == expected


@pytest.mark.parametrize(
    ("classes", "verdict", "headline"),
    [
        ([], "No findings", "The workers found nothing to report"),
        (["contested"], "Disputed: 1 of 1", "In dispute: Title of F-1"),
        (["unverified"], "Not verified: too few votes on 1 of 1", "Claimed, not verified: Title"),
        (["rejected"], "Refuted: the votes went against all 1", "Nothing stands."),
        (["rejected", "partial-consensus"], "1 of 2 findings confirmed against", "Title of F-2"),
    ],
)
def test_what_does_not_stand_is_not_told_as_standing(
    classes: list[str], verdict: str, headline: str
) -> None:
    state = samples.state()
    state["findings"] = [
        samples.finding(f"F-{number}", name, []) for number, name in enumerate(classes, 1)
    ]
    found = drafted(state=state)
    assert report.faults(found) == []
    assert found["verdictCard"]["verdict"].startswith(verdict)
    assert found["humanSummary"]["headline"].startswith(headline)
    if "partial-consensus" not in classes:
        assert found["nextSteps"][0]["taskType"] == ""


@pytest.mark.parametrize("empty", [True, False])
def test_seats_that_answered_are_not_called_empty(empty: bool) -> None:
    state = samples.state()
    row = samples.finding("F-1", "unverified", [])
    who = [{"workerId": "w", "provider": "codex", "status": "missing"}] if empty else []
    state["findings"] = [{**row, "withoutVote": who}]
    step = drafted(state=state)["nextSteps"][0]["step"]
    assert step.startswith("Get the missing" if empty else "Too few workers could judge F-1")


def test_findings_stand_from_the_surest_and_gravest_on() -> None:
    state = samples.state()
    classes = ("rejected", "unverified", "contested", "consensus")
    state["findings"] = [samples.finding(f"F-{n}", name, []) for n, name in enumerate(classes)]
    state["findings"].append({**samples.finding("F-4", "unverified", []), "severity": "blocker"})
    rows = drafted(state=state)["findings"]
    assert [row["id"] for row in rows] == ["F-3", "F-2", "F-4", "F-1", "F-0"]


def test_what_is_cited_and_no_place_is_kept_as_a_limit() -> None:
    state = samples.state()
    state["findings"][0]["evidence"] = ["the log", "src/a.py:9-3"]
    found = drafted(state=state)
    assert report.faults(found) == []
    assert found["findings"][0]["evidence"] == []
    assert found["consensus"][0]["evidence"] == "none — no place was cited"
    cited = [row["detail"] for row in found["limits"] if row["kind"] == "not-told"]
    assert [text.rpartition(": ")[2] for text in cited] == ["the log", "src/a.py:9-3"]


def test_secrets_are_taken_out() -> None:
    """Z-051."""
    state = samples.state()
    token = "ghp_" + digest("x") * 5
    state["findings"][0]["votes"][0]["basis"] = f"it holds {token}"
    assert token not in json.dumps(drafted(state=state))


@given(
    texts=st.lists(st.text(min_size=1), min_size=4, max_size=4),
    evidence=st.lists(st.text(min_size=1), max_size=3),
)
def test_any_words_of_workers_make_a_valid_report(texts: list[str], evidence: list[str]) -> None:
    state = copy.deepcopy(samples.state())
    row = state["findings"][0]
    row["claim"], row["title"], row["severity"], row["ticket"] = texts
    row["evidence"] = evidence
    row["votes"][0]["basis"] = texts[0]
    assert report.faults(drafted(state=state)) == []


def test_words_of_the_schema_are_those_of_the_code() -> None:
    """The votes' words are convergence's, which this row may not import."""
    rules = schemas.schema(report.SCHEMA)["$defs"]
    assert draft_rows.CLASSES == reduction.CLASSES == tuple(rules["class"]["enum"])
    assert tuple(rules["confidence"]["enum"]) == reduction.CONFIDENCE
    assert tuple(rules["vote"]["properties"]["verdict"]["enum"]) == (
        *("agree", "disagree", "supplement", "unverifiable"),
    )
    assert (*draft_rows.SEVERITIES, "") == tuple(rules["severity"]["enum"])
    assert (*draft_rows.KINDS, "") == tuple(rules["finding"]["properties"]["kind"]["enum"])
