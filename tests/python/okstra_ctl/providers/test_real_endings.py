"""What the real claude 2.1.332 and codex 0.171.0 print at the end of a turn, shortened (80 §4, §7).

Taken from `tests/real_cli/workers.sh` and single tries against its scripted service.
"""

from __future__ import annotations

import json
import time
from typing import Any

import pytest

from okstra_ctl.providers import claude_worker, codex_worker
from okstra_ctl.providers.turn import AUTH, QUOTA, RATE, Turn

NOW = 1_796_000_000  # 2026-11-30 00:53:20 UTC, 9:53 in Seoul
INIT = {"type": "system", "subtype": "init", "model": "claude-sonnet-5-5"}


def said_by_claude(status: int | None, said: str, **more: Any) -> dict[str, Any]:
    return {
        "permission_denials": [],
        "is_error": status is not None,
        "subtype": "success",
        "api_error_status": status,
        "result": said,
        "type": "result",
        "modelUsage": {},
        **more,
    }


def spoken(model: str, parent: str | None = None) -> dict[str, Any]:
    return {
        "type": "assistant",
        "message": {"model": model, "role": "assistant", "content": []},
        "parent_tool_use_id": parent,
    }


def limit(**info: Any) -> dict[str, Any]:
    return {"type": "rate_limit_event", "rate_limit_info": info}


USED = {"claude-sonnet-5-5": {"inputTokens": 100, "outputTokens": 15}}
OVERLOADED = (
    "API Error: 529 Overloaded. This is a server-side issue, usually temporary — try again in a "
    "moment. If it persists, check your inference gateway (127.0.0.1:40279)."
)


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        (
            [said_by_claude(401, "Not logged in · Please run /login")],
            ("Not logged in · Please run /login", AUTH, 0),
        ),
        (
            [said_by_claude(401, "Failed to authenticate. API Error: 401 OAuth token has expired")],
            ("Failed to authenticate", AUTH, 0),
        ),
        (
            [said_by_claude(403, "Failed to authenticate. API Error: 403 No access.")],
            ("Failed", AUTH, 0),
        ),
        (
            [said_by_claude(429, "API Error: Request rejected (429) · This would exceed it.")],
            ("API Error: Request rejected (429)", RATE, 0),
        ),
        (
            [
                limit(status="rejected", isUsingOverage=False),
                said_by_claude(
                    429,
                    "API Error: Server is temporarily limiting requests (not your usage limit) "
                    "· This request would exceed your rate limit.",
                ),
            ],
            ("API Error: Server is temporarily", RATE, 0),
        ),
        (
            [
                limit(status="rejected", resetsAt=NOW + 499, rateLimitType="five_hour"),
                said_by_claude(429, "You've hit your 5-hour limit · resets 10:01am (Asia/Seoul)"),
            ],
            ("You've hit your 5-hour limit", QUOTA, NOW + 499),
        ),
        (
            [
                limit(status="rejected", resetsAt=NOW + 500_000, rateLimitType="seven_day"),
                said_by_claude(429, "You've hit your weekly limit · resets Dec 5, 6:33pm (UTC)"),
            ],
            ("You've hit your weekly limit", QUOTA, NOW + 500_000),
        ),
        (
            [
                limit(status="allowed", resetsAt=NOW + 499, rateLimitType="five_hour"),
                said_by_claude(429, "API Error: Request rejected (429) · Slow down."),
            ],
            ("API Error", RATE, 0),
        ),
        ([said_by_claude(400, "Credit balance is too low")], ("Credit balance", QUOTA, 0)),
        ([said_by_claude(529, OVERLOADED)], ("API Error: 529 Overloaded.", RATE, 0)),
        (
            [said_by_claude(500, OVERLOADED.replace("529 Overloaded", "500 scripted 500"))],
            ("API Error: 500 scripted 500.", "", 0),
        ),
    ],
)
def test_claude_that_gave_up(events: list[dict[str, Any]], expected: tuple[str, str, int]) -> None:
    transcript = "\n".join(map(json.dumps, [INIT, *events[:-1], spoken("<synthetic>"), events[-1]]))
    found = claude_worker.read(transcript, NOW)
    assert (found.finished, found.ok, found.model) == (True, False, "claude-sonnet-5-5")
    assert found.message.startswith(expected[0])
    assert (found.failure, found.reset_at) == expected[1:]


