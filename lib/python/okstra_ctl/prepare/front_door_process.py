"""`okstra run`: which lead, then over to the launcher (L-055 to L-073). Only that is decided here.

Input questions, prepare, the sandbox question and the start belong to the launcher alone (L-066).
Without a session the run is prepared and then driven by `okstra drive` (H-020).
"""

from __future__ import annotations

import json
import os
import sys
from typing import NoReturn

from okstra_ctl.leads import host_session_process, resolver, runtimes
from okstra_ctl.prepare import environment
from okstra_ctl.prepare.inputs import VALUED
from okstra_ctl.surfaces import backend_probe
from okstra_kernel import Refusal, UserError, assets, notice
from okstra_project.dirs import OKSTRA_DIR_NAME

LAUNCHER = ("bin", "okstra.sh")
RENDER, DRIVE = ("bin", "okstra-render-bundle"), ("bin", "okstra-drive")
DRIVE_VALUED = (
    *("--until", "--max-rounds", "--max-parallel"),
    *("--budget-usd", "--budget-tokens", "--local-seconds"),
)
DRIVE_FLAGS = ("--dry-run", "--json", "--yes")
MANIFEST_LABEL = "run manifest path"


def run(words: list[str]) -> NoReturn:
    """Become the launcher for the lead that these words ask for. Raises UserError."""
    requested, rest = resolver.split_run_arguments(words, (*VALUED, *DRIVE_VALUED))
    around = environment.read()
    variables = around.variables
    found = resolver.resolve(
        requested,
        around.value(resolver.HOST_VARIABLE),
        host_session_process.current_host(variables),
        backend_probe.tmux_available(variables),
    )
    if found.resolved == runtimes.EXTERNAL:
        _drive(*_parted(rest), _told(found))
    _become(LAUNCHER, [*_told(found), *rest])


def _told(found: resolver.Resolution) -> list[str]:
    """Return what the launcher is told of the choice, so that the manifest keeps it (Z-003)."""
    return [
        f"--lead-runtime={found.resolved}",
        f"--lead-runtime-request={found.requested}",
        f"--runtime-resolution-json={json.dumps(found.to_json())}",
    ]


def _parted(words: list[str]) -> tuple[list[str], list[str]]:
    """Return the words for prepare and those for the drive; `--yes` answers both (H-020)."""
    prepare: list[str] = []
    drive: list[str] = []
    rest = iter(words)
    for word in rest:
        name, equals, _ = word.partition("=")
        if name not in (*DRIVE_VALUED, *DRIVE_FLAGS):
            prepare.append(word)
            continue
        drive.append(word)
        if name in DRIVE_VALUED and not equals:
            drive += [next(rest, "")]
        if name == "--yes":
            prepare.append(word)
    return prepare, drive


def _drive(prepare: list[str], drive: list[str], told: list[str]) -> NoReturn:
    """Prepare, then become the drive of that run (H-020, D-089). Exits with what prepare says."""
    import subprocess

    words = [_file(RENDER), *told, *prepare]
    done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=False)
    labels = dict(
        line.partition(": ")[::2] for line in done.stdout.decode("utf-8", "replace").splitlines()
    )
    if done.returncode or MANIFEST_LABEL not in labels:
        sys.stdout.buffer.write(done.stdout)
        sys.stdout.flush()
        raise SystemExit(done.returncode or 1)
    for name, value in labels.items():
        notice.tell(notice.printable(f"{name}: {value}"))
    manifest = labels[MANIFEST_LABEL]
    root = manifest.partition(f"/{OKSTRA_DIR_NAME}/")[0]
    place = [f"--project-root={root}", f"--run-manifest={manifest}"]
    _become(DRIVE, [*place, *drive])


def _become(program: tuple[str, ...], words: list[str]) -> NoReturn:
    """Replace this process: the exit status and signals are then the other's own (L-067)."""
    path = _file(program)
    try:
        os.execv(path, [path, *words])
    except OSError as err:
        what = "the launcher" if program == LAUNCHER else os.path.basename(path)
        raise Refusal(f"{what} cannot be started: {path}: {err.strerror}") from err


def _file(program: tuple[str, ...]) -> str:
    try:
        return assets.path(*program)
    except UserError as err:
        raise Refusal(str(err), next_step="okstra install") from None
