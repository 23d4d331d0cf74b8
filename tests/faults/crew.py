"""A prepared run with stand-ins for its CLIs, and every process that belongs to it.

A process belongs to the sandbox whose home stands in its environment: also one that left its group,
its session and its parent. So what a test finds alive does not hang on what okstra recorded.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import time
from pathlib import Path
from typing import Any, NamedTuple

from faults.sandbox import BIN, PATH, TREE, Done, Sandbox
from okstra_ctl.inspect import validation

RUN = Path(".okstra/tasks/g/t1/runs/error-analysis")
WORKERS = ("claude-analyser", "grok-analyser")
COMMAND, WRAPPER, WATCHER, CLI, OTHER = "command", "wrapper", "watcher", "cli", "other"
PROMPT = """# What to do

**Worker:** {worker}
**Project Root:** {root}
**Result Path:** {box}/result.md
**Audit Path:** {box}/audit.md
**Errors log path:** {box}/errors.json
**Task Key:** shop:g:T1
**Task Type:** error-analysis
**Seq:** 001
**Dispatch Kind:** {kind}
**Status Path:** {status}
"""


class Process(NamedTuple):
    pid: int
    kind: str
    group: int
    started: str  # as okstra_kernel/processes has it


class Crew:
    """A sandbox with one run whose workers are started by their wrappers."""

    def __init__(self, box: Sandbox, lead: str = "codex") -> None:
        self.box = box
        self.lead = lead
        self.notes = box.home / "rehearsal"
        self.manifest = RUN / "manifests/run-manifest-error-analysis-001.json"
        self.state_path = box.project / RUN / "state/team-state-error-analysis-001.json"

    def build(self) -> Crew:
        """Prepare the run and write the prompts of its first round."""
        self.notes.mkdir()
        done = self.box.run(
            *(BIN / "okstra", "render-bundle", "--project-id=shop", "--task-group=g"),
            *("--task-id=T1", "--task-type=error-analysis", "--task-brief=brief.md"),
            *(f"--lead-runtime={self.lead}", "--render-only", "--workers=claude,codex,grok"),
            "--role-count=analyser=3",
            env=self.env(),
        )
        assert done.status == 0, done.told
        for worker in WORKERS:
            self.prompt(worker, "initial", f"{worker}-error-analysis-001.md")
        return self

    def env(self, **more: str) -> dict[str, str]:
        return self.box.env(**{"PATH": f"{TREE}/tests/rehearsal/bin:{PATH}", **more})

    def scenario(self, which: str, name: str) -> None:
        (self.notes / which).write_text(f"{name}\n", encoding="utf-8")

    def prompt(self, worker: str, kind: str, name: str) -> None:
        box = self.box.project / RUN / f"outbox/{worker}-{kind}-001"
        status = RUN / "prompts" / f"{name.removesuffix('.md')}.status.json"
        text = PROMPT.format(
            worker=worker, root=self.box.project, box=box, kind=kind, status=status
        )
        (self.box.project / RUN / "prompts" / name).write_text(text, encoding="utf-8")

    def jobs(self, kind: str, *workers: str) -> str:
        """Write the prompts and the jobs file of a further round; return the path of the latter."""
        state = json.loads(self.state_path.read_text("utf-8"))
        models = {row["workerId"]: row["modelExecutionValue"] for row in state["workers"]}
        rows = []
        for worker in workers:
            name, results = f"{worker}-{kind}-error-analysis-001", RUN / "worker-results"
            self.prompt(worker, kind, f"{name}.md")
            result, audit = f"{results}/{name}.md", f"{results}/{name}-audit.md"
            rows.append({
                "workerId": worker, "provider": worker.partition("-")[0], "role": "analyser",
                "modelExecutionValue": models[worker], "promptPath": f"{RUN}/prompts/{name}.md",
                "resultPath": result, "workerResultPath": audit,
                "completionPaths": [result, audit],
            })  # fmt: skip
        path = RUN / f"state/jobs-{kind}.json"
        text = json.dumps({"schemaVersion": 1, "dispatchKind": kind, "jobs": rows})
        (self.box.project / path).write_text(text, encoding="utf-8")
        return str(path)

    def do(self, *words: str, **more: str) -> Done:
        """Run a command of this run to its end."""
        return self.box.run(*self.words(*words), env=self.env(**more))

    def endings(self) -> list[str]:
        """Return a line for each dispatch: kind, provider, status, reason; sorted."""
        names = ("dispatchKind", "provider", "status", "reason")
        found = [" ".join(one[name] or "-" for name in names) for one in self.dispatches()]
        return sorted(found)

    def words(self, *words: str) -> list[str]:
        """Return a command of this run: `("team", "await", "--retry")`, `("codex-dispatch",)`."""
        run = (f"--project-root={self.box.project}", f"--run-manifest={self.manifest}")
        return [str(BIN / "okstra"), *words, *run]

    def start(self, *words: str, **more: str) -> subprocess.Popen[str]:
        """Start a command of this run in a group of its own, its answer in pipes."""
        return subprocess.Popen(
            self.words(*words), cwd=self.box.project, env=self.env(**more), text=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            start_new_session=True,
        )  # fmt: skip

    def dispatches(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = json.loads(self.state_path.read_text("utf-8"))[
            "workerDispatches"
        ]
        return found

    def noted(self, name: str) -> list[tuple[str, str]]:
        """Return (worker, kind) of each line that the stand-ins wrote: `starts`, `ended`."""
        path = self.notes / name
        lines = path.read_text("utf-8").splitlines() if path.exists() else []
        return [(worker, kind) for worker, _, kind in (line.partition(" ") for line in lines)]

    def processes(self) -> list[Process]:
        """Return every process that has this sandbox's home."""
        mark = f"HOME={self.box.home}".encode()
        found = []
        for name in filter(str.isdigit, os.listdir("/proc")):
            with contextlib.suppress(OSError, IndexError):
                if mark not in Path(f"/proc/{name}/environ").read_bytes().split(b"\0"):
                    continue
                words = Path(f"/proc/{name}/cmdline").read_bytes().decode("utf-8", "replace")
                stat = Path(f"/proc/{name}/stat").read_text("utf-8", "replace")
                fields = stat.rpartition(")")[2].split()
                if fields[0] not in "ZX":
                    kind = _kind(words, int(name), int(fields[3]))
                    found.append(Process(int(name), kind, int(fields[2]), fields[19]))
        return found

    def left(self, seconds: float = 4.0) -> list[Process]:
        """Return what still runs when so much time has passed; at once if nothing does."""
        end = time.monotonic() + seconds
        while (found := self.processes()) and time.monotonic() < end:
            time.sleep(0.05)
        return found

    def end(self) -> None:
        """End whatever a failed test left."""
        for process in self.processes():
            with contextlib.suppress(OSError):
                os.kill(process.pid, signal.SIGKILL)

    def faults(self) -> list[str]:
        """Return what is not sound: files that are not valid, results that are not there."""
        found = []
        for base in (self.box.okstra_home, self.box.project / ".okstra"):
            for path in sorted(base.rglob("*.json*")):
                if path.is_file() and path.suffix in (".json", ".jsonl") and path.stat().st_size:
                    found += validation.judge(str(path)).faults
        for record in self.dispatches():
            if record["status"] == "completed":
                found += [
                    f"lost: {name}"
                    for name in record["completionPaths"]
                    if not (self.box.project / name).is_file()
                ]
                result = str(self.box.project / record["resultPath"])
                check = ("worker-result", "check") if result.endswith(".md") else ("validate",)
                done = self.box.run(BIN / "okstra", *check, result)
                found += [done.told] if done.status else []
        return found


def _kind(words: str, pid: int, session: int) -> str:
    if "okstra_boot.py" in words:
        return COMMAND
    if "-exec.sh" in words:
        return WRAPPER if pid == session else WATCHER
    return CLI if "/rehearsal/bin/" in words else OTHER
