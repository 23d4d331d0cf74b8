"""Logs of sessions are found by id, and no id leads out of their folder (Z-097, 80 §5, §8)."""

from __future__ import annotations

from pathlib import Path

import pytest

from okstra_ctl.leads import session_logs_files

ID = "4f1c9a4e-8b1c-4f6a-9d57-2f0f6e2b7a11"


def test_claude_logs_of_any_folder_with_those_of_subagents(tmp_path: Path) -> None:
    base = tmp_path / "빈 config/projects"
    own = base / "-p-a"
    subagents = own / ID / "subagents"
    subagents.mkdir(parents=True)
    for path in (own / f"{ID}.jsonl", subagents / "agent-1.jsonl", subagents / "agent-1.meta.json"):
        path.write_text("", "utf-8")
    (base / "-p-b").mkdir()
    (base / "-p-b/other.jsonl").write_text("", "utf-8")
    found = session_logs_files.claude(ID, {"CLAUDE_CONFIG_DIR": str(base.parent)})
    assert found == [str(own / f"{ID}.jsonl"), str(subagents / "agent-1.jsonl")]
    assert session_logs_files.claude(ID, {"HOME": str(tmp_path)}) == []


def test_codex_logs_of_any_day(tmp_path: Path) -> None:
    day = tmp_path / ".codex/sessions/2026/11/29"
    day.mkdir(parents=True)
    log = day / f"rollout-2026-11-29T17-00-00-{ID}.jsonl"
    log.write_text("", "utf-8")
    (day / "rollout-2026-11-29T17-00-00-other.jsonl").write_text("", "utf-8")
    assert session_logs_files.codex(ID, {"HOME": str(tmp_path)}) == [str(log)]
    assert session_logs_files.codex(ID, {"CODEX_HOME": str(tmp_path / "no")}) == []


@pytest.mark.parametrize(
    "hostile", ["", "..", "../../x", "a/b", "a" * 80, "a b c d e f", "*******"]
)
def test_an_id_that_is_none_finds_nothing(hostile: str, tmp_path: Path) -> None:
    (tmp_path / "projects/p").mkdir(parents=True)
    (tmp_path / "x.jsonl").write_text("", "utf-8")
    assert session_logs_files.claude(hostile, {"CLAUDE_CONFIG_DIR": str(tmp_path)}) == []
    assert session_logs_files.codex(hostile, {"CODEX_HOME": str(tmp_path)}) == []
