"""A user's machine in small: a home with a space, a git project, okstra's home, and commands in it.

A sandbox is put back to a state it was in, so that each fault meets the same beginning.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

TREE = Path(__file__).parents[2]
BIN = TREE / "bin"
PYTHON = os.environ.get("OKSTRA_PYTHON") or sys.executable
PATH = "/usr/local/bin:/usr/bin:/bin"

BRIEF = """# The report page crashes

```
Traceback (most recent call last):
  File "report.py", line 1, in <module>
ValueError: no rows
```
"""


class Done(NamedTuple):
    status: int  # negative: the signal that ended it
    out: str
    err: str

    @property
    def told(self) -> str:
        return (self.out + self.err).strip()


class Sandbox:
    """`base` holds `live` (home, project) and the states that were kept."""

    def __init__(self, base: Path) -> None:
        self.base = base
        self.live = base / "집 live"
        self.home = self.live / "home"
        self.okstra_home = self.home / ".okstra"
        self.project = self.live / "project"

    def env(self, **more: str) -> dict[str, str]:
        base = {"HOME": str(self.home), "PATH": PATH, "OKSTRA_PYTHON": PYTHON, "LANG": "C.UTF-8"}
        return {**base, **more}

    def build(self) -> Sandbox:
        """Make home and project: one commit, one brief."""
        self.home.mkdir(parents=True)
        self.project.mkdir()
        (self.project / "brief.md").write_text(BRIEF, encoding="utf-8")
        (self.project / "report.py").write_text("raise ValueError('no rows')\n", encoding="utf-8")
        self.git("init", "-q", "-b", "main", "--template=")
        self.git("add", ".")
        self.git("commit", "-q", "-m", "start")
        return self

    def git(self, *words: str, folder: Path | None = None) -> str:
        who = ("-c", "user.name=t", "-c", "user.email=t@example.invalid")
        command = ["git", "-C", str(folder or self.project), *who, *words]
        done = subprocess.run(command, env=self.env(), check=True, capture_output=True, text=True)
        return done.stdout.strip()

    def keep(self, name: str) -> None:
        shutil.copytree(self.live, self.base / name, symlinks=True)

    def restore(self, name: str) -> None:
        shutil.rmtree(self.live)
        shutil.copytree(self.base / name, self.live, symlinks=True)

    def run(self, *command: str | Path, env: dict[str, str] | None = None, **more: object) -> Done:
        """Run a command in the project, without input; 124 when it takes a minute and a half."""
        settings = {"cwd": self.project, "env": env or self.env(), "stdin": subprocess.DEVNULL}
        try:
            done = subprocess.run(  # type: ignore[call-overload]
                list(map(str, command)), capture_output=True, timeout=90, **{**settings, **more}
            )
        except subprocess.TimeoutExpired:
            return Done(124, "", "took more than 90 s")
        return Done(
            done.returncode, *(x.decode(errors="replace") for x in (done.stdout, done.stderr))
        )


def prepare(task: str = "T1", *more: str, project_id: str = "shop") -> list[str]:
    """Return the command that prepares a run of a task."""
    return [
        *(str(BIN / "okstra"), "render-bundle", f"--project-id={project_id}", "--task-group=g"),
        *(f"--task-id={task}", "--task-type=error-analysis", "--task-brief=brief.md"),
        *("--lead-runtime=claude-code", *more),
    ]
