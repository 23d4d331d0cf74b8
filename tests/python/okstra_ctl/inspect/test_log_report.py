from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from okstra_ctl.inspect import log_report
from okstra_ctl.inspect.transcripts_files import Pair
from okstra_kernel import UserError, display

RUNS = ".okstra/tasks/g/dev-1/runs"
PROMPTS = f"{RUNS}/error-analysis/prompts"
OLD = f"{RUNS}/error-analysis/archive/run-001/prompts"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "가게 shop"
    for name, size in {
        f"{PROMPTS}/codex-002.md": 10,
        f"{PROMPTS}/codex-002.log": 25,
        f"{PROMPTS}/codex-002.status.json": 99,
        f"{PROMPTS}/lonely.md": 7,
        f"{OLD}/codex-001.md": 0,
        f"{OLD}/codex-001.log": 400,
        f"{RUNS}/implementation/stage-2/prompts/a.log": 25,
        f"{RUNS}/error-analysis/logs/wrong.log": 99,
        ".okstra/tasks/g/dev-1/prompts/wrong.log": 99,
    }.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
        os.truncate(path, size)
    os.symlink(root / f"{OLD}/codex-001.log", root / f"{PROMPTS}/link.log")
    os.symlink(root / OLD, root / f"{RUNS}/linked")
    os.mkfifo(root / f"{PROMPTS}/pipe.log")
    return root


def report(root: Path, top: str | None = None) -> dict[str, Any]:
    status, text = log_report.report(str(root), "", top, as_json=True)
    assert status == 0
    value: dict[str, Any] = json.loads(text)
    return value


def entry(path: str, size: int, prompt: str | None, known: int | None, ratio: Any) -> Any:
    return {
        "path": path,
        "sizeBytes": size,
        "transcriptPath": path,
        "transcriptBytes": size,
        "promptPath": prompt,
        "promptBytes": known,
        "transcriptToPromptRatio": ratio,
    }


ENTRIES = [
    entry(f"{OLD}/codex-001.log", 400, f"{OLD}/codex-001.md", 0, None),
    entry(f"{PROMPTS}/codex-002.log", 25, f"{PROMPTS}/codex-002.md", 10, 2.5),
    entry(f"{RUNS}/implementation/stage-2/prompts/a.log", 25, None, None, None),
]
TOTALS = {"transcripts": 3, "pairs": 2, "transcriptBytes": 450, "promptBytes": 10}


@pytest.mark.parametrize(("top", "count"), [(None, 3), ("2", 2), ("1", 1), ("99", 3)])
def test_a_report(root: Path, top: str | None, count: int) -> None:
    """(D-190, R-161, R-162): archived ones too, the largest first; the totals are those of all."""
    before = sorted(root.rglob("*"))
    head = {"schemaVersion": 1, "ok": True, "projectRoot": str(root)}
    assert report(root, top) == {**head, "totals": TOTALS, "entries": ENTRIES[:count]}
    assert sorted(root.rglob("*")) == before


def test_a_transcript_of_any_size_is_not_read(root: Path) -> None:
    """(XF-15): 5 GB."""
    os.truncate(root / f"{PROMPTS}/codex-002.log", 5 << 30)
    assert report(root, "1")["entries"][0]["sizeBytes"] == 5 << 30


def test_a_folder_that_cannot_be_read_has_nothing(root: Path) -> None:
    if os.geteuid() == 0:
        pytest.skip("root reads everything")
    os.chmod(root / OLD, 0)
    assert report(root)["totals"]["transcripts"] == 2


def test_nothing_yet(tmp_path: Path) -> None:
    assert report(tmp_path)["entries"] == []


@pytest.mark.parametrize("top", ["0", "-1", "x", "1.5", "", "9999999999"])
def test_no_number_of_transcripts(root: Path, top: str) -> None:
    with pytest.raises(UserError, match=r"^not a number of transcripts: --top="):
        report(root, top)


def test_for_people(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("okstra_kernel.display.wants_json", lambda asked: asked)
    text = log_report.report(str(root), "", "2", as_json=False)[1]
    *table, total = text.splitlines()
    assert total == "3 transcripts, 2 with a prompt: 450 bytes, their prompts 10 bytes"
    assert [line.split() for line in table] == [
        ["TRANSCRIPT", "BYTES", "PROMPT", "BYTES", "RATIO"],
        [f"{OLD}/codex-001.log", "400", "0", "-"],
        [f"{PROMPTS}/codex-002.log", "25", "10", "2.5"],
    ]
    assert log_report.report(str(root.parent), "", None, as_json=False)[1] == "no transcripts yet"


sizes = st.integers(0, 10**15)
plain = st.text('abz019-_.é가"\\/\n ', min_size=1, max_size=9)
pairs = st.one_of(
    st.builds(lambda size, name: Pair(size, f"a/{name}.log", None, None), sizes, plain),
    st.builds(lambda n, name, m: Pair(n, f"a/{name}.log", f"a/{name}.md", m), sizes, plain, sizes),
)


@given(st.lists(pairs, max_size=5), st.sampled_from(["", "ghp_" + "Ab1d" * 9]))
def test_rows_by_hand_are_those_of_a_writer_of_json(found: list[Pair], secret: str) -> None:
    """(Q-23, Z-051)"""
    if secret:
        found = [*found, Pair(1, f"b/{secret}.log", None, None)]
    written = log_report._listing(found)
    assert written == display.listing(map(log_report._entry, found), "path")
    assert not secret or secret not in written
