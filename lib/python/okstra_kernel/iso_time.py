"""Times in files: ISO-8601 with an offset, to the second (D-096)."""

from __future__ import annotations

import re


def parse(text: str) -> int:
    """Return seconds since 1970 (UTC). Raises ValueError.

    The shape is checked first: what `fromisoformat` takes besides differs between Pythons.
    """
    from datetime import datetime

    shape = r"(?a)(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d+)?(Z|[+-]\d\d:\d\d)"
    found = re.fullmatch(shape, text)
    if not found:
        raise ValueError(f"not a time like 2026-03-01T10:05:00Z: {text}")
    stamp = found[1] + found[2].replace("Z", "+00:00")
    return int(datetime.fromisoformat(stamp).timestamp())


def show(seconds: float) -> str:
    """Return a time in seconds since 1970 as its text in UTC."""
    from datetime import datetime, timezone

    return datetime.fromtimestamp(int(seconds), timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def now() -> str:
    """Return the present moment as `show` has it."""
    import time

    return show(time.time())
