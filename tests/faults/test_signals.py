"""Signals at random times: the command ends as signals say, quietly, in a sound state (XF-06)."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import subprocess
import time

from faults import soundness, sweep
from faults.conftest import AGAIN
from faults.sandbox import BIN, Sandbox, prepare

SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
TIMES = 1 if sweep.LEVEL == sweep.SAMPLE else 20
LONGEST = 0.5  # seconds until the signal: about what a prepare takes
COMMANDS = {
    "render-bundle": prepare(),
    "okstra.sh": [str(BIN / "okstra.sh"), "--render-only", *prepare()[2:]],
    "set-work-status": [str(BIN / "okstra"), "set-work-status", "shop:g:T1", "blocked"],
    "trust": [str(BIN / "okstra"), "trust", "--yes"],
    "config": [str(BIN / "okstra"), "config", "show"],
    "task-list": [str(BIN / "okstra"), "task-list"],
}


def test_signals_at_random_times(boxes: list[Sandbox]) -> None:
    dice = random.Random(6)
    items = [
        (name, number, dice.uniform(0.0, LONGEST if "T1" in str(command) else LONGEST / 3))
        for name, command in COMMANDS.items()
        for number in SIGNALS
        for _ in range(TIMES)
    ]
    if sweep.LEVEL == sweep.SAMPLE:
        items = items[:6]
    sweep.sweep("XF-06 signals", boxes, items, _strike)


def _strike(box: Sandbox, item: tuple[str, signal.Signals, float]) -> list[str]:
    name, number, after = item
    box.restore(AGAIN)
    before = soundness.manifests(box)
    temporary = box.live / "tmp"
    temporary.mkdir()
    process = subprocess.Popen(
        COMMANDS[name], cwd=box.project, env=box.env(TMPDIR=str(temporary)), text=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        start_new_session=True, restore_signals=True,
    )  # fmt: skip
    time.sleep(after)
    ended = process.poll() is not None
    if not ended:
        # As a terminal does: the whole group gets it.
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, number)
    out, err = process.communicate(timeout=60)
    status = process.returncode
    status = 128 - status if status < 0 else status
    found = []
    if status not in ((0,) if ended else (0, 128 + number)):
        found.append(f"exit {status}: {out}{err}")
    if "Traceback" in err or "KeyboardInterrupt" in err:
        found.append(f"a traceback: {err}")
    # Between mktemp's making a file and telling its name, Bash cannot know what to remove: an empty
    # file may stay.
    left = [path.name for path in temporary.iterdir() if path.stat().st_size]
    if left and status != 0:
        found += [f"left behind: {x}" for x in left if not x.startswith("sh-thd")]
    return [*found, *soundness.faults(box, before)]
