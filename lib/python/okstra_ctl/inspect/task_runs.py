"""The runs of a task, as their manifests tell them; the names of files are formed anew from them.

A path out of a manifest is never opened: a manifest may have come with a clone (G-020).
"""

from __future__ import annotations

import os
from typing import Any, Iterator

from okstra_ctl.runs import index_row, outcome_files
from okstra_ctl.runs.run_ref import CATEGORIES, MANIFEST_STEM, RunRef
from okstra_kernel import UserError, strict_json
from okstra_project.dirs import task_relative
from okstra_project.task_key import TaskKey

_SEQ = r"[0-9]{3,}"

Run = dict[str, Any]


def read(project_root: str, key: TaskKey) -> tuple[list[Run], list[str]]:
    """Return the runs, oldest first, and a sentence for each manifest that is none."""
    runs, faults = [], []
    statuses = _timeline(project_root, key)
    for path in _manifests(f"{project_root}/{task_relative(key.group, key.id)}/runs"):
        try:
            record = strict_json.read(path).versioned(1)
            runs.append(_run(project_root, key, record, statuses))
        except UserError as err:
            faults.append(str(err))
    return sorted(runs, key=lambda run: (run["startedAt"] or "", run["runId"])), faults


def _run(root: str, key: TaskKey, record: strict_json.Record, statuses: dict[str, str]) -> Run:
    ref = _ref(key, record)
    ended = outcome_files.outcome(os.path.join(root, ref.status))
    found: Run = {
        "runId": ref.run_id,
        "taskType": ref.task_type,
        "stage": ref.stage,
        "seq": ref.seq,
        "status": ended or statuses.get(ref.run_id, index_row.PREPARED),
        "startedAt": record.text("startedAt"),
        "leadRuntime": record.text("leadRuntime", ""),
        "renderOnly": record.flag("renderOnly", False),
        "reportPath": _there(root, ref.final_report),
        "manifestPath": ref.manifest,
    }
    if "sandboxWaiver" in record:
        found["sandboxWaiver"] = record.record("sandboxWaiver").members
    return found


def _ref(key: TaskKey, record: strict_json.Record) -> RunRef:
    """Return which run a manifest is of. Raises UserError if its place is not that run's."""
    import re

    stage = record.integer("stage") if record.members.get("stage") is not None else None
    ref = RunRef(key, record.text("taskType"), stage, record.text("seq"))
    if not re.fullmatch(_SEQ, ref.seq):
        raise record.fault("seq", f"not a run's number: {ref.seq!r}")
    if record.text("taskKey") != key.text or not record.where.endswith(f"/{ref.manifest}: $"):
        raise record.fault("runId", f"another run's, {record.text('runId', '')!r}")
    return ref


def _manifests(base: str) -> Iterator[str]:
    """Yield the manifests of phases and of their stages; links are passed over (Z-101)."""
    for phase in _folders(base):
        for place in (phase, *(f for f in _folders(phase) if "/stage-" in f[len(phase) :])):
            folder = f"{place}/{CATEGORIES['manifests']}"
            if os.path.islink(folder) or not os.path.isdir(folder):
                continue
            for name in sorted(os.listdir(folder)):
                path = f"{folder}/{name}"
                fits = name.startswith(f"{MANIFEST_STEM}-") and name.endswith(".json")
                if fits and not os.path.islink(path):
                    yield path


def _folders(place: str) -> list[str]:
    if os.path.islink(place) or not os.path.isdir(place):
        return []
    with os.scandir(place) as entries:
        return sorted(e.path for e in entries if e.is_dir(follow_symlinks=False))


def _timeline(root: str, key: TaskKey) -> dict[str, str]:
    """Return the statuses of the task's timeline by run; a broken one tells nothing."""
    path = f"{root}/{task_relative(key.group, key.id)}/history/timeline.json"
    try:
        rows = strict_json.read(path).versioned(1).records("runs")
        return {row.text("runId"): row.text("status") for row in rows}
    except UserError:
        return {}


def _there(root: str, relative: str) -> str | None:
    return relative if os.path.isfile(os.path.join(root, relative)) else None
