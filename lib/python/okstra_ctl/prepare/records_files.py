"""Writes the machine's records of a run, the manifest last: absent, or complete (XF-01)."""

from __future__ import annotations

from typing import Mapping

from okstra_ctl.prepare import manifest, prior_records_files, task_index, task_record
from okstra_ctl.prepare.facts import Members, Run
from okstra_kernel import assets, locks, store
from okstra_project import task_manifest
from okstra_project.dirs import task_relative


def write_run(run: Run, prompt_sha256: str, resume: str, read: Mapping[str, bytes]) -> Members:
    """Write the run's own files and return its manifest; `read` is what workers read, by path."""
    root, ref = run.inputs.project_root, run.ref
    store.write_text(root, ref.resume_command, resume, mode=store.PROGRAM)
    records = {
        ref.team_state: manifest.team_state(run),
        ref.active_run_context: manifest.active_run_context(run),
        ref.run_context: manifest.run_context(run, prompt_sha256),
    }
    written = {path: store.json_bytes(record) for path, record in records.items()}
    store.write_all(root, {**read, **written})
    members = manifest.run_manifest(run, prompt_sha256)
    store.write_json(root, ref.manifest, members)
    return members


def write_task(run: Run) -> None:
    """Make this run the latest of its task: manifest, timeline, index for people."""
    root, key = run.inputs.project_root, run.ref.key
    base = task_relative(key.group, key.id)
    timeline_path = f"{base}/{prior_records_files.TIMELINE}"
    with locks.hold(run.accepted.home, task_manifest.lock_name(key)):
        prior = prior_records_files.timeline(root, key)
        before = [row.members for row in prior.records("runs")] if prior else []
        timeline = task_record.with_timeline_row(before, run)
        store.write_json(root, timeline_path, timeline)
        rows = timeline["runs"]
        task_manifest.write(root, key, lambda before: task_record.with_run(before, run, rows))
        record = task_manifest.read(root, key.group, key.id)
        task = record.members if record else {}
        text = assets.text(*task_index.TEMPLATE)
        index = task_index.task_index(text, task, rows, run.started_at)
        store.write_text(root, f"{base}/task-index.md", index)
