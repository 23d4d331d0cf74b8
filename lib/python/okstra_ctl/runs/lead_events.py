"""The log of what a lead did: one JSON object a line, append only (D-140, D-141)."""

from __future__ import annotations

from typing import Any

from okstra_kernel import iso_time, jsonl, store

RENDER_ONLY = "render-only-prepared"


def append(project_root: str, path: str, type: str, source: str, details: dict[str, Any]) -> None:
    """Add an event to a run's log; `path` is relative to the project. Raises UserError."""
    event = {"schemaVersion": 1, "ts": iso_time.now(), "type": type, "source": source}
    jsonl.append(project_root, path, [{**event, "details": details}], mode=store.SHARED)
