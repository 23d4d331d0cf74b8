"""The places where a command can be struck: its system calls, as strace counts them."""

from __future__ import annotations

import functools
import re
import shutil
import subprocess
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from faults.sandbox import Sandbox

RENAME = ("rename", "renameat", "renameat2")
CHANGING = (
    *RENAME,
    *("openat", "mkdir", "mkdirat", "fsync", "fdatasync", "unlink", "unlinkat", "execve"),
    *("write", "pwrite64", "ftruncate", "chmod", "fchmod", "fchmodat", "flock"),
)


class Point(NamedTuple):
    call: str
    nth: int  # of this call in the process
    text: str  # as strace shows it

    def __str__(self) -> str:
        return f"{self.call} {self.nth} [{self.text[:110]}]"


@functools.lru_cache(None)
def unable() -> str:
    """Return why nothing can be struck here, or an empty text."""
    if not shutil.which("strace"):
        return "strace is not installed"
    probe = ["strace", "-o", "/dev/null", "-e", "inject=getpid:error=EIO", "true"]
    done = subprocess.run(probe, capture_output=True, text=True)
    return f"strace cannot trace here: {done.stderr.strip()[:200]}" if done.returncode else ""


def record(box: Sandbox, command: list[str], calls: tuple[str, ...] = CHANGING) -> list[Point]:
    """Run a command and return the calls of its main process (its children's are not in it)."""
    log = box.base / "trace"
    chosen = f"trace={','.join(f'?{call}' for call in calls)}"
    done = box.run("strace", "-o", log, "-s", "200", "-e", chosen, *command)
    assert done.status == 0, done.told
    return parse(log.read_text(encoding="utf-8", errors="replace"))


def parse(log: str) -> list[Point]:
    counted: Counter[str] = Counter({"execve": -1})  # the first is strace's own
    found = []
    for line in log.splitlines():
        if match := re.match(r"(\w+)\(", line):
            counted[match[1]] += 1
            if counted[match[1]]:
                found.append(Point(match[1], counted[match[1]], line))
    return found


def creating(points: list[Point]) -> list[Point]:
    """Return the points without the opening of files that are only read."""
    return [p for p in points if p.call != "openat" or "O_CREAT" in p.text]


def strike(box: Sandbox, command: list[str], point: Point, what: str) -> list[str]:
    """Return the command with a fault at a point: `what` is `signal=KILL` or `error=ENOSPC`."""
    inject = f"inject={point.call}:{what}:when={point.nth}"
    log = str(box.base / "struck")
    return ["strace", "-o", log, "-e", f"trace={point.call}", "-e", inject, *command]


def struck(box: Sandbox) -> bool:
    log = (box.base / "struck").read_text(encoding="utf-8", errors="replace")
    return "(INJECTED)" in log or "+++ killed by" in log or "--- SIG" in log


def trace(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace")


def shown(path: str) -> str:
    """Return a path as strace writes it: bytes beyond ASCII in octal."""
    return "".join(chr(b) if 32 <= b < 127 else f"\\{b:o}" for b in path.encode())
