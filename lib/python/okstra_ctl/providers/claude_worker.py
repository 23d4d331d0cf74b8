"""Claude Code as a worker: its rights, and what its stream tells (Z-092, 80 §3, §4)."""

from __future__ import annotations

from typing import Any, NamedTuple

from okstra_ctl.providers.turn import QUOTA, RATE, Turn, complaint, events, plain_lines
from okstra_ctl.providers.worker_launch import EXECUTOR, WorkerTask


def words(task: WorkerTask) -> list[str]:
    """Return the words that give a worker no more than its role needs.

    Path rules hold under the name Edit only; `=` keeps a flag of many values from eating the next.
    """
    if not task.edits_code:
        return [f"--allowedTools=Edit(/{task.outbox}/**)"]
    folders = [task.outbox, *(task.executor_folders if task.role == EXECUTOR else ())]
    added = [word for folder in folders for word in ("--add-dir", folder)]
    return ["--permission-mode", "acceptEdits", "--allowedTools=Bash", *added]


class _Seen(NamedTuple):
    """What a stream holds of interest; of each the last."""

    result: dict[str, Any] | None
    began: str  # the model that the session began with
    spoke: str  # the model that the service names in its answers; empty before the first
    resets: int  # when the limit that refused a request ends, in seconds since 1970; 0: not said


def read(transcript: str, now: int) -> Turn:
    """Return what the last `result` event says; there may be several, for background agents.

    A denied tool and an API failure both come as `subtype: success` (80 §4).
    """
    seen = _see(transcript)
    last = seen.result
    if last is None:
        return complaint(plain_lines(transcript)[-600:], None, now)._replace(
            finished=False, model=seen.spoke or seen.began
        )
    denials = last.get("permission_denials")
    denied = tuple(str(one.get("tool_name")) for one in denials or () if isinstance(one, dict))
    ok = last.get("is_error") is False
    status = last.get("api_error_status")
    said = str(last.get("result") or "")
    failed = complaint(said, status if isinstance(status, int) else None, now)
    if ok and len(said) > 200:
        failed = Turn(True)  # an answer, not a complaint
    if not ok and seen.resets and failed.failure in (QUOTA, RATE):
        failed = failed._replace(failure=QUOTA, reset_at=seen.resets)
    model = seen.spoke or _answered(last.get("modelUsage"), seen.began)
    return failed._replace(finished=True, ok=ok, denied=denied, model=model)


def _see(transcript: str) -> _Seen:
    """Return what a stream holds. Its counts go by the model that was asked for: who answered
    stands in the messages. Those that claude makes itself are `<synthetic>`."""
    seen = _Seen(None, "", "", 0)
    for event in events(transcript):
        kind = event.get("type")
        if kind == "result":
            seen = seen._replace(result=event)
        elif kind == "system" and event.get("subtype") == "init":
            seen = seen._replace(began=str(event.get("model") or seen.began))
        elif kind == "rate_limit_event":
            seen = seen._replace(resets=_resets(event.get("rate_limit_info")))
        elif kind == "assistant" and event.get("parent_tool_use_id") is None:
            message = event.get("message")
            model = message.get("model") if isinstance(message, dict) else None
            if isinstance(model, str) and model and not model.startswith("<"):
                seen = seen._replace(spoke=model)
    return seen


def _resets(limit: Any) -> int:
    if not isinstance(limit, dict) or limit.get("status") != "rejected":
        return 0
    at = limit.get("resetsAt")
    return at if isinstance(at, int) and 0 < at < 1 << 33 else 0


def _answered(used: Any, first: str) -> str:
    """Return the model that wrote most: a session may ask a small one for small things, too."""
    counts = {
        name: row.get("outputTokens")
        for name, row in (used.items() if isinstance(used, dict) else ())
        if isinstance(row, dict) and isinstance(row.get("outputTokens"), int)
    }
    return max(counts, key=lambda name: (counts[name], name == first), default=first)
