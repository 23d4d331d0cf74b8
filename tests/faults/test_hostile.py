"""Nothing of hostile surroundings runs in any command, and git looks at the project's repository.

Every file in bin/ has a real call here; a new command needs one (XS-01, XS-03, XS-04, G-022).
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from faults import hostile, soundness, sweep
from faults.sandbox import BIN, Done, Sandbox, prepare

OKSTRA = str(BIN / "okstra")
TASK = "shop:g:T1"
RUN = ".okstra/tasks/g/t1/runs/error-analysis"
MANIFEST = f"{RUN}/manifests/run-manifest-error-analysis-001.json"
STATE = f"{RUN}/state/team-state-error-analysis-001.json"
REPORT = f"{RUN}/reports/final-report-error-analysis-001.data.json"
WORKER = ["--worker=codex-analyser"]
CALLS: dict[str, list[list[str]]] = {
    "okstra": [[OKSTRA, "--version"], [OKSTRA, "--help"], [OKSTRA, "nope"]],
    "okstra.sh": [[str(BIN / "okstra.sh"), "--render-only", *prepare()[2:]]],
    "okstra-check-project": [[OKSTRA, "check-project"]],
    "okstra-config": [
        [OKSTRA, "config", "show"],
        [OKSTRA, "config", "list"],
        [OKSTRA, "config", "set", "pr-template-path", "brief.md"],
        [OKSTRA, "config", "get", "pr-template-path"],
        [OKSTRA, "config", "unset", "pr-template-path"],
        [OKSTRA, "config", "explain", "pr-template-path"],
    ],
    "okstra-help": [[OKSTRA, "help"], [OKSTRA, "help", "run"]],
    "okstra-install": [[OKSTRA, "install", "--rollback", "--dry-run"]],
    "okstra-rehearse": [[OKSTRA, "rehearse", "--scenario=ok"], [OKSTRA, "rehearse", "--list"]],
    "okstra-render-bundle": [prepare(), prepare("T1", "--base-ref=HEAD")],
    "okstra-resolve-task-key": [[OKSTRA, "resolve-task-key", "T1"]],
    "okstra-run": [[OKSTRA, "run", "claude", "--render-only", *prepare()[2:-1]]],
    "okstra-set-work-status": [[OKSTRA, "set-work-status", TASK, "in-progress"]],
    "okstra-task-list": [[OKSTRA, "task-list"]],
    "okstra-task-show": [[OKSTRA, "task-show", TASK]],
    "okstra-trust": [[OKSTRA, "trust", "--show"], [OKSTRA, "trust", "--yes"]],
    "okstra-validate": [[OKSTRA, "validate", ".okstra/project.json"]],
    "okstra-version": [[OKSTRA, "version"]],
    "okstra-team": [
        [OKSTRA, "team", verb, "--project-root=.", f"--run-manifest={MANIFEST}"]
        for verb in ("dispatch", "await", "status", "teardown")
    ],
    "okstra-codex-dispatch": [
        [OKSTRA, "codex-dispatch", "--project-root=.", f"--run-manifest={MANIFEST}"]
    ],
    "okstra-worker-state": [
        [
            OKSTRA,
            "worker-state",
            "transition",
            f"--team-state={STATE}",
            *WORKER,
            "--status=completed",
        ]
    ],
    "okstra-worker-liveness": [[OKSTRA, "worker-liveness", f"--team-state={STATE}", *WORKER]],
    "okstra-worker-result": [[OKSTRA, "worker-result", "check", "brief.md"]],
    "okstra-worker-audit-check": [
        [
            OKSTRA,
            "worker-audit-check",
            f"--run-dir={RUN}",
            "--task-type=error-analysis",
            "--seq=001",
        ]
    ],
    "okstra-error-log": [
        [
            OKSTRA,
            "error-log",
            "append-observed",
            f"--out={RUN}/logs/errors-error-analysis-001.jsonl",
        ]
    ],
    "okstra-convergence": [
        [OKSTRA, "convergence", "example", "--kind=groups"],
        [OKSTRA, "convergence", "show", f"--run-dir={RUN}"],
    ],
    "okstra-demo": [[OKSTRA, "demo"]],
    "okstra-drive": [
        [OKSTRA, "drive", "--project-root=.", f"--run-manifest={MANIFEST}", "--dry-run"]
    ],
    "okstra-error-report": [[OKSTRA, "error-report", TASK]],
    "okstra-inject-report-index": [
        [OKSTRA, "inject-report-index", "brief.md", "--report-language=en"]
    ],
    "okstra-local-worker": [[OKSTRA, "local-worker"]],
    "okstra-render-final-report": [[OKSTRA, "render-final-report", REPORT]],
    "okstra-render-views": [[OKSTRA, "render-views", REPORT]],
    "okstra-report-finalize": [
        [
            *(OKSTRA, "report-finalize", "--project-root=."),
            *(f"--run-manifest={MANIFEST}", f"--report={REPORT}"),
        ]
    ],
    "okstra-spawn-followups": [
        [
            *(OKSTRA, "spawn-followups", REPORT, "--project-root=.", "--task-group=g"),
            f"--parent-task-key={TASK}",
        ]
    ],
    "okstra-token-usage": [[OKSTRA, "token-usage", STATE]],
    "okstra-log-report": [[OKSTRA, "log-report"]],
    **{
        f"okstra-{name}-exec.sh": [
            [str(BIN / f"okstra-{name}-exec.sh"), ".", "brief.md", "default"]
        ]
        for name in ("claude", "codex", "antigravity", "grok", "local")
    },
}
MAY_FAIL = {
    *(("okstra", verb) for verb in ("nope", "install", "check-project")),
    # What these ask for is not there; that they read the run and say so is what counts here.
    *(("okstra", verb) for verb in ("team", "codex-dispatch", "worker-liveness", "worker-result")),
    *(("okstra", verb) for verb in ("worker-audit-check", "error-log", "convergence")),
    *(("okstra", verb) for verb in ("local-worker", "inject-report-index", "spawn-followups")),
    *(("okstra", verb) for verb in ("render-final-report", "render-views", "report-finalize")),
    *((f"okstra-{name}-exec.sh", ".") for name in ("claude", "codex", "antigravity", "grok")),
    ("okstra-local-exec.sh", "."),
}
BITE = {
    *("BASH_ENV", "function git", "module sitecustomize", "module json", "module okstra_ctl"),
    *("core.fsmonitor", "diff.external", "filter.x.clean", "post-index-change"),
}
NAIVE = """#!/bin/bash
echo changed >>report.py
git status --short >/dev/null
git diff >/dev/null
git -c core.fsmonitor=false -c diff.external= diff >/dev/null
git -c core.fsmonitor=false commit -q -m x --allow-empty
"$OKSTRA_PYTHON" -c 'import json, okstra_ctl' || :
"""


def test_the_surroundings_bite_a_naive_script(box: Sandbox) -> None:
    env = hostile.surround(box)
    naive = box.live / "naive"
    naive.write_text(NAIVE, encoding="utf-8")
    naive.chmod(0o755)
    _call(box, [str(naive)], {**env, "SHELLOPTS": "", "IFS": " "})
    found = hostile.ran(box)
    assert {name.rpartition("/")[2] for name in found} >= BITE, found
    env = {**box.env(RAN=env["RAN"]), **hostile.git_variables(box)}
    (box.live / "other" / "new").write_text("x", encoding="utf-8")
    _call(box, ["git", "add", "new"], env)
    found = hostile.ran(box)
    names = {name.rpartition("/")[2] for name in found}
    assert "GIT_CONFIG_COUNT" in names, found
    broken = _call(box, [env["OKSTRA_PYTHON"], "-c", ""], box.env(PYTHONHOME=str(box.live)))
    assert broken.status, "PYTHONHOME does nothing"


def test_every_command_has_a_call_here() -> None:
    listed = {path.name for path in BIN.iterdir() if not path.name.startswith(".")}
    assert listed == set(CALLS)


@pytest.mark.parametrize("with_git", sweep.chosen([True, False], 1), ids=str)
def test_nothing_of_them_runs(box: Sandbox, with_git: bool) -> None:
    assert box.run(*prepare()).status == 0
    head = box.git("rev-parse", "HEAD")
    env = hostile.surround(box)
    env["PYTHONHOME"] = str(box.live)
    if with_git:
        env.update(hostile.git_variables(box))
    failures, tried = [], 0
    for calls in CALLS.values():
        for call in calls:
            done = _call(box, call, env)
            tried += 1
            words = call[0].rpartition("/")[2], call[1]
            failures += [f"{words}: ran {name}" for name in sorted(hostile.ran(box))]
            if "Traceback" in done.err or (done.status and words not in MAY_FAIL):
                failures.append(f"{words}: exit {done.status}: {done.told}")
    manifest = json.loads(soundness.manifests(box)[-1].read_text(encoding="utf-8"))
    found = [row for row in soundness.rows(box, "trust.jsonl") if row["rootCommit"] != head]
    failures += [f"trust of another repository: {found}"] if found else []
    if manifest["worktree"]["branch"] != "main":
        failures.append(f"another repository's branch: {manifest['worktree']}")
    name = "XS-01, XS-03, XS-04 every command" if with_git else "XS-01, XS-04 every command"
    sweep.report(name, tried, failures)


def test_the_right_repository_is_registered(box: Sandbox) -> None:
    """The exclude block goes to the project's repository, whatever the variables say (XS-03)."""
    env = {**hostile.surround(box), **hostile.git_variables(box)}
    done = _call(box, prepare(), env)
    assert done.status == 0, done.told
    assert not hostile.ran(box)
    assert ".okstra/" in (box.project / ".git/info/exclude").read_text(encoding="utf-8")
    assert not (box.live / "other/.git/info").exists()


