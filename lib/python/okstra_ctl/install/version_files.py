"""Which okstra is this, and where does it lie?"""

from __future__ import annotations

import json
import os

from okstra_kernel import assets


def report(*, as_json: bool) -> str:
    """Return the line of `okstra --version`, or one JSON value (U-04). Raises UserError."""
    version, root = assets.text("VERSION").strip(), os.path.dirname(assets.path("VERSION"))
    if not as_json:
        return f"okstra {version} ({root})"
    return json.dumps({"schemaVersion": 1, "version": version, "root": root})
