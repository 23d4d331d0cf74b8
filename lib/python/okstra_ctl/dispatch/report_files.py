"""A report writer's data in its outbox: its schema, its rules, and what was counted (H-021, R-011).

What okstra drafted from the votes stays as it is: the writer words it for people, and may not be
surer than the draft.
"""

from __future__ import annotations

import os
from typing import Any

from okstra_ctl.dispatch.outcome import INVALID, Product
from okstra_ctl.dispatch.run_files import RunFiles
from okstra_ctl.reportdata import report
from okstra_kernel import strict_json

# What a writer may change of the draft; all else was counted or recorded.
WRITTEN = (
    *("verdictCard", "humanSummary", "evidence", "clarificationItems", "nextSteps"),
    *("followUpTasks", "errorAnalysis", "requirementsDiscovery"),
)
_SURE = ("low", "medium", "high")
_SHOWN = 5  # faults that are told

Members = dict[str, Any]


def draft_path(run: RunFiles) -> str:
    """Return where okstra's own draft of the report lies, relative to the project."""
    return run.file("state", "report-draft", ".json")


def check(run: RunFiles, data: bytes, path: str) -> Product:
    """Judge a report's data. Raises UserError for what is no JSON object."""
    found = strict_json.parse(data, path).members
    faults = report.faults(found)
    draft = run.path(draft_path(run))
    if not faults and os.path.isfile(draft):
        faults = changed(strict_json.read(draft).members, found)
    more = f"; and {len(faults) - _SHOWN} more" if len(faults) > _SHOWN else ""
    return Product(INVALID, "; ".join(faults[:_SHOWN]) + more) if faults else Product("")


def changed(draft: Members, data: Members) -> list[str]:
    """Return which members differ from the draft though they must not, a line each."""
    names = [*draft, *(name for name in data if name not in draft)]
    faults = [
        f"$.{name}: not as in the draft; it was counted or recorded, and stays"
        for name in names
        if name not in WRITTEN and draft.get(name) != data.get(name)
    ]
    sure, most = data["verdictCard"]["confidence"], draft["verdictCard"]["confidence"]
    if sure in _SURE and most in _SURE and _SURE.index(sure) > _SURE.index(most):
        faults.append(f"$.verdictCard.confidence: {sure}; the votes carry {most} at most")
    return faults
