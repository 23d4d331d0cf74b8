from __future__ import annotations

from typing import Any

import pytest

from okstra_ctl.runs.error_record import AGENTS, Entry, Origin, check_entry, check_origin, record
from okstra_kernel import UserError

ORIGIN = Origin("p:g:t", "error-analysis", "codex-worker", "worker", "gpt-x")
SEEN = Entry(0, "tool-failure", "HTTP 429")
PROBES = {"targetProbe": "curl a: EPERM", "controlProbe": "curl b: 200"}


def sandbox(evidence: object) -> dict[str, Any]:
    return {"cause": "sandbox-denied", "causeEvidence": evidence}


def test_agents_are_the_providers_in_three_forms_and_the_report_writer() -> None:
    """(D-173)."""
    assert len(AGENTS) == 16
    assert {"claude", "codex-lead", "local-worker", "report-writer"} < set(AGENTS)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"agent": "gemini"}, "not an agent: 'gemini'; allowed: claude, codex, "),
        ({"agent_role": "boss"}, "not an agent role: 'boss'; allowed: lead, worker, report-writer"),
        ({"phase": " "}, "a phase cannot be blank: ' '"),
    ],
)
def test_an_origin_that_is_none_is_named(changes: dict[str, Any], message: str) -> None:
    """(D-258, D-173)."""
    check_origin(ORIGIN)
    with pytest.raises(UserError) as caught:
        check_origin(ORIGIN._replace(**changes))
    assert str(caught.value).startswith(message)


CAUSES = "allowed: sandbox-denied, service-unavailable, auth-failed, unknown"
EVIDENCE = "context.causeEvidence"
TARGET, CONTROL = f"{EVIDENCE}.targetProbe: sandbox", f"{EVIDENCE}.controlProbe: sandbox"
REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"error_type": "oops"}, "not an error type: 'oops'; allowed: contract-violation, "),
    ({"message": " \n"}, "a message cannot be blank"),
    ({"duration_ms": -1}, "a duration cannot be negative: -1"),
    ({"exit_code": 1 << 60}, "not a number that fits: exit code 11529215"),
    ({"context": {"cause": "network"}}, f"context.cause: not a cause: 'network'; {CAUSES}"),
    ({"context": {"cause": None}}, f"context.cause: not a cause: None; {CAUSES}"),
    ({"context": {"cause": ["unknown"]}}, "context.cause: not a cause: ['unknown']"),
    ({"context": {"cause": "sandbox-denied"}}, "context.causeEvidence: sandbox-denied needs"),
    ({"context": sandbox("EPERM")}, "context.causeEvidence: sandbox-denied needs"),
    ({"context": sandbox({"targetProbe": "a"})}, CONTROL),
    ({"context": sandbox({**PROBES, "targetProbe": " "})}, TARGET),
    ({"context": sandbox({**PROBES, "controlProbe": 5})}, CONTROL),
    ({"message": "blocked by SandBox"}, "the message claims 'sandbox' without a cause"),
    ({"message": "operation Not Permitted"}, "the message claims 'not permitted'"),
    ({"message": "Permission denied (publickey)"}, "the message claims 'permission denied'"),
    ({"message": "open: EPERM", "context": {"cause": "unknown"}}, "the message claims 'eperm'"),
    ({"message": "EPERM", "context": {"note": "x"}}, "the message claims 'eperm'"),
]


@pytest.mark.parametrize(("changes", "message"), REFUSED)
def test_what_may_not_be_recorded(changes: dict[str, Any], message: str) -> None:
    """(D-258, D-259, D-260, D-175, D-176, D-177)."""
    with pytest.raises(UserError) as caught:
        check_entry(SEEN._replace(**changes))
    assert str(caught.value).startswith(message)
    assert caught.value.status == 2


def test_a_claim_without_a_cause_is_told_the_two_ways_out() -> None:
    """(D-177)."""
    with pytest.raises(UserError) as caught:
        check_entry(SEEN._replace(message="sandbox"))
    assert "targetProbe, controlProbe" in caught.value.next_step
    assert "context.cause" in caught.value.next_step


@pytest.mark.parametrize(
    "changes",
    [
        {"message": "permission denied for user x", "context": {"cause": "auth-failed"}},  # D-261
        {"message": "blocked on upstream"},  # D-262
        {"stderr_excerpt": "bash: /x: Permission denied (sandbox, EPERM)"},  # D-177
        {"message": "the sandbox denies it", "context": sandbox(PROBES)},
        {"message": "connection refused", "context": {"cause": "unknown", "attempt": 2}},
        {"context": {}},
        {"exit_code": -9, "duration_ms": 0},
    ],
)
def test_what_may_be_recorded(changes: dict[str, Any]) -> None:
    """(D-261, D-262, D-179)."""
    check_entry(SEEN._replace(**changes))


def test_a_record() -> None:
    """(D-172, D-176, D-183)."""
    entry = SEEN._replace(context={**sandbox({**PROBES, "guess": "jail"}), "port": 5})
    assert record(entry, ORIGIN, "2026-03-01T00:00:00Z") == {
        "schemaVersion": 1,
        "ts": "1970-01-01T00:00:00Z",
        "recordedAt": "2026-03-01T00:00:00Z",
        "taskKey": "p:g:t",
        "phase": "error-analysis",
        "agent": "codex-worker",
        "agentRole": "worker",
        "model": "gpt-x",
        "errorType": "tool-failure",
        "message": "HTTP 429",
        "command": None,
        "exitCode": None,
        "durationMs": None,
        "stderrExcerpt": None,
        "context": {**sandbox(PROBES), "port": 5},
        "source": "observed",
        "sidecar": None,
    }
