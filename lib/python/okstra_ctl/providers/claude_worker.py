"""Claude Code as a worker: its rights, and what its stream tells (Z-092, 80 §3, §4)."""

from __future__ import annotations

import json
from typing import Any, Iterator

from okstra_ctl.providers.turn import Turn, complaint, plain_lines
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
    for event in _events(transcript):
        if event.get("type") == "result":
            last = event
        elif event.get("type") == "system" and event.get("subtype") == "init":
            model = str(event.get("model") or model)
    if last is None:
        return complaint(plain_lines(transcript)[-600:], None, now)._replace(
            finished=False, model=model
        )
    used = last.get("modelUsage")
    model = next(iter(used), model) if isinstance(used, dict) else model
    denials = last.get("permission_denials")
    denied = tuple(str(one.get("tool_name")) for one in denials or () if isinstance(one, dict))
    ok = last.get("is_error") is False
    status = last.get("api_error_status")
    said = str(last.get("result") or "")
    failed = complaint(said, status if isinstance(status, int) else None, now)
    if ok and len(said) > 200:
        failed = Turn(True)  # an answer, not a complaint
    return failed._replace(finished=True, ok=ok and not failed.failure, denied=denied, model=model)


def _events(transcript: str) -> Iterator[dict[str, Any]]:
    for line in transcript.splitlines():
        if line.startswith("{"):
            try:
                value = json.loads(line)
            except (ValueError, RecursionError):
                continue
            if isinstance(value, dict):
                yield value
