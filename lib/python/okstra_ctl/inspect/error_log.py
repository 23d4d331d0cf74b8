"""`okstra error-log`: adds what went wrong in a run to the run's log (D-170, D-171)."""

from __future__ import annotations

import os
import re
import time
from typing import NamedTuple

from okstra_ctl.runs import error_log_files
from okstra_ctl.runs.error_record import Entry, Origin
from okstra_kernel import UserError, display, strict_json

Answer = tuple[int, str]


class Target(NamedTuple):
    """Whose error it is and where it goes, in the words of the command line."""

    out: str
    task_key: str
    phase: str
    agent: str
    agent_role: str
    model: str | None
    as_json: bool


class Seen(NamedTuple):
    """What the caller saw, in the words of the command line; None: not given."""

    error_type: str
    message: str
    command: str | None
    exit_code: str | None
    duration_ms: str | None
    stderr_excerpt: str | None
    stderr_excerpt_file: str | None
    context_json: str | None


def append_observed(target: Target, seen: Seen) -> Answer:
    """Add one error. Raises UserError: then nothing was written (D-178)."""
    log = error_log_files.find(target.out, target.task_key, os.getcwd())
    entry = _entry(seen)
    written = error_log_files.append_observed(log, _origin(target), entry, os.environ)
    return _told(target, log, written)


def append_from_worker(target: Target, sidecar: str) -> Answer:
    """Add what a worker wrote down. Raises UserError: then nothing was written (D-182)."""
    cwd = os.getcwd()
    log = error_log_files.find(target.out, target.task_key, cwd)
    origin = _origin(target)
    written = error_log_files.append_from_worker(log, origin, sidecar, os.environ, cwd)
    return _told(target, log, written)


def _origin(target: Target) -> Origin:
    return Origin(target.task_key, target.phase, target.agent, target.agent_role, target.model)


def _entry(seen: Seen) -> Entry:
    excerpt = seen.stderr_excerpt
    if seen.stderr_excerpt_file is not None:
        excerpt = error_log_files.excerpt(seen.stderr_excerpt_file, os.getcwd())
    context = None
    if seen.context_json is not None:
        context = strict_json.parse(seen.context_json, "--context-json").members
    return Entry(
        ts=int(time.time()),
        error_type=seen.error_type,
        message=seen.message,
        stderr_excerpt=excerpt,
        context=context,
        command=seen.command,
        exit_code=_number("--exit-code", seen.exit_code),
        duration_ms=_number("--duration-ms", seen.duration_ms),
    )


def _number(option: str, text: str | None) -> int | None:
    if text is None:
        return None
    if not re.fullmatch("-?[0-9]{1,15}", text):
        raise UserError(f"not a whole number: {option}={text}")
    return int(text)


def _told(target: Target, log: error_log_files.Log, written: int) -> Answer:
    if display.wants_json(target.as_json):
        found = {"schemaVersion": 1, "ok": True, "path": log.relative, "written": written}
        return 0, display.document(found)
    return 0, f"{written} written to {display.visible(log.relative)}"
