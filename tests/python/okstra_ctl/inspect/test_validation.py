"""Files checked (Z-062, R-127, XI-10, XI-13, XI-14)."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from okstra_ctl.inspect import validation

TRUST = {
    **{"schemaVersion": 1, "path": "/x", "uid": 0, "rootCommit": "", "trusted": True},
    **{"via": "asked", "at": "2026-03-01T00:00:00Z"},
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "project.json").write_text('{"schemaVersion": 1, "projectId": "x"}', "utf-8")
    (tmp_path / "config.json").write_text('{"schemaVersion": 1, "language": "fr"}', "utf-8")
    rows = [json.dumps(TRUST), "", "{", json.dumps({**TRUST, "uid": "0"})]
    (tmp_path / "trust.jsonl").write_text("\n".join(rows), "utf-8")
    (tmp_path / "strange").write_text("{}", "utf-8")
    (tmp_path / "run-manifest-x-001.json").write_text('{"schemaVersion": 7}', "utf-8")
    os.mkfifo(tmp_path / "build.fifo")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("path", "status", "kind", "faults"),
    [
        ("project.json", 0, "project", []),
        ("config.json", 1, "config", ['$.language: expected one of "en", "ko", found "fr"']),
        (
            "trust.jsonl",
            1,
            "trust-row",
            [
                "trust.jsonl:3:2: Expecting property name enclosed in double quotes",
                'trust.jsonl:4: $.uid: expected a whole number, found "0"',
            ],
        ),
        (
            "run-manifest-x-001.json",
            1,
            "run-manifest",
            ["$.schemaVersion: this okstra reads run-manifest 1, found 7"],
        ),
        ("build.fifo", 2, "", ["not a plain file: build.fifo"]),
        (".", 2, "", ["not a plain file: ."]),
        ("none", 2, "", ["none: No such file or directory"]),
        ("a\0b", 2, "", ["not a path: 'a\\x00b'"]),
    ],
)
def test_a_verdict(path: str, status: int, kind: str, faults: list[str], folder: Path) -> None:
    found = validation.judge(path)
    assert (found.status, found.kind) == (status, kind)
    assert [fault.partition(" double")[0] for fault in found.faults] == [
        fault.partition(" double")[0] for fault in faults
    ]


def test_the_worst_status_and_all_that_is_wrong(folder: Path) -> None:
    status, text = validation.report(["project.json", "config.json"], as_json=False)
    assert (status, text.splitlines()) == (
        1,
        [
            "project.json: valid project",
            'config.json: $.language: expected one of "en", "ko", found "fr"',
        ],
    )
    status, text = validation.report(["strange", "config.json", "trust.jsonl"], as_json=True)
    found = json.loads(text)
    assert (status, found["ok"]) == (2, False)
    assert [(f["kind"], f["ok"], f["rows"]) for f in found["files"]] == [
        *((None, False, 0), ("config", False, 1), ("trust-row", False, 3))
    ]
    assert "known: " in found["files"][0]["faults"][0]


def test_a_file_of_rows_is_valid_row_by_row(folder: Path) -> None:
    (folder / "trust.jsonl").write_text(f"{json.dumps(TRUST)}\n" * 2, "utf-8")
    told = validation.report(["trust.jsonl"], as_json=False)
    assert told == (0, "trust.jsonl: valid trust-row, 2 rows")


@pytest.mark.parametrize("end", range(0, 38, 3))
def test_a_cut_file_is_unusable_and_its_place_named(end: int, folder: Path) -> None:
    data = (folder / "project.json").read_bytes()[:end]
    (folder / "project.json").write_bytes(data)
    found = validation.judge("project.json")
    assert found.status == 2 and found.faults[0].startswith("project.json:1:")
