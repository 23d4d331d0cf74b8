"""okstra's own engines as a worker: no rights to give, one final event (H-030, Z-093)."""

from __future__ import annotations

from okstra_ctl.providers.turn import Turn, events, plain_lines
from okstra_ctl.providers.worker_launch import WorkerTask

EVENT = "local-result"  # the `type` of the last line that it prints


def words(task: WorkerTask) -> list[str]:
    """Return no words: it reads the project and writes what its prompt names, nothing else."""
    return []


def read(transcript: str, now: int) -> Turn:
    """Return what the final event says; without one, the last words that were printed."""
    for event in events(transcript):
        if event.get("type") == EVENT:
            model = event.get("engine")
            return Turn(
                True, event.get("ok") is True, model=model if isinstance(model, str) else ""
            )
    return Turn(False, message=plain_lines(transcript)[-200:])
