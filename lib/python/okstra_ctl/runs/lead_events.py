"""The log of what a lead did: one JSON object a line, append only (D-140, D-141)."""

from __future__ import annotations

from typing import Any

from okstra_kernel import iso_time, jsonl, store

RENDER_ONLY = "render-only-prepared"


def append(project_root: str, path: str, type: str, source: str, *details: dict[str, Any]) -> None:
    """Add an event for each of these details to a run's log. Raises UserError.

    `path` is relative to the project.
    """
    event = {"schemaVersion": 1, "ts": iso_time.now(), "type": type, "source": source}
    rows = [{**event, "details": one} for one in details]
    jsonl.append(project_root, path, rows, mode=store.SHARED)
