"""What the turns of a run have cost so far, from their transcripts (H-026)."""

from __future__ import annotations

import os

from okstra_ctl.dispatch.run_files import RunFiles
from okstra_ctl.drive.costs import Spent
from okstra_ctl.reports import token_usage, usage_table

_TOKENS = ("inputTokens", "outputTokens", "cacheReadTokens", "cacheWriteTokens")


def spent(run: RunFiles) -> Spent:
    """Return what is known to be used by all turns that have ended. Raises UserError.

    Tokens of a turn that does not tell them cannot be in it; the dollars are then not known.
    """
    table = token_usage.collect(run, os.environ).table
    known = sum(used[name] for used in table.workers.values() for name in _TOKENS)
    return Spent(known, usage_table.rows(table)["worker"].usd)
