"""The central index in okstra's home: a cache of the run manifests (P-209 to P-218).

`recent.jsonl` has one row for each run, `active.jsonl` those that may be in progress. Both are
written under one lock, which is not re-entrant: reconcile takes it after a start has let go of it.
"""

from __future__ import annotations

import json
import os
import stat
import time
from typing import Any

from okstra_ctl.runs import index_row, outcome_files
from okstra_ctl.runs.run_ref import RunRef
from okstra_kernel import UserError, jsonl, locks, plain_file, store, strict_json
from okstra_project import task_key

LOCK = "central.lock"
RECENT, ACTIVE = "recent.jsonl", "active.jsonl"
FOLDERS = ("archive", locks.FOLDER, "batches", "projects")


def open_home(home: str) -> None:
    """Make okstra's home, or close it again to others: what it holds is private (P-049)."""
    try:
        os.makedirs(home, 0o700, exist_ok=True)
        if os.stat(home).st_uid != os.geteuid():
            raise UserError(f"okstra's home would be somebody else's folder: {home}")
        if stat.S_IMODE(os.stat(home).st_mode) != 0o700:
            os.chmod(home, 0o700)
    except OSError as err:
        raise UserError(f"okstra's home cannot be used: {home}: {err.strerror}") from err
    for folder in FOLDERS:
        if not os.path.isdir(os.path.join(home, folder)):
            store.make_folder(home, folder, mode=0o700)


def record_start(home: str, manifest: dict[str, Any]) -> None:
    """Enter a run. Raises UserError; the run itself goes on without a row (P-212)."""
    row = index_row.row(manifest)
    with locks.hold(home, LOCK):
        # In this order: a run that reconcile does not see would be called running for ever.
        jsonl.append(home, ACTIVE, [row])
        jsonl.append(home, RECENT, [row])


def numbers(home: str, task_key: str, task_type: str) -> list[int]:
    """Return the numbers of a phase's runs that the index knows, on disk or not.

    An index that cannot be read knows none: entering the run will say so (P-212).
    """
    prefix = f"{task_key}/{task_type}/"
    needle = json.dumps(prefix, ensure_ascii=False)[:-1].encode("utf-8", "surrogatepass")
    try:
        lines = _lines(home, RECENT)
    except UserError:
        return []
    return [_number(line, prefix) for line in lines if needle in line]


def reconcile(home: str, project_id: str) -> list[str]:
    """Put right the rows of a project's runs that ended without telling. Return notices.

    Only `active.jsonl` is looked through: what has ended for good is not in it (P-213 to P-215).
    """
    if not project_id:
        return []
    with locks.hold(home, LOCK):
        active = jsonl.read(os.path.join(home, ACTIVE))
        news: dict[str, str] = {}
        faults = list(active.faults)
        for record in active.records:
            try:
                news.update(_news(record, project_id))
            except UserError as err:  # a row that makes no sense hides no other
                faults.append(str(err))
        if news:
            _rewrite(home, RECENT, news, drop=False)
            _rewrite(home, ACTIVE, news, drop=True)
    return faults


def _news(record: strict_json.Record, project_id: str) -> dict[str, str]:
    """Return a run's new status by its id; nothing where the row tells the truth."""
    if record.text("projectId", "") != project_id:
        return {}
    now = time.time()
    status = index_row.settled(record, _facts(record, now), now)
    return {} if status == record.text("status") else {record.text("runId"): status}


def _rewrite(home: str, name: str, news: dict[str, str], *, drop: bool) -> None:
    """Write a file again with these runs' new statuses; what is no row stays as it is (P-218)."""
    lines = []
    for line in _lines(home, name):
        whole = line if line.endswith(b"\n") else line + b"\n"
        try:
            record = strict_json.parse(line, name)
            status = news.get(record.text("runId", ""))
        except UserError:
            lines.append(whole)
            continue
        if status is None:
            lines.append(whole)
        elif not drop:
            lines.append(jsonl.encode({**record.members, "status": status}))
    store.write(home, name, b"".join(lines), mode=store.PRIVATE)


def _lines(home: str, name: str) -> list[bytes]:
    """Return the lines of a file as they are; a missing file counts as empty (P-218)."""
    try:
        with plain_file.stream(os.path.join(home, name)) as stream:
            return stream.readlines()
    except FileNotFoundError:
        return []
    except OSError as err:
        raise UserError(f"{home}/{name}: {err.strerror}") from err


def _facts(record: strict_json.Record, now: float) -> index_row.Facts:
    root, run_dir = record.text("projectRoot"), record.text("runDir")
    stage = record.members.get("stage")
    key = task_key.parse(record.text("taskKey"))
    ref = RunRef(key, record.text("taskType"), stage, record.text("seq"))
    manifest = os.path.isfile(os.path.join(root, ref.manifest))
    ended = outcome_files.outcome(os.path.join(root, ref.status))
    asked = manifest and not ended and index_row.may_be_given_up(record, now)
    changed = _newest(os.path.join(root, run_dir)) if asked else 0.0  # of no other it matters
    return index_row.Facts(manifest=manifest, outcome=ended, changed_at=changed)


def _newest(folder: str) -> float:
    """Return when a file of the run last changed, in seconds since 1970."""
    newest = 0.0
    for place, _, files in os.walk(folder):
        for name in files:
            try:
                newest = max(newest, os.lstat(os.path.join(place, name)).st_mtime)
            except OSError:
                continue  # gone meanwhile: it changed, but others will show it
    return newest


def _number(line: bytes, prefix: str) -> int:
    try:
        tail = strict_json.parse(line, RECENT).text("runId").removeprefix(prefix)
    except UserError:
        return 0
    return int(tail) if tail.isascii() and tail.isdigit() and len(tail) < 10 else 0
