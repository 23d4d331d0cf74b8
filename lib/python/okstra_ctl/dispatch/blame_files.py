"""Tells a broken file of the run from a fault of ours (XI-11, Z-060).

A run's manifest and team state are okstra's own, and too large to be checked whole each time they
are read. Where something in one of them could not be used, they are checked then.
"""

from __future__ import annotations

import contextlib
import os
from typing import Iterator

from okstra_ctl.dispatch.run_files import RunFiles
from okstra_kernel import schemas, strict_json

_BROKEN = (KeyError, IndexError, TypeError, AttributeError, ValueError)


@contextlib.contextmanager
def naming(run: RunFiles, run_manifest: str) -> Iterator[None]:
    """Raise UserError for what a broken file led to; a fault of ours stays what it is."""
    try:
        yield
    except _BROKEN:
        files = {"run-manifest": os.path.join(run.root, run_manifest)}
        files["team-state"] = run.path(run.team_state)
        for kind, path in files.items():
            schemas.require(strict_json.read(path).members, kind, path)
        raise
