"""Gives a run its number (P-074, P-176, P-184): counted and taken under the task's lock.

What takes a number is a file in the run's folders: once the run context is there, no other run
counts to the same number, and nothing has to be given back after a kill.
"""

from __future__ import annotations

import os
from typing import Callable

from okstra_ctl.prepare import task_record
from okstra_ctl.prepare.facts import Run
from okstra_ctl.prepare.manifest import run_context
from okstra_ctl.runs import run_numbers_files
from okstra_ctl.runs.run_ref import CATEGORIES, RunRef
from okstra_kernel import Refusal, locks, store
from okstra_project import task_manifest
from okstra_project.task_key import TaskKey


def reserve(
    home: str,
    root: str,
    key: TaskKey,
    task_type: str,
    override: str,
    run: Callable[[RunRef], Run],
) -> Run:
    """Return `run` of the next number, taken. Raises Refusal for another task's folder."""
    with locks.hold(home, task_manifest.lock_name(key)):
        record = task_manifest.read(root, key.group, key.id)
        task_record.same_task(dict(record.members) if record else {}, key)
        seq = override or run_numbers_files.next_run_seq(home, root, key, task_type)
        ref = RunRef(key, task_type, None, seq)
        if os.path.lexists(os.path.join(root, ref.run_context)):
            raise Refusal(f"this run number is taken: {run_numbers_files.OVERRIDE}={override}")
        for folder in CATEGORIES.values():
            store.make_folder(root, f"{ref.run_dir}/{folder}")
        taken = run(ref)
        store.write_json(root, ref.run_context, run_context(taken))
        return taken
