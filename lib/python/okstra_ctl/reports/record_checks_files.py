"""The records of a run that has come to its end: workers, votes, sessions (R-122 to R-126).

What cannot be read is a breach like any other, and stops no other check (R-125).
"""

from __future__ import annotations

import os
from typing import Any, Iterator

from okstra_ctl.convergence import document_files, replaying, run_names
from okstra_ctl.convergence.engine import ConvergenceEngine
from okstra_ctl.dispatch.run_files import RunFiles
from okstra_ctl.evidence import audit_files, heartbeat
from okstra_ctl.leads import runtimes
from okstra_ctl.reports import breach, session_rules, usage_table
from okstra_ctl.reports.breach import Breach
from okstra_ctl.runs import team_state
from okstra_kernel import UserError, iso_time, plain_file

Members = dict[str, Any]
_LIMIT = 32 << 20  # bytes of an audit sidecar


def workers(run: RunFiles, state: Members) -> Iterator[Breach]:
    """Yield what is wrong with workers' results and their audit sidecars (R-123, R-124)."""
    for record in state["workerDispatches"]:
        name = f"{record['workerId']} {record['dispatchKind']}"
        if team_state.is_pending(record):
            yield Breach(breach.WORKERS, run.team_state, 0, f"{name} is {record['status']}")
        if record["status"] != "completed":
            continue
        for path in record["completionPaths"]:
            below = os.path.relpath(path, run.run_dir)
            if replaying.found_path(run.path(run.run_dir), below) is None:
                yield Breach(breach.WORKERS, path, 0, f"not there, and {name} is completed")
    yield from _results(run)


def _results(run: RunFiles) -> Iterator[Breach]:
    of = audit_files.Run(run.path(run.run_dir), run.task_type, run.seq)
    try:
        for stem in audit_files.stems(of, ""):
            path = os.path.relpath(of.path("workerResults", stem), run.root)
            for one in audit_files.check(of, stem):
                yield Breach(breach.WORKERS, path, one.line, f"{one.rule}: {one.message}")
    except UserError as err:
        yield Breach(breach.WORKERS, run.run_dir, 0, str(err))


def convergence(run: RunFiles) -> tuple[Members | None, list[Breach]]:
    """Return the final state of the run's votes, None without a sound one, and what is wrong.

    The state is held against its own votes, and computed once more from the files of the run.
    """
    relative = f"{run.run_dir}/{run_names.final_state(run.task_type, run.seq)}"
    try:
        record = document_files.read(run.path(relative)).record
        ConvergenceEngine().check(record)
    except UserError as err:
        return None, [Breach(breach.CONVERGENCE, relative, 0, str(err))]
    return record.members, list(_replay(run))


def has_votes(run: RunFiles) -> bool:
    """Tell whether the run has put anything to the vote."""
    return os.path.lexists(
        run.path(f"{run.run_dir}/{run_names.work_state(run.task_type, run.seq)}")
    )


def _replay(run: RunFiles) -> Iterator[Breach]:
    try:
        told = replaying.replay(run.path(run.run_dir), run.seq)["differences"]
    except UserError as err:
        told = [str(err)]
    for line in told:
        yield Breach(breach.CONVERGENCE, run.run_dir, 0, f"replay: {line}")


def sessions(run: RunFiles, state: Members) -> Iterator[Breach]:
    """Yield what the sessions of lead and workers leave to be desired (R-098, R-126)."""
    runtime = str(run.manifest["leadRuntime"])
    kept = not runtimes.is_artifact_only_runtime(runtime)
    if kept and not run.manifest.get("leadSessionId"):
        what = "no session id of its lead: what it used cannot be counted"
        yield Breach(breach.SESSION, run.team_state, 0, what)
    for row in state["workers"]:
        if row["runner"] == usage_table.HOSTED and row["startedAt"] and row["endedAt"]:
            yield from _heartbeats(run, row)


def _heartbeats(run: RunFiles, row: Members) -> Iterator[Breach]:
    stem = f"{row['workerId']}-audit"
    path = row.get("auditSidecarPath") or run.file("worker-results", stem, ".md")
    try:
        text = plain_file.read(run.path(path), path, limit=_LIMIT).decode("utf-8", "replace")
        begun, ended = iso_time.parse(row["startedAt"]), iso_time.parse(row["endedAt"])
    except (UserError, ValueError) as err:
        yield Breach(breach.SESSION, path, 0, str(err))
        return
    fault = session_rules.silence(begun, ended, heartbeat.times(text))
    if fault:
        yield Breach(breach.SESSION, path, 0, f"{row['workerId']}: {fault}")