@pytest.mark.parametrize(
    ("spoke", "expected"),
    [
        (["claude-sonnet-5-5"], "claude-sonnet-5-5"),
        (["claude-sonnet-5-5", "other-model-9"], "other-model-9"),
        (["other-model-9", "<synthetic>"], "other-model-9"),
        ([], "claude-sonnet-5-5"),
    ],
)
def test_the_model_is_the_one_that_the_service_names(spoke: list[str], expected: str) -> None:
    """Claude's own counts go by the model that was asked for (Z-016)."""
    lines = [INIT, *map(spoken, spoke), spoken("claude-haiku-5-5", "toolu_1")]
    lines.append(said_by_claude(None, "Done.", modelUsage=USED))
    found = claude_worker.read("\n".join(map(json.dumps, lines)), NOW)
    assert found == Turn(True, ok=True, model=expected, message="Done.")


def test_a_denial_of_claude() -> None:
    denial = {"tool_name": "Write", "tool_use_id": "toolu_0001", "tool_input": {}}
    last = said_by_claude(None, "Done.", permission_denials=[denial])
    found = claude_worker.read(json.dumps(last), NOW)
    assert (found.ok, found.denied, found.refused) == (True, ("Write",), ())


LIMITED = "You’ve hit your usage limit. Visit https://chatgpt.com/settings/usage to purchase more credits or try again at"  # noqa: RUF001 E501


@pytest.mark.parametrize(
    ("said", "failure", "after"),
    [
        (
            "unexpected status 401 Unauthorized: invalid x-api-key, url: http://127.0.0.1:1/v1/responses",
            AUTH,
            None,
        ),
        ("unexpected status 403 Forbidden: No access., url: http://127.0.0.1:1/x", AUTH, None),
        ("unexpected status 404 Not Found: no model at line 401, url: http://x", "", None),
        ("Missing environment variable: `STUB_API_KEY`.", AUTH, None),
        ("exceeded retry limit, last status: 429 Too Many Requests", RATE, None),
        ("unexpected status 529 <unknown status code>: Overloaded, url: http://x", RATE, None),
        ("Selected model is at capacity. Please try a different model.", RATE, None),
        (
            "We’re currently experiencing high demand, which may cause temporary errors.",  # noqa: RUF001
            "",
            None,
        ),
        (
            "stream disconnected before completion: stream closed before response.completed",
            "",
            None,
        ),
        ("Quota exceeded. Check your plan and billing details.", QUOTA, None),
        (f"{LIMITED} 9:59 AM.", QUOTA, 400),
        (f"{LIMITED} Nov 30th, 2026 12:58 PM.", QUOTA, 400 + 3 * 3600 - 60),
        (f"{LIMITED} Feb 30th, 2027 12:58 AM.", QUOTA, None),
        (
            "You’ve hit your usage limit. Upgrade to Plus to continue using Codex "  # noqa: RUF001
            "(https://chatgpt.com/explore/plus), or try again later.",
            QUOTA,
            None,
        ),
    ],
)
def test_codex_that_gave_up(
    said: str, failure: str, after: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its clock is that of where it ran; the end of the minute is meant, seconds are cut off."""
    monkeypatch.setenv("TZ", "Asia/Seoul")
    time.tzset()
    lines = [
        {"type": "thread.started", "thread_id": "t"},
        {"type": "turn.started"},
        {"type": "error", "message": said},
        {"type": "turn.failed", "error": {"message": said}},
    ]
    found = codex_worker.read("\n".join(map(json.dumps, lines)), NOW)
    monkeypatch.undo()
    time.tzset()
    assert (found.finished, found.ok, found.message) == (True, False, said[:200])
    assert (found.failure, found.reset_at) == (failure, 0 if after is None else NOW + after)


DONE = json.dumps({"type": "turn.completed", "usage": {"output_tokens": 15}})


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ("", Turn(True, ok=True)),
        (
            '{"type":"item.completed","item":{"id":"item_1","type":"error","message":'
            '"model rerouted: stub-model -> other-model-9 (HighRiskCyberActivity)"}}',
            Turn(True, ok=True, model="other-model-9"),
        ),
        (
            '{"type":"item.completed","item":{"id":"item_1","type":"agent_message","text":'
            '"model rerouted: stub-model -> other-model-9 (HighRiskCyberActivity)"}}',
            Turn(True, ok=True),
        ),
        (
            "2026-11-29T23:38:24.346273Z ERROR codex_core::tools::router: error=patch rejected: "
            "writing outside of the project; rejected by user approval settings",
            Turn(True, ok=True, refused=("apply_patch",)),
        ),
    ],
)
def test_codex_that_went_on(before: str, expected: Turn) -> None:
    assert codex_worker.read(f"{before}\n{DONE}\n", NOW) == expected
