"""How a run ended, as the run itself wrote down (P-213)."""

from __future__ import annotations

from okstra_ctl.runs.index_row import TERMINAL_STATUSES
from okstra_kernel import plain_file


def outcome(path: str) -> str:
    """Return how a run ended, from its status file; empty while it has not."""
    try:
        with plain_file.stream(path) as stream:
            word = stream.read(200).decode("utf-8", "replace").strip().split("\n")[0]
    except (OSError, ValueError):  # also a path with a NUL in it
        return ""
    return word if word in TERMINAL_STATUSES else ""
