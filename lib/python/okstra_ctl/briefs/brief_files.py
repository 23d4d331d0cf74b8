"""Reads a brief from disk once: what was checked is what goes into the bundle."""

from __future__ import annotations

from okstra_ctl.briefs import brief
from okstra_kernel import UserError, plain_file


def load(path: str, named: str) -> brief.Brief:
    """Return the brief at `path`; `named` is how the user said it. Raises UserError."""
    found, faults = brief.read(plain_file.read(path, named, limit=brief.MAX_BYTES))
    if found is None:
        raise UserError(f"this brief cannot be used: {named}: {'; '.join(faults)}")
    return found
