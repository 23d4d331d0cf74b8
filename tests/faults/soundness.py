"""Is the state on disk sound? (spec 70 §5: what "sound" means)

Every JSON file is valid, every line of a JSONL file is a row, run numbers are unique, what was
acknowledged is still there, and the same command, run again, gets a new number.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from pathlib import Path
from typing import Any, Iterator

from faults.sandbox import Sandbox, prepare
from okstra_ctl.inspect import validation

RUNS = ".okstra/tasks/g/{task}/runs/error-analysis"


def faults(box: Sandbox, before: list[Path], *, torn: int = 0, task: str = "t1") -> list[str]:
    """Return what is not sound after a fault. `before`: manifests of runs acknowledged earlier.

    `torn` is how many lines a full disk may have cut. Runs the next prepare.
    """
    found = [*_files(box, torn), *_runs(box), *_kept(box, before)]
    used = numbers(box, task)
    done = box.run(*prepare(task.upper()))
    if done.status or "Traceback" in done.err:
        return [*found, f"the next prepare: exit {done.status}: {done.told}"]
    new = Path(done.out.strip().rpartition("manifest path: ")[2])
    number = int(new.stem.rpartition("-")[2])
    if number <= max(used, default=0):
        found.append(f"number {number} given again, of {used}")
    found += [*_files(box, torn), *_runs(box), *_kept(box, [*before, new])]
    if latest(box, task) != new:
        found.append(f"the task's latest run is {latest(box, task).name}, not {new.name}")
    return found


def numbers(box: Sandbox, task: str) -> list[int]:
    folder = box.project / RUNS.format(task=task)
    places = [*(folder / "state").glob("run-context-*"), *(folder / "manifests").glob("run-*")]
    return sorted({int(place.stem.rpartition("-")[2]) for place in places})


def manifests(box: Sandbox) -> list[Path]:
    return sorted(box.project.glob(".okstra/tasks/*/*/runs/*/manifests/run-manifest-*.json"))


def latest(box: Sandbox, task: str = "t1") -> Path:
    """Return the manifest that a task's record calls its latest run's."""
    record = _json(box.project / f".okstra/tasks/g/{task}/task-manifest.json")
    return box.project / str(record["latestRunPath"])


def rows(box: Sandbox, name: str = "recent.jsonl") -> list[dict[str, Any]]:
    """Return the rows of an index file; lines that are none are left out."""
    found = []
    path = box.okstra_home / name
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
        try:
            found.append(json.loads(line))
        except ValueError:
            continue
    return found


def timeline(box: Sandbox, task: str = "t1") -> list[dict[str, Any]]:
    path = box.project / f".okstra/tasks/g/{task}/history/timeline.json"
    runs: list[dict[str, Any]] = _json(path)["runs"]
    return runs


def _files(box: Sandbox, torn: int) -> Iterator[str]:
    for path in _state(box):
        if path.suffix == ".json":
            yield from validation.judge(str(path)).faults
        elif path.suffix == ".jsonl" and path.stat().st_size:
            verdict = validation.judge(str(path))
            if len(verdict.faults) > torn:
                yield from verdict.faults


def _state(box: Sandbox) -> Iterator[Path]:
    for base in (box.okstra_home, box.project / ".okstra"):
        for path in sorted(base.rglob("*")):
            if path.is_file() and not path.name.endswith(".tmp"):
                yield path


def _runs(box: Sandbox) -> Iterator[str]:
    """A manifest is there only when all it names is, too."""
    found = []
    for path in manifests(box):
        run = _json(path)
        found.append(run["runId"])
        for name in ("teamStatePath", "activeRunContextPath", "resumeCommandPath", "promptFile"):
            if not (box.project / run[name]).is_file():
                yield f"{path.name} names a file that is not there: {run[name]}"
        prompt = (box.project / run["promptFile"]).read_bytes()
        if hashlib.sha256(prompt).hexdigest() != run["promptSha256"]:
            yield f"{path.name}: another prompt than its digest says"
    for name in ("recent.jsonl", "active.jsonl"):
        counted = Counter(row["runId"] for row in rows(box, name))
        yield from (f"{name}: {run} {n} times" for run, n in counted.items() if n > 1)
    yield from (f"{run} {n} times" for run, n in Counter(found).items() if n > 1)


def _kept(box: Sandbox, acknowledged: list[Path]) -> Iterator[str]:
    """What a command said was done is in the run's folder, the index and the timeline."""
    index = {row["runId"] for row in rows(box)}
    for path in acknowledged:
        if not path.is_file():
            yield f"lost: {path}"
            continue
        run = _json(path)
        if run["runId"] not in index:
            yield f"lost from the index: {run['runId']}"
        task = run["taskId"].lower()
        if run["runId"] not in {row["runId"] for row in timeline(box, task)}:
            yield f"lost from the timeline: {run['runId']}"


def _json(path: Path) -> dict[str, Any]:
    members: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return members
