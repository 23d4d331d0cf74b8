"""Adds errors to a run's log: checked, without secrets, a whole line at a time (D-170, D-174)."""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from typing import Any, Iterable, Mapping, NamedTuple

from okstra_ctl.runs import error_line, error_record, error_sidecar
from okstra_ctl.runs.error_record import Entry, Origin
from okstra_ctl.runs.run_ref import CATEGORIES, ERROR_LOG_STEM
from okstra_kernel import UserError, iso_time, jsonl, plain_file, redaction, store, strict_json
from okstra_project import task_key
from okstra_project.dirs import task_relative

LONGEST_SIDECAR = 4 << 20  # bytes
LONGEST_EXCERPT = 64 << 10  # bytes of a file that are looked at
_LOG = rf"runs/([^/]+)(?:/stage-\d+)?/{CATEGORIES['logs']}/{ERROR_LOG_STEM}-\1-\d{{3,}}\.jsonl"
_FREE = ("message", "command", "stderrExcerpt", "context", "model")  # what somebody wrote


class Log(NamedTuple):
    """Which run's log: the project's root, and the file below it."""

    root: str
    relative: str


def find(out: str, key_text: str, cwd: str) -> Log:
    """Return the log that is named. Raises UserError for what is no run's log of this task."""
    key = task_key.parse(key_text)
    path = os.path.abspath(os.path.join(cwd, out))
    root, task, inside = path.rpartition(f"/{task_relative(key.group, key.id)}/")
    if not task or not re.fullmatch(_LOG, inside):
        raise UserError(f"not an error log of a run of {key.text}: {out}")
    if not os.path.isdir(os.path.dirname(os.path.dirname(path))):
        raise UserError(f"no such run: {out}")
    return Log(root, path[len(root) + 1 :])


def append_observed(log: Log, origin: Origin, entry: Entry, environment: Mapping[str, str]) -> int:
    """Add an error that the caller saw. Raises UserError: then nothing was written (D-178)."""
    error_record.check_origin(origin)
    error_record.check_entry(entry)
    return _append(log, _records([entry], origin, environment))


def append_from_worker(
    log: Log, origin: Origin, sidecar: str, environment: Mapping[str, str], cwd: str
) -> int:
    """Add what a worker wrote down, and return how many were added; no file, none (D-180).

    What an earlier, perhaps killed, dump of this sidecar added is not added again (D-182).
    Raises UserError: then nothing was written.
    """
    error_record.check_origin(origin)
    path = os.path.abspath(os.path.join(cwd, sidecar))
    named = path.removeprefix(f"{log.root}/")
    if not os.path.lexists(path):
        return 0
    entries = error_sidecar.entries(_read(log.root, path, named, sidecar))
    if not entries:
        return 0
    origin = origin._replace(source=error_record.WORKER_SIDECAR, sidecar=named)
    return _append(log, _new(_records(entries, origin, environment), log))


def excerpt(path: str, cwd: str) -> str:
    """Return the beginning of a file that holds what a command wrote. Raises UserError."""
    data = plain_file.read(os.path.join(cwd, path), path, limit=LONGEST_EXCERPT)
    return data.decode("utf-8", "replace")


def _read(root: str, path: str, named: str, given: str) -> strict_json.Record:
    if named != path:
        store.refuse_links(root, named)
    elif os.path.islink(path):
        raise UserError(f"a link, not a worker's file: {given}")
    data = plain_file.read(path, given, limit=LONGEST_SIDECAR)
    if len(data) > LONGEST_SIDECAR:
        raise UserError(f"larger than {LONGEST_SIDECAR >> 20} MiB: {given}")
    return strict_json.parse(data, given)


def _records(
    entries: Iterable[Entry], origin: Origin, environment: Mapping[str, str]
) -> list[dict[str, Any]]:
    known, now = redaction.secrets(environment), iso_time.now()
    found = []
    for entry in entries:
        record = error_record.record(entry, origin, now)
        hidden = {name: redaction.hide_in(record[name], known) for name in _FREE}
        found.append(error_line.fit({**record, **hidden}))
    return found


def _new(records: list[dict[str, Any]], log: Log) -> list[dict[str, Any]]:
    known = Counter(
        _identity(row.members)
        for row in jsonl.each(os.path.join(*log), longest=error_line.LINE)
        if isinstance(row, strict_json.Record)
    )
    found = []
    for record in records:
        identity = _identity(record)
        if known[identity]:
            known[identity] -= 1
        else:
            found.append(record)
    return found


def _identity(record: dict[str, Any]) -> str:
    return json.dumps({**record, "recordedAt": ""}, sort_keys=True)


def _append(log: Log, records: list[dict[str, Any]]) -> int:
    for record in records:
        jsonl.append(log.root, log.relative, [record])
    return len(records)
