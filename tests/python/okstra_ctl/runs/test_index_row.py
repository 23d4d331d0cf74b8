from __future__ import annotations

from typing import Any

import pytest

from okstra_ctl.runs.index_row import ABORT_AFTER, Facts, row, settled
from okstra_kernel import iso_time
from okstra_kernel.strict_json import Record

START = iso_time.parse("2026-03-01T09:00:00Z")


def test_a_row_is_made_of_the_manifest_alone() -> None:
    """P-209, Z-111."""
    facts: dict[str, Any] = {
        "runId": "p:g:i/error-analysis/001",
        "projectId": "p",
        "taskKey": "p:g:i",
        "taskType": "error-analysis",
        "stage": None,
        "seq": "001",
        "startedAt": "2026-03-01T09:00:00Z",
        "projectRoot": "/srv/p",
        "runDir": "d",
        "cwd": "/srv",
        "argv": ["--yes"],
        "briefSha256": "0",
    }
    more = {"renderOnly": False, "invocationAssignments": {"b": {}, "a": {}}, "other": 1}
    made = row({**facts, **more})
    assert made == {
        "schemaVersion": 1,
        **facts,
        "status": "running",
        "roleExecutionRefs": ["a", "b"],
    }
    assert row({**facts, **more, "renderOnly": True})["status"] == "prepared"


@pytest.mark.parametrize(
    ("status", "manifest", "outcome", "changed", "now", "settles"),
    [
        pytest.param("running", True, "", 0, 60, "running", id="goes on"),
        pytest.param("running", True, "", 0, ABORT_AFTER + 1, "aborted", id="given up"),
        pytest.param("running", True, "", 0, ABORT_AFTER, "running", id="a day to the second"),
        pytest.param("running", True, "", 60, ABORT_AFTER + 1, "running", id="a file changed"),
        pytest.param("prepared", True, "", 0, 10 * ABORT_AFTER, "prepared", id="may still start"),
        pytest.param("prepared", False, "", 0, 60, "aborted", id="its manifest is gone"),
        pytest.param("running", False, "completed", 0, 60, "completed", id="ended"),
        pytest.param("running", True, "failed", 0, 60, "failed", id="failed"),
        pytest.param("aborted", True, "completed", 0, 60, "aborted", id="what ended stays"),
    ],
)
def test_settled(
    status: str, manifest: bool, outcome: str, changed: int, now: int, settles: str
) -> None:
    """P-213, P-217; times in seconds after the start."""
    record = Record({"status": status, "startedAt": "2026-03-01T09:00:00Z"}, "row")
    facts = Facts(manifest=manifest, outcome=outcome, changed_at=float(START + changed))
    assert settled(record, facts, START + now) == settles
