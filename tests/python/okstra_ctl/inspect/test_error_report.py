from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from okstra_ctl.inspect import error_report
from okstra_kernel import Refusal, UserError, iso_time

RECORD = {
    **{"schemaVersion": 1, "ts": "2026-03-01T09:00:00Z", "agent": "codex-worker"},
    **{"agentRole": "worker", "errorType": "tool-failure", "message": "HTTP 429"},
    **{"phase": "error-analysis", "context": {"cause": "unknown"}, "durationMs": 7},
}
LOG = "runs/error-analysis/logs/errors-error-analysis-001.jsonl"
NOW = "2026-03-01T10:05:00Z"


@pytest.fixture(autouse=True)
def _fixed_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(iso_time, "now", lambda: NOW)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "가게 shop"
    task(root, "DEV-1")
    return root


def task(root: Path, id: str) -> Path:
    place = root / f".okstra/tasks/g/{id.lower()}"
    place.mkdir(parents=True)
    names = {"projectId": "p", "taskGroup": "g", "taskId": id, "taskKey": f"p:g:{id}"}
    (place / "task-manifest.json").write_text(json.dumps({"schemaVersion": 1, **names}))
    (root / ".okstra/project.json").write_text('{"schemaVersion": 1, "projectId": "p"}')
    return place


def log(root: Path, *lines: str) -> None:
    path = root / ".okstra/tasks/g/dev-1" / LOG
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines), encoding="utf-8")


def report(root: Path, token: str = "") -> tuple[int, dict[str, Any], str]:
    """Return status, JSON and Markdown."""
    status, text = error_report.report(token, "", "", str(root), as_json=True)
    found = json.loads(text)
    return status, found, Path(found["reportPath"]).read_text("utf-8")


def test_a_report(root: Path) -> None:
    """(D-185, R-151): JSON that names the file; the file for people."""
    log(root, json.dumps(RECORD), json.dumps({**RECORD, "ts": "2026-03-02T09:00:00Z"}))
    status, found, text = report(root, "DEV-1")
    place = str(root / ".okstra/tasks/g/dev-1")
    assert (status, found) == (
        0,
        {
            "schemaVersion": 1,
            "ok": True,
            "taskKey": "p:g:DEV-1",
            "reportPath": f"{place}/error-reports/error-report-20260301T100500Z.md",
            "total": 2,
            "brokenLines": 0,
            "partial": False,
            "counts": {
                "errorType": {"tool-failure": 2},
                "agent": {"codex-worker": 2},
                "agentRole": {"worker": 2},
                "phase": {"error-analysis": 2},
                "model": {},
                "cause": {"unknown": 2},
                "run": {"error-analysis/001": 2},
            },
            "groups": [
                {
                    "errorType": "tool-failure",
                    "agent": "codex-worker",
                    "agentRole": "worker",
                    "cause": "unknown",
                    "message": "HTTP 429",
                    "count": 2,
                    "firstAt": "2026-03-01T09:00:00Z",
                    "lastAt": "2026-03-02T09:00:00Z",
                    "lastRun": "error-analysis/001",
                    "longestMs": 7,
                }
            ],
            "ungrouped": 0,
            "logs": [{"path": LOG, "records": 2, "brokenLines": 0}],
            "faults": [],
        },
    )
    assert "# Errors of p:g:DEV-1\n\nWritten 2026-03-01T10:05:00Z. 2 errors in 1 log.\n" in text
    assert (
        "| 2 | tool-failure | codex-worker \\(worker\\) | unknown | 2026-03-02T09:00:00Z | "
        "error-analysis/001 | HTTP 429 |\n"
    ) in text
    assert "## By cause\n\n| Cause | Errors |\n| --- | --- |\n| unknown | 2 |\n" in text
    assert "## By model" not in text and "could not be read" not in text


def test_no_errors_are_a_report_too(root: Path) -> None:
    """(D-185): exit 0. An earlier report is never written over."""
    status, found, text = report(root)
    assert (status, found["total"], found["logs"]) == (0, 0, [])
    assert "0 errors in 0 logs" in text
    assert report(root)[1]["reportPath"].endswith("/error-report-20260301T100500Z-2.md")
    assert len(os.listdir(root / ".okstra/tasks/g/dev-1/error-reports")) == 2


def test_broken_lines_are_counted_and_the_status_says_partial(root: Path) -> None:
    """(XI-13, D-185)."""
    log(root, json.dumps(RECORD), "", '{"ts": 1', "{torn")
    status, found, text = report(root)
    assert (status, found["total"], found["brokenLines"], found["partial"]) == (1, 1, 2, True)
    assert len(found["faults"]) == 2 and found["faults"][0].startswith(f"{root}/.okstra/")
    assert "2 lines could not be read." in text and "## What could not be read\n\n- /" in text


def test_what_is_quoted_cannot_act(root: Path) -> None:
    """(D-185, Z-051): no row, no tag, no control, no link, no secret."""
    message = "a|b\n# x <img src=y> [z](w) \x1b[2J `c` ghp_" + "A" * 36
    log(root, json.dumps({**RECORD, "message": message}))
    text = report(root)[2]
    assert (
        "| a\\|b\\\\n\\# x \\<img src=y\\> \\[z\\]\\(w\\) \\\\x1b\\[2J \\`c\\` "
        "\\[redacted:github-token\\] |\n"
    ) in text


def test_which_task(root: Path) -> None:
    """(D-185): the only one, or the one that is named; none is picked of two."""
    task(root, "DEV-2")
    assert report(root, "p:g:DEV-2")[1]["taskKey"] == "p:g:DEV-2"
    with pytest.raises(UserError, match=r"^name a task: .* has 2$") as caught:
        report(root)
    assert caught.value.status == 2
    status, text = error_report.report("DEV-9", "", str(root), "", as_json=True)
    assert (status, json.loads(text)["stage"]) == (1, "not-found")


def test_a_link_in_place_of_the_folder_is_not_written_through(root: Path, tmp_path: Path) -> None:
    """(Z-101)."""
    (tmp_path / "outside").mkdir()
    os.symlink(tmp_path / "outside", root / ".okstra/tasks/g/dev-1/error-reports")
    with pytest.raises(Refusal, match="does not write through links"):
        report(root)
    assert os.listdir(tmp_path / "outside") == []


def test_for_people(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("okstra_kernel.display.wants_json", lambda asked: asked)
    log(root, json.dumps(RECORD), "{")
    status, text = error_report.report("", "", str(root), "", as_json=False)
    place = f"{root}/.okstra/tasks/g/dev-1"
    assert status == 1
    assert text.splitlines() == [
        "1 error in 1 log of p:g:DEV-1",
        "     1  tool-failure",
        "1 line could not be read:",
        f"  {place}/{LOG}:2:2: Expecting property name enclosed in double quotes",
        f"report: {place}/error-reports/error-report-20260301T100500Z.md",
    ]
