from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from okstra_ctl.leads import host_session_process
from okstra_ctl.leads.host_session import Process, innermost_host

CLAUDE = {"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": "x"}
CODEX = {"CODEX_THREAD_ID": "y", "CODEX_CI": "1"}


def chain(*commands: str | tuple[str, ...]) -> list[Process]:
    """Return processes from ourselves, pid 100, up to the first."""
    rows = []
    for i, command in enumerate(commands):
        arguments = command if isinstance(command, tuple) else (command,)
        rows.append(Process(100 - i, 99 - i, arguments[0], arguments))
    return rows


@pytest.mark.parametrize(
    ("processes", "environment", "host"),
    [
        (chain("python3", "bash", "claude", "zsh", "login"), {}, "claude-code"),
        (chain("python3", "bash", "codex", "claude"), {**CLAUDE, **CODEX}, "codex"),
        (chain("python3", "bash", "/opt/x y/claude", "codex"), {**CLAUDE, **CODEX}, "claude-code"),
        (chain("python3", "bash", ("node", "/a/bin/codex")), {}, "codex"),
        (chain("python3", "bash", ("node", "/a/bin/claude.js", "-p")), {}, "claude-code"),
        (chain("python3", "bash", "-zsh"), CLAUDE, "claude-code"),
        (chain("python3", "bash"), CODEX, "codex"),
        (chain("python3", "bash"), {**CLAUDE, **CODEX}, ""),  # nobody can tell
        (chain("python3", "bash"), {"CLAUDECODE": ""}, ""),
        (chain("python3", ("vim", "claude"), ("agy", "codex")), {}, ""),
        (chain("claude"), {}, ""),  # ourselves, whatever our name
        ([], CLAUDE, "claude-code"),
        ([Process(100, 99, "a"), Process(99, 100, "b")], {}, ""),  # a circle
    ],
)
def test_the_innermost_host(
    processes: list[Process], environment: dict[str, str], host: str
) -> None:
    """L-062, Z-098: the parents first, then the variables."""
    assert innermost_host(processes, 100, environment) == host
    assert innermost_host(reversed(processes), 100, environment) == host


def test_ps_lines_are_read() -> None:
    text = "    1     0 /sbin/init\n  812     1 /Applications/My App/claude\n\n bad\n"
    assert host_session_process.parse_ps(text) == [
        Process(1, 0, "/sbin/init"),
        Process(812, 1, "/Applications/My App/claude"),
    ]


@given(st.text())
def test_any_text_of_ps_gives_some_processes(text: str) -> None:
    assert isinstance(host_session_process.parse_ps(text), list)


@pytest.mark.parametrize("proc", ["/proc", "/no/such/place"])
def test_our_own_parents_are_found(proc: str) -> None:
    by_pid = {process.pid: process for process in host_session_process.parents(proc)}
    assert by_pid[os.getpid()].parent == os.getppid()
    assert os.getppid() in by_pid


def test_without_proc_and_ps_there_is_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/no/such/place")
    assert host_session_process.parents("/no/such/place") == []


@pytest.mark.parametrize(("name", "host"), [("codex", "codex"), ("claude", "claude-code")])
def test_a_real_parent_is_seen(tmp_path: Path, name: str, host: str) -> None:
    """The host's own process is a link to a shell: its name is what counts."""
    program = tmp_path / name
    program.symlink_to("/bin/bash")
    code = (
        "import sys; sys.path[:0] = sys.argv[1:]\n"
        "from okstra_ctl.leads import host_session_process as h\n"
        "print(h.current_host({}))"
    )
    words = [sys.executable, "-c", code, str(Path(__file__).parents[4] / "lib/python")]
    run = subprocess.run(
        [program, "-c", '"$@"; exit $?', name, *words], capture_output=True, encoding="utf-8"
    )
    assert (run.stdout, run.stderr) == (f"{host}\n", "")
