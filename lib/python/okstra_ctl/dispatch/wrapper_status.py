"""The status that a wrapper keeps of its CLI (D-115, D-116), as read from its sidecar."""

from __future__ import annotations

import functools
import os
import stat
from typing import NamedTuple

from okstra_ctl.dispatch import sidecars
from okstra_kernel import UserError, strict_json

RUNNING, COMPLETED, FAILED, TIMEOUT = "running", "completed", "failed", "timeout"
STATES = (RUNNING, COMPLETED, FAILED, TIMEOUT)


class WrapperStatus(NamedTuple):
    """Times are seconds since 1970. Without a process (yet) pid and group are 0."""

    state: str
    wrapper_pid: int
    wrapper_started: str  # as okstra_kernel/processes has it
    pid: int
    group: int
    process_started: str  # as okstra_kernel/processes has it
    started_at: int
    heartbeat_at: int
    ended_at: int  # 0 while it runs
    exit_code: int | None
    reason: str
    escaped: tuple[tuple[int, str], ...] = ()  # pid and start of what left the CLI's group


def read(prompt_path: str) -> WrapperStatus | None:
    """Return the status beside a prompt; None where there is none that can be read.

    It is replaced whole, so one that cannot be read was not the wrapper's, and one that looks as it
    did is not read again.
    """
    path = sidecars.status(prompt_path)
    try:
        found = os.stat(path)
    except OSError:
        return None
    if not stat.S_ISREG(found.st_mode):
        return None
    return _read(path, found.st_ino, found.st_mtime_ns, found.st_size)


def ended(prompt_path: str) -> bool:
    """Tell whether a wrapper has said that its CLI has ended."""
    status = read(prompt_path)
    return status is not None and status.state != RUNNING


@functools.lru_cache(256)
def _read(path: str, *_: int) -> WrapperStatus | None:
    try:
        return _status(strict_json.read(path))
    except UserError:
        return None


def _status(record: strict_json.Record) -> WrapperStatus:
    state = record.text("status")
    if state not in STATES:
        raise record.fault("status", f"none of {', '.join(STATES)}")
    code = record.members.get("exitCode")
    return WrapperStatus(
        state=state,
        wrapper_pid=record.integer("wrapperPid"),
        wrapper_started=record.text("wrapperStartedAt"),
        pid=_number(record, "pid"),
        group=_number(record, "processGroup"),
        process_started=record.text("processStartedAt"),
        started_at=record.time("startedAt"),
        heartbeat_at=record.time("heartbeatAt"),
        ended_at=record.time("endedAt") if record.members.get("endedAt") else 0,
        exit_code=code if isinstance(code, int) else None,
        reason=record.text("reason"),
        escaped=tuple(map(_process, record.records("escaped") if "escaped" in record else ())),
    )


def _process(row: strict_json.Record) -> tuple[int, str]:
    return row.integer("pid"), row.text("processStartedAt")


def _number(record: strict_json.Record, name: str) -> int:
    return record.integer(name) if record.members.get(name) is not None else 0
