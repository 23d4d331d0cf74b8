"""A prepared run with as many workers as asked for, and a scripted CLI that they all start."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any, NamedTuple

import projects
from measure import OKSTRA, ROOT, Place

CLI = "codex"
WRAPPER = str(ROOT / "bin/okstra-codex-exec.sh")
RUN = ".okstra/tasks/checkout/t-1/runs/error-analysis"
NAME = "error-analysis-001"
AT_ONCE, FINAL = "exit 0\n", """printf '{"type":"turn.completed"}\\n'\n"""
DELIVER = r"""
for word; do [ "${last-}" != -C ] || box=$word; last=$word; done
name=${box##*/}
printf -- '---\nworkerId: %s\nprovider: codex\nmodel: m\ntaskKey: shop:checkout:T-1
taskType: error-analysis\nseq: 001\ndispatchKind: initial\n---
## 1. Findings\n\nNone.\n## 2. Evidence\nNone.\n## 3. Risks\nNone.\n## 4. Recommendations\nNone.
## 5. Missing Information or Assumptions\nNone.\n\n<!-- okstra:result-complete -->\n' \
  "${name%-initial-001}" >"$box/result.md"
printf '## 0. Reading Confirmation\n- `brief.md` sha256:000000000000\n' >"$box/audit.md"
"""


class Crew(NamedTuple):
    """`here` is the project's folder, with the scripted CLI on the PATH."""

    here: Place
    size: int

    def team(self, verb: str, *words: str) -> list[str]:
        """Return the words of a command about this run."""
        manifest = f"{RUN}/manifests/run-manifest-{NAME}.json"
        place = [f"--project-root={self.here.folder}", f"--run-manifest={manifest}"]
        return [OKSTRA, "team", verb, *place, *words]

    def prompts(self) -> list[str]:
        return [str(_prompt(self.here.folder, n)) for n in range(1, self.size + 1)]

    def wrapper(self, prompt: str) -> list[str]:
        """Return the words of a worker's wrapper, as a dispatch has them, without rights."""
        folder = str(self.here.folder)
        return ["/bin/bash", "-p", WRAPPER, folder, prompt, "default", "--deadline=1800"]

    def reasons(self) -> list[str]:
        """Return how each dispatch ended: its status and reason."""
        found = _read(self.here.folder, _STATE)["workerDispatches"]
        return [f"{one['status']} {one['reason']}".strip() for one in found]


_MANIFEST, _STATE = f"manifests/run-manifest-{NAME}.json", f"state/team-state-{NAME}.json"


def project(place: Place, name: str, script: str) -> Place:
    """Prepare a run whose workers' CLI is this shell script; return the place to run in."""
    here = projects.project(place, name)
    here.run([*projects.prepare("T-1"), f"--workers={CLI}", "--role-count=analyser=2"])
    return with_cli(here, script)


def with_cli(here: Place, script: str) -> Place:
    """Return the place with another scripted CLI."""
    bin = here.folder.parent / f"cli-{here.folder.name}"
    bin.mkdir(exist_ok=True)
    (bin / CLI).write_text(f"#!/bin/sh\n{script}", encoding="utf-8")
    (bin / CLI).chmod(0o755)
    path = here.env["PATH"].removeprefix(f"{bin}:")
    return here._replace(env={**here.env, "PATH": f"{bin}:{path}"})


def of(here: Place, size: int) -> Crew:
    """Put the run back to its beginning, with this many workers. None of them may be running."""
    manifest, state = (_read(here.folder, name) for name in (_MANIFEST, _STATE))
    assigned, row = manifest["workerAssignments"][0], state["workers"][0]
    fresh = {"status": "pending", "startedAt": None, "endedAt": None, "reason": ""}
    ids = [f"worker-{n}" for n in range(1, size + 1)]
    manifest["workerAssignments"] = [{**assigned, "workerId": id} for id in ids]
    manifest["invocationAssignments"] = {
        f"initial/{id}": {**assigned, "workerId": id} for id in ids
    }
    state["workers"] = [{**row, **fresh, "workerId": id} for id in ids]
    state["workerDispatches"] = []
    _write(here.folder, _MANIFEST, manifest)
    _write(here.folder, _STATE, state)
    for name in ("prompts", "outbox", "worker-results"):
        shutil.rmtree(here.folder / RUN / name, ignore_errors=True)
    for number in range(1, size + 1):
        _write_prompt(here.folder, number)
    return Crew(here, size)


def _prompt(folder: Path, number: int) -> Path:
    return folder / RUN / f"prompts/worker-{number}-{NAME}.md"


def _write_prompt(folder: Path, number: int) -> None:
    box = folder / RUN / f"outbox/worker-{number}-initial-001"
    headers = {
        "Worker": f"worker-{number}",
        "Project Root": folder,
        "Result Path": box / "result.md",
        "Audit Path": box / "audit.md",
        "Errors log path": box / "errors.json",
    }
    path = _prompt(folder, number)
    path.parent.mkdir(exist_ok=True)
    text = "".join(f"**{name}:** {value}\n" for name, value in headers.items())
    path.write_text(text, encoding="utf-8")


def _read(folder: Path, name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / RUN / name).read_text(encoding="utf-8"))
    return found


def _write(folder: Path, name: str, members: dict[str, Any]) -> None:
    text = json.dumps(members, indent=2)
    (folder / RUN / name).write_text(f"{text}{os.linesep}", encoding="utf-8")
