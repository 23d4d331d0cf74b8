"""Look at the terminal around this process: cmux and tmux, found and asked, nothing started there.

The verbs of the cmux CLI could not be checked against the real program (Z-113), so none is used
here: its socket taking a connection is the ping.
"""

from __future__ import annotations

import os
from typing import Mapping

from okstra_ctl.surfaces import backend

TIMEOUT = 2.0  # seconds for each question (L-177, Z-017)
SOCKET_VARIABLE = "CMUX_SOCKET_PATH"
WORKSPACE_VARIABLE = "CMUX_WORKSPACE_ID"


def observe(environment: Mapping[str, str]) -> backend.Observation:
    """Return what this environment offers; without cmux variables its socket is not asked."""
    tmux = tmux_pane(environment)
    if not environment.get(WORKSPACE_VARIABLE):
        return backend.Observation(cmux_variables=False, tmux_pane=tmux)
    socket = probe_socket(environment.get(SOCKET_VARIABLE, ""))
    found = bool(program("cmux", environment))
    return backend.Observation(True, socket, workspace=found, tmux_pane=tmux)


def probe_socket(path: str) -> str:
    """Return the verdict on a socket, by the type of the error and never its text (L-177)."""
    import socket

    if not path or not os.path.exists(path):
        return backend.MISSING
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as client:
        client.settimeout(TIMEOUT)
        try:
            client.connect(path)
        except PermissionError:
            return backend.DENIED
        except FileNotFoundError:
            return backend.MISSING
        except OSError:
            return backend.UNREACHABLE
    return backend.OK


def tmux_available(environment: Mapping[str, str]) -> bool:
    """Whether there is a tmux on PATH (L-062)."""
    return bool(program("tmux", environment))


def tmux_pane(environment: Mapping[str, str]) -> bool:
    """Whether the caller sits in a tmux pane whose tmux answers (D-014)."""
    tmux, pane = program("tmux", environment), environment.get("TMUX_PANE", "")
    if not environment.get("TMUX") or not pane or not tmux:
        return False
    import subprocess

    try:
        run = subprocess.run(
            [tmux, "display-message", "-p", "-t", pane, "#{pane_id}"],
            env=dict(environment),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=TIMEOUT,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return run.returncode == 0 and run.stdout.decode("utf-8", "replace").strip() == pane


def program(name: str, environment: Mapping[str, str]) -> str:
    """Return the absolute path of a program on this environment's PATH, or ""."""
    for folder in environment.get("PATH", "").split(os.pathsep):
        path = os.path.join(folder, name)
        if os.path.isabs(path) and os.path.isfile(path) and os.access(path, os.X_OK):
            return path
    return ""
