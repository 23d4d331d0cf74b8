"""A valid sample of each document (C-018, C-019): the same bytes every time. Pure."""

from __future__ import annotations

from okstra_ctl.convergence.ballot import SCHEMA, Members

GROUPS, RESULTS, CRITIC, BATCH = "groups", "round-results", "critic-results", "coverage-batch"
KINDS = (GROUPS, RESULTS, CRITIC, BATCH)
_BASIS = "opened src/cache.py:41-48: line 44 adds the tenant"


def example(kind: str) -> Members:
    """Return the sample of a kind; `round-results` answers round 1 of the state of `groups`."""
    return {"schemaVersion": SCHEMA, **_EXAMPLES[kind]}


_VOTER = ("workerId", "provider", "modelExecutionValue")
_EXAMPLES: dict[str, Members] = {
    GROUPS: {
        "adversarial": True,
        "roundLimit": 3,
        "roster": [
            dict(zip(_VOTER, ("claude-analyser", "claude", "opus"), strict=True)),
            dict(zip(_VOTER, ("codex-analyser", "codex", "gpt-5"), strict=True)),
        ],
        "groups": [
            {
                "findingId": "F-001",
                "claim": "the cache key leaves the tenant out",
                "evidence": ["src/cache.py:41"],
                "raisedBy": ["claude-analyser"],
            }
        ],
    },
    RESULTS: {
        "round": 1,
        "outcomes": [
            {
                "workerId": "codex-analyser",
                "status": "completed",
                "durationMs": 81200,
                "votes": [
                    {
                        "findingId": "F-001",
                        "verdict": "disagree",
                        "basis": _BASIS,
                        "evidence": ["src/cache.py:44"],
                        "basisVerified": True,
                        "disagreeBasis": _BASIS,
                    }
                ],
            }
        ],
    },
    CRITIC: {
        "workerId": "claude-critic",
        "gaps": [{"gapId": "G-001", "claim": "no finding covers the retry path", "evidence": []}],
    },
    BATCH: {
        "modelExecutionValue": "opus",
        "dispatches": [
            {"workerId": "claude-analyser", "status": "completed", "durationMs": 39000},
            {"workerId": "codex-analyser", "status": "completed", "durationMs": 40110},
        ],
        "gaps": [
            {
                "gapId": "G-001",
                "claim": "no finding covers the retry path",
                "evidence": ["src/retry.py:12"],
                "votes": [
                    {
                        "workerId": worker,
                        "verdict": "agree",
                        "basis": "confirmed in src/retry.py:12",
                        "evidence": ["src/retry.py:12"],
                        "basisVerified": True,
                    }
                    for worker in ("claude-analyser", "codex-analyser")
                ],
            }
        ],
    },
}
