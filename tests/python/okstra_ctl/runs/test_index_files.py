from __future__ import annotations

import json
import os
import stat
from pathlib import Path
from typing import Any

import pytest

from okstra_ctl.runs import index_files
from okstra_kernel import UserError, iso_time, jsonl


@pytest.fixture
def home(tmp_path: Path) -> str:
    place = str(tmp_path / "빈 home")
    index_files.open_home(place)
    return place


def manifest(root: Path, seq: str = "001", **more: Any) -> dict[str, Any]:
    return {
        "runId": f"shop:g:t/error-analysis/{seq}",
        "projectId": "shop",
        "taskKey": "shop:g:t",
        "taskType": "error-analysis",
        "stage": None,
        "seq": seq,
        "startedAt": iso_time.now(),
        "projectRoot": str(root),
        "runDir": ".okstra/tasks/g/t/runs/error-analysis",
        "cwd": str(root),
        "argv": ["--yes"],
        "briefSha256": "0" * 64,
        "renderOnly": False,
        "invocationAssignments": {},
        **more,
    }


def rows(home: str, name: str) -> list[tuple[str, str]]:
    found = [row.members for row in jsonl.read(os.path.join(home, name)).records]
    return [(str(row["runId"])[-3:], row.get("status", "")) for row in found]


def put(root: Path, run: dict[str, Any], name: str, text: str = "{}") -> Path:
    place = Path(root, run["runDir"], name)
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text)
    return place


def test_a_home_is_private(home: str) -> None:
    """P-049, L-007: and is closed again when somebody opened it."""
    os.chmod(home, 0o755)
    index_files.open_home(home)
    assert stat.S_IMODE(os.stat(home).st_mode) == 0o700
    assert sorted(os.listdir(home)) == [".locks", "archive", "batches", "projects"]


def test_a_home_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(UserError, match=r"^okstra's home cannot be used: .*/file/x: "):
        index_files.open_home(str(tmp_path / "file" / "x"))


def test_a_start_is_entered_once_in_each_file(home: str, tmp_path: Path) -> None:
    index_files.record_start(home, manifest(tmp_path))
    assert rows(home, "recent.jsonl") == rows(home, "active.jsonl") == [("001", "running")]
    assert index_files.numbers(home, "shop:g:t", "error-analysis") == [1]
    assert index_files.numbers(home, "shop:g:t", "requirements-discovery") == []
    assert stat.S_IMODE(os.stat(f"{home}/recent.jsonl").st_mode) == 0o600


def test_reconcile_puts_right_what_ended_without_telling(home: str, tmp_path: Path) -> None:
    """P-213 to P-218: ended rows leave the active ones, what is no row stays."""
    gone, ended, running = (manifest(tmp_path, seq) for seq in ("001", "002", "003"))
    put(tmp_path, ended, "manifests/run-manifest-error-analysis-002.json")
    put(tmp_path, ended, "status/final-error-analysis-002.status", "completed\n")
    put(tmp_path, running, "manifests/run-manifest-error-analysis-003.json")
    other = manifest(tmp_path, "009", projectId="another")
    for run in (gone, ended, running, other):
        index_files.record_start(home, run)
    with open(f"{home}/recent.jsonl", "ab") as stream:
        stream.write(b'{"cut')
    assert index_files.reconcile(home, "shop") == []
    assert rows(home, "active.jsonl") == [("003", "running"), ("009", "running")]
    assert rows(home, "recent.jsonl") == [
        ("001", "aborted"),
        ("002", "completed"),
        ("003", "running"),
        ("009", "running"),
    ]
    assert Path(home, "recent.jsonl").read_bytes().endswith(b'{"cut\n')
    assert index_files.reconcile(home, "") == []


def test_a_run_is_given_up_when_nothing_has_changed_for_a_day(home: str, tmp_path: Path) -> None:
    """P-217."""
    old = manifest(tmp_path, startedAt="2026-01-01T00:00:00Z")
    place = put(tmp_path, old, "manifests/run-manifest-error-analysis-001.json")
    index_files.record_start(home, old)
    index_files.reconcile(home, "shop")
    assert rows(home, "recent.jsonl") == [("001", "running")]
    os.utime(place, (0, 0))
    index_files.reconcile(home, "shop")
    assert (rows(home, "recent.jsonl"), rows(home, "active.jsonl")) == ([("001", "aborted")], [])


@pytest.mark.parametrize(
    "row",
    [
        {"runId": ["a list"]},
        {"runId": {"an": "object"}, "projectId": "shop"},
        {"runId": "x", "projectId": "shop", "stage": "two"},
        {"runId": "x", "projectId": "shop", "taskKey": "no key", "status": 1},
        {"runId": "x", "projectId": 7},
        {"runId": "shop:g:t/error-analysis/004", "projectId": "shop", "startedAt": "never"},
    ],
)
def test_a_row_that_makes_no_sense_is_no_fault_of_ours(
    home: str, tmp_path: Path, row: dict[str, Any]
) -> None:
    """XI-11: a sentence at most, and the good rows beside it are served."""
    index_files.record_start(home, manifest(tmp_path))
    for name in ("recent.jsonl", "active.jsonl"):
        with open(f"{home}/{name}", "a") as stream:
            stream.write(json.dumps(row) + "\n")
    for fault in index_files.reconcile(home, "shop"):
        assert "active.jsonl:2" in fault
    assert rows(home, "recent.jsonl")[:1] == [("001", "aborted")]
    index_files.numbers(home, "shop:g:t", "error-analysis")
    assert json.dumps(row) in Path(home, "recent.jsonl").read_text()
