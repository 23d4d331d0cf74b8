"""The parent processes of this one, from /proc or, where there is none, from `ps` (Z-098)."""

from __future__ import annotations

import os
import re
from typing import Mapping

from okstra_ctl.leads import host_session
from okstra_ctl.leads.host_session import Process

TIMEOUT = 2.0  # seconds for `ps`

_MOST = 64  # parents that are followed


def current_host(environment: Mapping[str, str]) -> str:
    """Return the runtime of the innermost host session that this process is in, or ""."""
    return host_session.innermost_host(parents(), os.getpid(), environment)


def parents(proc: str = "/proc") -> list[Process]:
    """Return this process and its parents, as far as they can be read; innermost first."""
    if not os.path.exists(f"{proc}/{os.getpid()}/stat"):
        return _from_ps()
    found: list[Process] = []
    pid = os.getpid()
    while pid > 0 and len(found) < _MOST:
        process = _from_proc(proc, pid)
        if process is None:
            break
        found.append(process)
        pid = process.parent
    return found


def parse_ps(text: str) -> list[Process]:
    """Return the processes that `ps -o pid=,ppid=,comm=` lists."""
    rows = re.findall(r"^ *(\d+) +(\d+) +(.+?) *$", text, re.MULTILINE)
    return [Process(int(pid), int(parent), command) for pid, parent, command in rows]


def _from_proc(proc: str, pid: int) -> Process | None:
    try:
        with open(f"{proc}/{pid}/stat", encoding="utf-8", errors="replace") as stream:
            stat = stream.read()
        with open(f"{proc}/{pid}/cmdline", "rb") as raw:
            arguments = raw.read(1 << 16).decode("utf-8", "replace").split("\0")[:-1]
    except OSError:
        return None
    found = re.fullmatch(r"\d+ \((.*)\) \S (\d+) .*", stat, re.DOTALL)  # a name may hold brackets
    return Process(pid, int(found[2]), found[1], arguments) if found else None


def _from_ps() -> list[Process]:
    import subprocess

    try:
        run = subprocess.run(
            ["ps", "-axo", "pid=,ppid=,comm="],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=TIMEOUT,
        )
    except (OSError, subprocess.TimeoutExpired):
        return []
    return parse_ps(run.stdout.decode("utf-8", "replace"))
