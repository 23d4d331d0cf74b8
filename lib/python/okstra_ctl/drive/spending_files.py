"""What the turns of a run have cost so far, from their transcripts (H-026)."""

from __future__ import annotations

from okstra_ctl.dispatch.run_files import RunFiles
from okstra_ctl.drive.costs import Spent


def spent(run: RunFiles) -> Spent:
    raise NotImplementedError
