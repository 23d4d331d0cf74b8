"""Claude Code as a worker: its rights, and what its stream tells (Z-092, 80 §3, §4)."""

from __future__ import annotations

from typing import Any

from okstra_ctl.providers.turn import Turn, complaint, events, plain_lines
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


def read(transcript: str, now: int) -> Turn:
    """Return what the last `result` event says; there may be several, for background agents.

    A denied tool and an API failure both come as `subtype: success` (80 §4).
    """
    last, model = None, ""
    for event in events(transcript):
        if event.get("type") == "result":
            last = event
        elif event.get("type") == "system" and event.get("subtype") == "init":
            model = str(event.get("model") or model)
    if last is None:
        return complaint(plain_lines(transcript)[-600:], None, now)._replace(
            finished=False, model=model
        )
    denials = last.get("permission_denials")
    denied = tuple(str(one.get("tool_name")) for one in denials or () if isinstance(one, dict))
    ok = last.get("is_error") is False
    status = last.get("api_error_status")
    said = str(last.get("result") or "")
    failed = complaint(said, status if isinstance(status, int) else None, now)
    if ok and len(said) > 200:
        failed = Turn(True)  # an answer, not a complaint
    model = _answered(last.get("modelUsage"), model)
    return failed._replace(finished=True, ok=ok, denied=denied, model=model)


def _answered(used: Any, first: str) -> str:
    """Return the model that wrote most: a session may ask a small one for small things, too."""
    counts = {
        name: row.get("outputTokens")
        for name, row in (used.items() if isinstance(used, dict) else ())
        if isinstance(row, dict) and isinstance(row.get("outputTokens"), int)
    }
    return max(counts, key=lambda name: (counts[name], name == first), default=first)
