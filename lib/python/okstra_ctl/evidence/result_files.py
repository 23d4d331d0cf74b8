"""`okstra worker-result check`: one file against the contract (H-014)."""

from __future__ import annotations

import os

from okstra_ctl.evidence import contract, document
from okstra_ctl.evidence import violation as rules
from okstra_ctl.evidence.violation import Violation
from okstra_kernel import display, plain_file

MISSING = "missing-result"


def report(path: str, *, as_json: bool) -> tuple[int, str]:
    """Return exit status and answer. Raises UserError for what is no readable file."""
    reason, violations = judge(path)
    if display.wants_json(as_json):
        return (2 if violations else 0), display.document(
            {
                "schemaVersion": 1,
                "ok": not violations,
                "path": path,
                "reason": reason,
                "failures": [one.json() for one in violations],
            }
        )
    lines = [f"{path}:{one.line}: {one.message}" for one in violations] or [f"{path}: ok"]
    return (2 if violations else 0), "\n".join(map(display.visible, lines))


def judge(path: str) -> tuple[str, tuple[Violation, ...]]:
    """Return the reason why a result does not count, and all that is wrong with it."""
    if not os.path.lexists(path):
        return MISSING, (Violation(0, rules.RESULT_FILE, "there is no such file"),)
    answer = contract.read(plain_file.read(path, path, limit=document.MAX_BYTES))
    return answer.reason, answer.violations
