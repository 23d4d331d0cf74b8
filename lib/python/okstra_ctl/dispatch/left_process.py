"""Ends a dispatch's processes, by what was recorded of them and nothing else (Z-011, D-079, XF-05).

The team state's record counts before the sidecar, which the CLI could write over.
"""

from __future__ import annotations

import contextlib
import os
import signal
import time

from okstra_ctl.dispatch import records, start_process, wrapper_status
from okstra_ctl.dispatch.records import Record
from okstra_ctl.dispatch.run_files import RunFiles
from okstra_ctl.dispatch.wrapper_status import WrapperStatus
from okstra_kernel import processes

_WRAPPER_GRACE = processes.TERM_GRACE + 6.0  # seconds: it gives its CLI the usual ones, and more
_POLL = 0.05  # seconds


def end(run: RunFiles, record: Record) -> bool:
    """End a dispatch: its wrapper, which ends the CLI and says so, and then what it left.

    Return whether nothing is left. A wrapper that was started and has no sign yet is waited for.
    """
    prompt = run.path(record["promptPath"])
    until = time.monotonic() + start_process.SIGN_WAIT
    while (status := wrapper_status.read(prompt)) is None:
        if not record["startedAt"] or not start_process.is_held(prompt):
            return True
        if time.monotonic() >= until:
            return False
        time.sleep(_POLL)
    record = records.with_process(record, status)
    wrapper, begun, ok = record["wrapperPid"], record["wrapperStartedAt"], True
    if processes.is_alive(wrapper, begun):
        ok = processes.end_group(wrapper, begun, grace=_WRAPPER_GRACE)
        status = wrapper_status.read(prompt) or status
    return end_rest(record, status) and ok


def end_rest(record: Record, status: WrapperStatus) -> bool:
    """End what a wrapper that is gone left of its CLI. Return whether nothing is left."""
    record = records.with_process(record, status)
    group, begun = record["processGroup"], record["processStartedAt"]
    ok = not group or processes.end_group(group, begun, session=record["wrapperPid"])
    return processes.end_each(status.escaped) and ok


def is_attended(record: Record, status: WrapperStatus) -> bool:
    """Tell whether the wrapper of a dispatch lives."""
    record = records.with_process(record, status)
    return processes.is_alive(record["wrapperPid"], record["wrapperStartedAt"])


def ask_to_stop(record: Record, status: WrapperStatus) -> None:
    """Tell a wrapper that its deadline has passed, as its watcher would (D-108)."""
    if is_attended(record, status):
        with contextlib.suppress(ProcessLookupError):
            os.kill(records.with_process(record, status)["wrapperPid"], signal.SIGUSR2)
