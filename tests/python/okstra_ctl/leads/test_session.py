from __future__ import annotations

import os
import uuid
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from okstra_ctl.leads import session_files
from okstra_ctl.leads.session_id import claude_folder


@pytest.mark.parametrize(
    ("path", "folder"),
    [
        ("/p/a.b_c d/é😀", "-p-a-b-c-d----"),  # the example of 80 §5
        ("/", "-"),
        ("/home/kim/결제", "-home-kim---"),
        ("/Abc9", "-Abc9"),
        ("/" + "a" * 199, "-" + "a" * 199),
        ("/" + "a" * 200, "-" + "a" * 199 + "-b6ymvl"),
        ("/" + "가" * 250, "-" * 200 + "-pg6nip"),
        ("/p/" + "é😀" * 100, "-p-" + "-" * 197 + "-dlmocy"),
    ],
)
def test_the_folder_of_a_path(path: str, folder: str) -> None:
    assert claude_folder(path) == folder


@given(st.text(st.characters(exclude_categories=[]), max_size=400))
def test_a_folder_is_one_plain_name(path: str) -> None:
    name = claude_folder(path)
    assert name.isascii() and set(name) <= set(map(chr, range(128))) - set("/\0.")
    units = len(path.encode("utf-16-le", "surrogatepass")) // 2
    assert len(name) == units if units <= 200 else 202 <= len(name) <= 207


def test_a_fresh_id_is_a_random_uuid() -> None:
    """L-180."""
    ids = {session_files.new_session_id() for _ in range(50)}
    assert len(ids) == 50
    assert {(str(uuid.UUID(one)) == one, uuid.UUID(one).version) for one in ids} == {(True, 4)}


def log(config: Path, folder: Path, name: str, at: int) -> None:
    place = config / "projects" / claude_folder(str(folder.resolve()))
    place.mkdir(parents=True, exist_ok=True)
    (place / name).write_text("{}\n", encoding="utf-8")
    os.utime(place / name, (at, at))


def test_the_session_of_a_host(tmp_path: Path) -> None:
    """L-181, P-192."""
    config, here = tmp_path / "설정 x", tmp_path / "여기"
    here.mkdir()
    (tmp_path / "link").symlink_to(here)
    log(config, here, "old.jsonl", 100)
    log(config, here, "new.jsonl", 200)
    log(config, here, "newest.txt", 300)
    log(config, tmp_path, "other.jsonl", 400)
    env = {"CLAUDE_CONFIG_DIR": str(config), "HOME": "/none"}
    both = {**env, "CLAUDE_CODE_SESSION_ID": " a ", "CODEX_THREAD_ID": "b"}
    found = session_files.current_session_id
    assert found("claude-code", env, str(here)) == "new"
    assert found("claude-code", env, str(tmp_path / "link")) == "new"
    assert found("claude-code", both, str(here)) == "a"
    assert found("codex", both, str(here)) == "b"
    assert found("codex", env, str(here)) == ""
    assert found("external", both, str(here)) == ""
    assert found("antigravity", both, str(here)) == ""
    assert found("claude-code", {"HOME": str(tmp_path)}, str(here)) == ""


def test_claudes_folder_is_in_the_home_unless_it_is_told() -> None:
    assert session_files.claude_config_folder({"HOME": "/h"}) == "/h/.claude"
    assert session_files.claude_config_folder({"HOME": "/h", "CLAUDE_CONFIG_DIR": "/c"}) == "/c"
