"""Records of a run, as a report is made of them: three analysts, one of whose starts failed.

    python3 tests/support/report_samples.py [<language> [<task type>]]

prints the report of these records, as its data.json has it.
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2] / "lib/python"))

from okstra_ctl.reportdata import report as report_data
from okstra_ctl.reportdata.draft import draft

Members = dict[str, Any]
NOW, KEY = "2026-03-01T10:05:00Z", "shop:checkout:DEV-1"
RUN = ".okstra/tasks/checkout/dev-1/runs/error-analysis"
STATE_PATH = f"{RUN}/state/convergence-error-analysis-001.json"
PROVIDERS = {"claude-analyser": "claude", "codex-analyser": "codex", "grok-analyser": "grok"}


def manifest(task_type: str = "error-analysis") -> Members:
    """Return what a report needs of a run manifest."""
    assignments = [
        {"workerId": worker, "provider": provider, "modelExecutionValue": f"{provider}-1"}
        for worker, provider in PROVIDERS.items()
    ]
    return {
        **{"schemaVersion": 1, "runId": f"{KEY}/{task_type}/001", "taskKey": KEY},
        **{"taskType": task_type, "taskId": "DEV-1", "seq": "001", "workCategory": "bugfix"},
        **{"briefPath": "docs/brief.md", "clarificationResponse": "", "criticAssignment": None},
        "workerAssignments": assignments,
    }


def vote(worker: str, verdict: str, basis: str, *, verified: bool = True) -> Members:
    return {
        **{"workerId": worker, "provider": PROVIDERS[worker], "round": 1, "verdict": verdict},
        **{"basis": basis, "evidence": ["src/cart.py:41"], "basisVerified": verified},
    }


def finding(name: str, found: str, votes: list[Members], **more: Any) -> Members:
    """Return a row of a final state; who has no vote and did not raise it timed out."""
    raised = more.get("raisedBy", ["claude-analyser"])
    seen = {*raised, *(one["workerId"] for one in votes)}
    absent = [{"workerId": one, "status": "timeout"} for one in PROVIDERS if one not in seen]
    verdicts = [one["verdict"] for one in votes]
    return {
        **{"findingId": name, "claim": f"claim of {name}", "evidence": ["src/cart.py:41-48"]},
        **{"raisedBy": raised, "alsoRaisedBy": [], "title": f"Title of {name}"},
        **{"severity": "major", "kind": "defect", "recommendation": "mend it"},
        **{"class": found, "confidence": "high", "marks": ["missing-vote"] if absent else []},
        "support": sum(one in ("agree", "supplement") for one in verdicts),
        "opposition": verdicts.count("disagree"),
        **{"refuted": 0, "votes": votes, "withoutVote": absent},
        **more,
    }


def state() -> Members:
    """Return a final state with one finding of nearly each class, and a gap."""
    codex, grok = "codex-analyser", "grok-analyser"
    rows = [
        finding(
            "F-001",
            "consensus",
            [
                vote(codex, "agree", "opened `src/cart.py:41`: the key has no tenant"),
                vote(grok, "supplement", "so it is, and `src/cart.py:60` repeats it"),
            ],
            title="The cache key leaves the tenant out",
            claim="`key()` joins user and day only, so two tenants share a cart.",
            severity="blocker",
            recommendation="Put the tenant first into `key()`.",
        ),
        finding(
            "F-002",
            "contested",
            [
                vote(codex, "agree", "the lock is taken late"),
                vote(grok, "disagree", "src/lock.py:12 takes it before the read"),
            ],
            title="The lock is taken after the read",
            confidence="low",
        ),
        finding(
            "F-003",
            "unverified",
            [vote(codex, "unverifiable", "no test data here")],
            confidence="low",
            evidence=[],
        ),
        finding("F-004", "rejected", [vote(codex, "disagree", "dead code")], confidence="low"),
    ]
    gap = {"gapId": "G-001", **finding("x", "unverified", [], raisedBy=[], confidence="low")}
    for name in ("findingId", "raisedBy", "alsoRaisedBy", "title", "severity", "kind"):
        gap.pop(name)
    roster = [
        {"workerId": one, "provider": of, "modelExecutionValue": f"{of}-1", "family": of}
        for one, of in PROVIDERS.items()
    ]
    return {
        **{"schemaVersion": "1.3", "kind": "final", "adversarial": True, "rounds": 2},
        **{"roster": roster, "findings": rows, "gaps": [gap]},
    }


def dispatch(worker: str, kind: str, status: str = "completed", **more: Any) -> Members:
    return {
        **{"workerId": worker, "provider": PROVIDERS[worker], "dispatchKind": kind, "attempt": 1},
        **{"status": status, "reason": "", "durationMs": 81200},
        **{"modelUsed": f"{PROVIDERS[worker]}-1", "modelMismatch": False},
        **more,
    }


def team_state() -> Members:
    """Return a team state: grok's first start touched the checkout, another model answered it."""
    codex, grok = "codex-analyser", "grok-analyser"
    workers = [
        {
            **{"workerId": one, "provider": of, "role": "analyser", "model": of},
            **{"modelExecutionValue": f"{of}-1", "status": "completed", "reason": ""},
        }
        for one, of in PROVIDERS.items()
    ]
    return {
        "schemaVersion": 1,
        "workers": workers,
        "workerDispatches": [
            dispatch("claude-analyser", "initial"),
            dispatch(codex, "initial"),
            dispatch(grok, "initial", "error", reason="touched-checkout"),
            dispatch(grok, "initial-retry1", attempt=2),
            dispatch(codex, "reverify-r1"),
            dispatch(grok, "reverify-r1", modelUsed="grok-mini", modelMismatch=True),
        ],
    }


def report(language: str = "en", task_type: str = "error-analysis") -> Members:
    """Return the report of these records."""
    return draft(
        manifest(task_type),
        state(),
        team_state(),
        language=language,
        state_path=STATE_PATH,
        state_sha256=hashlib.sha256(json.dumps(state()).encode()).hexdigest(),
    )


def question(number: int = 1, **more: Any) -> Members:
    """Return a question for a person, as a report has it."""
    option = {"rationale": "r", "scopeImpact": "none", "addedWork": "", "directionChange": ""}
    return {
        **{"id": f"C-{number:03}", "kind": "decision", "blocks": "approval", "status": "open"},
        "statement": "Keep the order? Evidence checked: none — only the reporter knows",
        "options": [
            {"role": "recommended", "answer": "yes", **option},
            {"role": "alternative", "answer": "no", **option},
        ],
        **more,
    }


if __name__ == "__main__":
    sys.stdout.buffer.write(report_data.file_bytes(report(*sys.argv[1:])))
