"""A report's data without secrets, before any form of it is made (Z-051). Pure."""

from __future__ import annotations

import json
from typing import Any

from okstra_kernel import redaction
from okstra_kernel.redaction import Secrets

Members = dict[str, Any]


def redacted(data: Members, known: Secrets) -> Members:
    """Return the data, `[redacted:<kind>]` in place of each secret."""
    if not redaction.suspect(json.dumps(data, ensure_ascii=False), known):
        return data
    hidden: Members = redaction.hide_in(data, known)
    return hidden
