"""`okstra run`: which lead, then over to the launcher (L-055 to L-073). Only that is decided here.

Input questions, prepare, the sandbox question and the start belong to the launcher alone (L-066).
"""

from __future__ import annotations

import json
import os
from typing import NoReturn

from okstra_ctl.leads import host_session_process, resolver, runtimes
from okstra_ctl.prepare import environment
from okstra_ctl.prepare.inputs import VALUED
from okstra_ctl.surfaces import backend_probe
from okstra_kernel import Refusal, UserError, assets

LAUNCHER = ("bin", "okstra.sh")


def run(words: list[str]) -> NoReturn:
    """Become the launcher for the lead that these words ask for. Raises UserError."""
    requested, rest = resolver.split_run_arguments(words, VALUED)
    around = environment.read()
    variables = around.variables
    found = resolver.resolve(
        requested,
        around.value(resolver.HOST_VARIABLE),
        host_session_process.current_host(variables),
        backend_probe.tmux_available(variables),
    )
    if found.resolved == runtimes.EXTERNAL:
        raise Refusal(
            f"not available yet: a run without a session of its own ({found.resolved})",
            next_step="okstra run claude, or okstra run codex",
        )
    _become_launcher([*_told(found), *rest])


def _told(found: resolver.Resolution) -> list[str]:
    """Return what the launcher is told of the choice, so that the manifest keeps it (Z-003)."""
    return [
        f"--lead-runtime={found.resolved}",
        f"--lead-runtime-request={found.requested}",
        f"--runtime-resolution-json={json.dumps(found.to_json())}",
    ]


def _become_launcher(words: list[str]) -> NoReturn:
    """Replace this process: the exit status and signals are then the launcher's own (L-067)."""
    try:
        launcher = assets.path(*LAUNCHER)
    except UserError as err:
        raise Refusal(str(err), next_step="okstra install") from None
    try:
        os.execv(launcher, [launcher, *words])
    except OSError as err:
        raise Refusal(f"the launcher cannot be started: {launcher}: {err.strerror}") from err
