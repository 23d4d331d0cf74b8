"""CLIs that tell nothing of a turn but its text: grok, agy (80 §12, Z-113). Experimental."""

from __future__ import annotations

from okstra_ctl.providers.turn import Turn, complaint, plain_lines
from okstra_ctl.providers.worker_launch import WorkerTask


def grok_words(task: WorkerTask) -> list[str]:
    """Return the folder grok works in; it asks for no permission, so it stands in its outbox."""
    return [] if task.edits_code else ["-d", task.outbox]


def no_words(task: WorkerTask) -> list[str]:
    return []


def read(transcript: str, now: int) -> Turn:
    """Return what the end of the text says. There is no final event to agree with."""
    return complaint(plain_lines(transcript)[-600:], None, now)
