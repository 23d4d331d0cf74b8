"""What a reading command costs, counted: modules imported, git processes started (Q-1, Q-3)."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
HEAVY = {"jsonschema", "yaml", "jinja2", "rich", "markdown_it", "pyflakes", "asyncio"}
HEAVY |= {"dataclasses", "tempfile", "logging", "concurrent.futures", "inspect", "urllib.request"}
GITS = 2

RUN = ".okstra/tasks/checkout/dev-1/runs/error-analysis"
STATE = {
    "schemaVersion": 1,
    "workers": [{"workerId": "codex-analyser", "status": "completed"}],
    "workerDispatches": [],
}
# A row for each command that only reads, with words that make it answer in the project below.
READING = [
    ["version", "--json"],
    ["task-list"],
    ["task-list", "--json"],
    ["task-show", "shop:checkout:dev-1", "--json"],
    ["resolve-task-key", "dev-1"],
    ["check-project"],
    ["config", "list"],
    ["config", "show", "--json"],
    ["config", "explain", "language"],
    ["trust", "--show"],
    ["error-report", "--json"],
    ["log-report", "--json"],
    ["rehearse", "--list", "--json"],
    ["team", "status", "--project-root=.", f"--run-manifest={RUN}/run-manifest.json"],
    ["worker-liveness", f"--team-state={RUN}/team-state.json", "--worker=codex-analyser"],
]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a git repository that okstra knows, with one task."""
    root = tmp_path / "빈 project"
    task = root / ".okstra/tasks/checkout/dev-1"
    task.mkdir(parents=True)
    subprocess.run(["git", "init", "-q", root], check=True)
    (root / ".okstra/project.json").write_text(
        '{"schemaVersion": 1, "projectId": "shop"}\n', encoding="utf-8"
    )
    (task / "task-manifest.json").write_text(
        '{"schemaVersion": 1, "projectId": "shop", "taskGroup": "checkout", "taskId": "dev-1",'
        ' "taskKey": "shop:checkout:dev-1"}\n',
        encoding="utf-8",
    )
    run = root / RUN
    run.mkdir(parents=True)
    (run / "team-state.json").write_text(json.dumps(STATE), encoding="utf-8")
    manifest = {
        **{"schemaVersion": 1, "projectRoot": str(root), "taskKey": "shop:checkout:dev-1"},
        **{"taskType": "error-analysis", "seq": "001", "runDir": RUN},
        **{"teamStatePath": f"{RUN}/team-state.json", "invocationAssignments": {}},
        "runSequencesByCategory": {},
    }
    (run / "run-manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    return root


def telling(folder: Path) -> dict[str, str]:
    """Return an environment in which Python tells what it imports, and git that it was started."""
    folder.mkdir()
    git = subprocess.run(["/bin/sh", "-c", "command -v git"], capture_output=True, encoding="utf-8")
    for name, words in {
        "python3": f'exec "{sys.executable}" -X importtime "$@"',
        "git": f'echo "git started: $*" >&3\nexec "{git.stdout.strip()}" "$@"',
    }.items():
        (folder / name).write_text(f"#!/bin/sh\n{words}\n", encoding="utf-8")
        (folder / name).chmod(0o755)
    return {
        "PATH": f"{folder}:{os.environ['PATH']}",
        "HOME": str(folder),
        "OKSTRA_PYTHON": str(folder / "python3"),
    }


@pytest.mark.parametrize("words", READING, ids=" ".join)
def test_a_reading_command_is_light(words: list[str], project: Path, tmp_path: Path) -> None:
    command = ROOT / f"bin/okstra-{words[0]}"
    if not command.exists():
        pytest.skip("not built yet")
    env = telling(tmp_path / "telling")
    log = tmp_path / "git.log"
    env["OKSTRA_GIT_LOG"] = str(log)
    git = tmp_path / "telling/git"
    git.write_text(git.read_text("utf-8").replace(">&3", '>>"$OKSTRA_GIT_LOG"'), "utf-8")
    run = subprocess.run(
        [command, *words[1:]],
        cwd=project,
        env=env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
    )
    said = [line for line in run.stderr.splitlines() if not line.startswith("import time:")]
    assert run.returncode in (0, 1), said
    modules = set(re.findall(r"^import time: .*\| +(\S+)$", run.stderr, re.MULTILINE))
    assert "docopt" in modules, "it says nothing of what it imports"
    assert "site" not in modules
    assert modules & HEAVY == set()
    gits = log.read_text("utf-8").splitlines() if log.exists() else []
    assert len(gits) <= GITS