def test_a_partial_clone_fetches_nothing(box: Sandbox) -> None:
    """A commit that is not here is not asked for over `core.sshCommand` (XS-04, U-27)."""
    assert box.run(*prepare()).status == 0
    env = hostile.surround(box)
    box.git("remote", "add", "origin", "ssh://nowhere.invalid/x")
    box.git("config", "remote.origin.promisor", "true")
    box.git("config", "extensions.partialClone", "origin")
    box.git("config", "core.repositoryFormatVersion", "1")
    trust = box.okstra_home / "trust.jsonl"
    row = {**soundness.rows(box, "trust.jsonl")[0], "rootCommit": "1" * 40}
    trust.write_text(json.dumps(row) + "\n", encoding="utf-8")
    naive = _call(box, ["git", "cat-file", "-e", "1" * 40 + "^{commit}"], box.env(RAN=env["RAN"]))
    assert naive.status
    assert hostile.ran(box), "git would have fetched nothing anyway"
    done = _call(box, [OKSTRA, "trust", "--show"], box.env(RAN=env["RAN"]))
    assert (done.status, hostile.ran(box)) == (1, set()), done.told


def _call(box: Sandbox, command: list[str], env: dict[str, str]) -> Done:
    """Run a command with exactly these variables; some of their names Python's `run` accepts."""
    done = subprocess.run(
        command, cwd=Path(box.project), env=env, stdin=subprocess.DEVNULL, capture_output=True,
        timeout=90,
    )  # fmt: skip
    out, err = (text.decode(errors="replace") for text in (done.stdout, done.stderr))
    return Done(done.returncode, out, err)
