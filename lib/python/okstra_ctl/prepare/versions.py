"""Which programs made a run, for its record (Z-111)."""

from __future__ import annotations

import sys

from okstra_kernel import assets


def versions() -> dict[str, str]:
    """Return okstra's version and Python's. Raises UserError for a tree without a version."""
    python = ".".join(map(str, sys.version_info[:3]))
    return {"okstra": assets.text("VERSION").strip(), "python": python}
