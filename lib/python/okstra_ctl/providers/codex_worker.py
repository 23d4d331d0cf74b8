"""Codex as a worker: its rights, and what its stream tells (Z-092, 80 §7)."""

from __future__ import annotations

from okstra_ctl.providers.turn import Turn, complaint, events, plain_lines
from okstra_ctl.providers.worker_launch import EXECUTOR, WorkerTask


def words(task: WorkerTask) -> list[str]:
    """Return the words that give a worker no more than its role needs.

    Its sandbox writes to the folder it stands in: readers stand in their outbox.
    """
    argv = ["-s", "workspace-write"]
    if not task.edits_code:
        argv += ["-C", task.outbox, "--skip-git-repo-check"]
        return argv
    folders = [task.outbox, *(task.executor_folders if task.role == EXECUTOR else ())]
    argv += [word for folder in folders for word in ("--add-dir", folder)]
    return argv if task.is_git else [*argv, "--skip-git-repo-check"]


def read(transcript: str, now: int) -> Turn:
    """Return what `turn.completed` or `turn.failed` says, whichever comes last."""
    finished, ok, said = False, False, ""
    for event in events(transcript):
        kind = event.get("type")
        if kind == "turn.completed":
            finished, ok = True, True
        elif kind in ("turn.failed", "error"):
            error = event.get("error")
            text = error.get("message") if isinstance(error, dict) else event.get("message")
            said = str(text or said)
            finished, ok = (True, False) if kind == "turn.failed" else (finished, ok)
    if ok:
        return Turn(True, ok=True)
    said = said or plain_lines(transcript)[-600:]
    return complaint(said, None, now)._replace(finished=finished)
