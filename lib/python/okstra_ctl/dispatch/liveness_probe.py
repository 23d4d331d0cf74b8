"""The effects around `liveness`: team states, sidecars and the clock; a text comes out (D-121)."""

from __future__ import annotations

import json
import os
import time
from typing import Iterable, NamedTuple

from okstra_ctl.dispatch import liveness, sidecars
from okstra_ctl.dispatch.liveness import Verdict
from okstra_ctl.evidence import heartbeat
from okstra_ctl.runs import team_state_files
from okstra_ctl.runs.team_state import TERMINAL
from okstra_kernel import UserError, strict_json

TAIL = 1 << 20  # bytes; heartbeats are appended, so the newest is near the end


Table = dict[str, dict[str, strict_json.Record]]  # team state -> worker -> its row


class Limits(NamedTuple):
    """Spans in seconds."""

    max_idle: int = heartbeat.BUDGET
    launch_grace: int = 60
    stall_confirm: int | None = None  # half of max_idle

    @property
    def confirm(self) -> int:
        return self.max_idle // 2 if self.stall_confirm is None else self.stall_confirm


def report(pairs: Iterable[tuple[str, str]], limits: Limits, *, as_json: bool) -> tuple[int, str]:
    """Return 0 if all are healthy, else 1, and what to print about these (team state, worker).

    Those that seem stalled are looked at again, once for all, before it is said (D-124). Raises
    UserError for a file or a worker that cannot be judged (D-125).
    """
    wanted = list(pairs)
    table = _table(wanted)
    verdicts = [_probe(table, path, worker, limits) for path, worker in wanted]
    if limits.confirm and any(one.word == liveness.STALLED for one in verdicts):
        time.sleep(limits.confirm)
        table = _table(wanted)
        verdicts = [
            _confirmed(old, table, path, worker, limits)
            for old, (path, worker) in zip(verdicts, wanted, strict=True)
        ]
    status = 0 if all(one.healthy for one in verdicts) else 1
    rows = [(worker, one) for (_, worker), one in zip(wanted, verdicts, strict=True)]
    if as_json:
        return status, _json(status, rows)
    return status, "\n".join(f"{worker}\t{one.word}" for worker, one in rows)


def _probe(table: Table, path: str, worker: str, limits: Limits) -> Verdict:
    """Judge one worker now. A relative path of its row starts at the project. Raises UserError."""
    row = table[path].get(worker)
    if row is None:
        raise UserError(f"{path}: no such worker: {worker}")
    status, now = row.text("status"), int(time.time())
    if status in TERMINAL:
        return Verdict(status, 0)
    root = team_state_files.project_of(path)[0]
    started_at = row.time("startedAt")
    mode = row.text("livenessMode")
    if mode == liveness.AUDIT_HEARTBEAT:
        beats = heartbeat.times(_tail(os.path.join(root, row.text("auditSidecarPath"))))
        return liveness.of_heartbeats(status, started_at, beats, now=now, max_idle=limits.max_idle)
    if mode != liveness.WRAPPER_STATUS:
        raise row.fault("livenessMode", f"unknown: {mode!r}")
    prompt = os.path.join(root, row.text("promptPath"))
    signs = [_changed(sidecars.transcript(prompt)), _changed(sidecars.status(prompt))]
    return liveness.of_wrapper(
        status,
        started_at,
        signs,
        now=now,
        grace=limits.launch_grace,
        max_idle=limits.max_idle,
    )


def _confirmed(old: Verdict, table: Table, path: str, worker: str, limits: Limits) -> Verdict:
    """Return stalled only if no newer sign came while we waited."""
    if old.word != liveness.STALLED:
        return old
    again = _probe(table, path, worker, limits)
    moved = again.silence < old.silence + limits.confirm
    return again._replace(word=liveness.LIVE) if moved and not again.healthy else again


def _table(wanted: list[tuple[str, str]]) -> Table:
    """Read each team state once, however many of its workers are asked about (Q-13)."""
    return {
        path: {row.text("workerId"): row for row in strict_json.read(path).records("workers")}
        for path in dict.fromkeys(path for path, _ in wanted)
    }


def _changed(path: str) -> int:
    try:
        return int(os.stat(path).st_mtime)
    except (OSError, ValueError):
        return 0


def _tail(path: str) -> str:
    """Return the end of a file; nothing for one that is not there yet, or is no plain file."""
    if not os.path.isfile(path):
        return ""
    try:
        with open(path, "rb") as stream:
            stream.seek(max(0, os.fstat(stream.fileno()).st_size - TAIL))
            return stream.read(TAIL).decode("utf-8", "replace")
    except OSError as err:
        raise UserError(f"{path}: {err.strerror}") from err


def _json(status: int, rows: list[tuple[str, Verdict]]) -> str:
    workers = [
        {"workerId": worker, "verdict": one.word, "ageSeconds": one.silence} for worker, one in rows
    ]
    answer = {"schemaVersion": 1, "ok": status == 0, "workers": workers}
    return json.dumps(answer, ensure_ascii=False)
