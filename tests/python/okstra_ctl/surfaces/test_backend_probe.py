from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
from pathlib import Path
from typing import Iterator

import pytest

from okstra_ctl.surfaces import backend_probe
from okstra_ctl.surfaces.backend import Observation


@pytest.fixture
def short() -> Iterator[Path]:
    """A folder whose path leaves room for the name of a socket (104 bytes on macOS)."""
    place = Path(tempfile.mkdtemp(dir="/tmp"))
    yield place
    shutil.rmtree(place)


def listen(path: Path) -> socket.socket:
    server = socket.socket(socket.AF_UNIX)
    server.bind(str(path))
    server.listen()
    return server


def test_a_socket_that_takes_a_connection_is_ok(short: Path) -> None:
    with listen(short / "s"):
        assert backend_probe.probe_socket(str(short / "s")) == "ok"
    assert backend_probe.probe_socket(str(short / "s")) == "unreachable"  # nobody listens


def test_no_socket(short: Path) -> None:
    (short / "file").write_text("", encoding="utf-8")
    assert backend_probe.probe_socket("") == "missing"
    assert backend_probe.probe_socket(str(short / "none")) == "missing"
    assert backend_probe.probe_socket(str(short / "file")) == "unreachable"
    (short / "long").mkdir()
    long = short / "long" / ("x" * 200)
    long.write_text("", encoding="utf-8")
    assert backend_probe.probe_socket(str(long)) == "unreachable"  # no address holds it


def test_a_connection_that_is_not_allowed_is_told_by_its_type(
    short: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Sandboxed(socket.socket):
        def connect(self, _address: object) -> None:
            raise PermissionError(1, "whatever it says")

    with listen(short / "s"):
        monkeypatch.setattr(socket, "socket", Sandboxed)
        assert backend_probe.probe_socket(str(short / "s")) == "denied"


def test_what_the_environment_offers(short: Path) -> None:
    cmux = short / "cmux"
    cmux.write_text("#!/bin/sh\nexit 9\n", encoding="utf-8")
    env = {"PATH": str(short), "CMUX_SOCKET_PATH": str(short / "s"), "CMUX_WORKSPACE_ID": "w"}
    with listen(short / "s"):
        assert backend_probe.observe(env) == Observation(True, "ok", workspace=False)
        cmux.chmod(0o755)
        assert backend_probe.observe(env) == Observation(True, "ok", workspace=True)
        assert backend_probe.observe({**env, "CMUX_WORKSPACE_ID": ""}) == Observation(False)


def test_programs_are_found_by_absolute_folders_only(
    short: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (short / "tmux").write_text("", encoding="utf-8")
    (short / "tmux").chmod(0o755)
    monkeypatch.chdir(short)
    assert backend_probe.program("tmux", {"PATH": f":.:{short}"}) == str(short / "tmux")
    assert backend_probe.program("tmux", {"PATH": ":."}) == ""
    assert not backend_probe.tmux_available({})


@pytest.mark.skipif(not shutil.which("tmux"), reason="tmux is not installed")
def test_a_real_tmux_answers_for_its_pane(short: Path) -> None:
    path = str(short / "t")
    env = {"PATH": os.environ["PATH"], "HOME": str(short), "TMUX_TMPDIR": str(short)}

    def tmux(*words: str) -> str:
        command = ["tmux", "-S", path, "-f", "/dev/null", *words]
        run = subprocess.run(command, env=env, capture_output=True, encoding="utf-8", timeout=20)
        return run.stdout.strip()

    pane = tmux("new-session", "-d", "-P", "-F", "#{pane_id}", "sleep", "60")
    try:
        inside = {**env, "TMUX": f"{path},1,0", "TMUX_PANE": pane}
        assert backend_probe.tmux_pane(inside)
        assert not backend_probe.tmux_pane({**inside, "TMUX_PANE": "%999"})
        assert not backend_probe.tmux_pane({**inside, "TMUX": ""})
        assert not backend_probe.tmux_pane({**inside, "TMUX": f"{short}/none,1,0"})
    finally:
        tmux("kill-server")
    assert not backend_probe.tmux_pane({**env, "TMUX": f"{path},1,0", "TMUX_PANE": pane})


def test_a_tmux_that_hangs_is_not_waited_for(short: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backend_probe, "TIMEOUT", 0.3)
    (short / "tmux").write_text("#!/bin/sh\nexec sleep 60\n", encoding="utf-8")
    (short / "tmux").chmod(0o755)
    env = {"PATH": f"{short}:/usr/bin:/bin", "TMUX": "x,1,0", "TMUX_PANE": "%1"}
    assert not backend_probe.tmux_pane(env)
