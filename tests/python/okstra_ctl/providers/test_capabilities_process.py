"""Scripted CLIs on a search path of their own."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from okstra_ctl.providers import capabilities_files, capabilities_process
from okstra_ctl.providers.capabilities import Capability
from okstra_kernel import UserError


def script(folder: Path, name: str, body: str) -> str:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
    path.chmod(0o755)
    return str(path)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    place = tmp_path / "프로그램 bin"
    place.mkdir()
    monkeypatch.setenv("PATH", f"{place}:/usr/bin:/bin")
    return place


ANSWERS = (
    'case $1 in --version) echo "cli {}";; --help) printf "  -m, --model <M>\\n  -p\\n";; esac'
)


def test_each_installed_cli_is_asked_and_the_answers_are_kept(folder: Path, tmp_path: Path) -> None:
    grok = script(folder, "grok", ANSWERS.format("1.0.1"))
    claude = script(folder, "claude", "exit 3")
    codex = script(folder, "codex", ANSWERS.format("9.0.0"))
    assert capabilities_files.load(str(tmp_path)) == {}
    assert capabilities_process.probe_and_store(str(tmp_path)) == [
        "claude: version unknown, its help could not be read",
        "codex: version 9.0.0, okstra was checked with 0.171.0, needed but not in its help:"
        " -s -c -C --add-dir --no-daemon",
        "agy (experimental): not installed",
        "grok (experimental): version 1.0.1, needed but not in its help: -d",
    ]
    assert capabilities_files.load(str(tmp_path)) == {
        "claude": Capability("claude", claude, "", ()),
        "codex": Capability("codex", codex, "9.0.0", ("--model", "-m", "-p")),
        "grok": Capability("grok", grok, "1.0.1", ("--model", "-m", "-p")),
    }


def test_a_cli_that_hangs_is_ended_with_its_children(
    folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(capabilities_process, "TIMEOUT", 0.5)
    pids = tmp_path / "pids"
    script(folder, "grok", f'sleep 60 & echo $! >>"{pids}"; wait')
    begin = time.monotonic()
    assert [c.version for c in capabilities_process.probe(str(folder))] == [""]
    assert time.monotonic() - begin < 20
    for pid in pids.read_text(encoding="utf-8").split():
        stat = Path(f"/proc/{pid}/stat")
        for _ in range(100):
            if not stat.exists() or stat.read_text().rpartition(")")[2].split()[0] == "Z":
                break
            time.sleep(0.05)
        else:
            pytest.fail("the child of the CLI lives on")


def test_stdin_is_not_the_users(folder: Path) -> None:
    script(folder, "grok", "read x && echo 1.2.3")
    assert [c.version for c in capabilities_process.probe(str(folder))] == [""]


def test_a_damaged_record_is_named(tmp_path: Path) -> None:
    (tmp_path / "capabilities.json").write_text("{", encoding="utf-8")
    with pytest.raises(UserError, match=r"capabilities\.json:1:2: "):
        capabilities_files.load(str(tmp_path))
