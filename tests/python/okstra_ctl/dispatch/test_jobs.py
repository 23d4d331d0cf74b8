"""Jobs files: what they hold, and what is refused with worker and member (D-035, D-036, D-239)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from okstra_ctl.dispatch import jobs
from okstra_ctl.dispatch.jobs import Job
from okstra_kernel import UserError, strict_json

ROOT = "/빈 shop"
ROW = {
    **{"workerId": "w", "provider": "claude", "role": "analyser", "modelExecutionValue": ""},
    **{"promptPath": f"{ROOT}/p.md", "resultPath": "a/../r.md", "workerResultPath": "a.md"},
    "completionPaths": ["r.md"],
}


def parse(rows: list[dict[str, Any]], kind: str = "", own: str = "reverify-r1") -> list[Job]:
    text = json.dumps({"schemaVersion": 1, "dispatchKind": own, "jobs": rows})
    return jobs.parse(strict_json.parse(text, "jobs.json"), kind, ROOT)


def test_paths_are_relative_to_the_project_however_they_were_given() -> None:
    expected = Job("w", "claude", "analyser", "", "p.md", "r.md", "a.md", ("r.md",), "reverify-r1")
    assert parse([{**ROW, "workDir": ""}], "reverify-r1") == [expected]
    assert parse([{**ROW, "workDir": "x"}])[0].work_dir == f"{ROOT}/x"
    assert expected.title == "w-worker"  # D-057
    assert expected._replace(role="worker-reverify-r1").title == "w-worker-reverify-r1"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"promptPath": "../x"}, "promptPath: w: not a path inside the project"),
        ({"promptPath": ""}, "promptPath: w: not a path inside the project"),
        ({"resultPath": "/etc/x"}, "resultPath: w: not a path inside the project"),
        ({"resultPath": f"{ROOT}2/x"}, "resultPath: w: not a path inside the project"),
        ({"workerResultPath": "."}, "workerResultPath: w: not a path inside the project"),
        ({"completionPaths": []}, "w: completionPaths is empty"),
        ({"completionPaths": ["a\0b"]}, "completionPaths: w: not a path inside the project"),
        ({"dispatchKind": "initial"}, "w: dispatchKind is not the file's"),
        ({"role": 3}, "role: expected"),
    ],
)
def test_a_bad_member_is_named(change: dict[str, Any], message: str) -> None:
    with pytest.raises(UserError, match=message):
        parse([{**ROW, **change}])


@pytest.mark.parametrize(
    ("rows", "kind", "own", "message"),
    [
        ([], "", "k", "no jobs"),
        ([ROW, ROW], "", "k", "two jobs of one worker: w"),
        ([ROW], "x", "k", "--dispatch-kind=x is not the kind of the jobs file: k"),
        ([ROW], "", "../k", "not a kind"),
        ([ROW], "", " ", "not a kind"),
    ],
)
def test_a_bad_file_is_refused(
    rows: list[dict[str, Any]], kind: str, own: str, message: str
) -> None:
    """D-240."""
    with pytest.raises(UserError, match=message):
        parse(rows, kind, own)
