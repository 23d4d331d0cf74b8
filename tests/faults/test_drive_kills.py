"""SIGKILL of `drive` at random moments of a whole run: it comes to the same report (H-024).

No turn whose result was complete is started again. A failure names its seed; that one alone is
tried again with OKSTRA_KILL_SEED=<seed>.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import subprocess
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from faults import sweep
from faults.crew import RUN, Crew
from faults.sandbox import Sandbox

READY, UNDISTURBED = "ready", "undisturbed.json"
LONGEST = 7.0  # seconds: about as long as a run takes
SEEDS = list(range(3000, 3100))
STRIKES = 3  # kills of one run, at most
DATA = RUN / "reports/final-report-error-analysis-001.data.json"
FINAL = RUN / "state/convergence-error-analysis-001.json"
TURNS = 6  # three analysers, two reviewers, one report writer
TIMES = ("durationMs", "startedAt", "endedAt", "generatedAt")


@pytest.fixture(scope="session")
def crews(tmp_path_factory: pytest.TempPathFactory) -> list[Sandbox]:
    found = sweep.sandboxes(tmp_path_factory.mktemp("driven"))
    for box in found:
        made = Crew(box, lead="external").build()
        for path in (box.project / RUN / "prompts").glob("*.md"):
            path.unlink()  # a drive writes its own
        box.keep(READY)
        done = made.do("drive", "--yes")
        assert done.status == 0, done.told
        told = {name: masked(box.project / path) for name, path in PATHS.items()}
        (box.base / UNDISTURBED).write_text(json.dumps(told), encoding="utf-8")
    return found


PATHS = {"report": DATA, "votes": FINAL}


def masked(path: Path) -> Any:
    """Return what a file tells, times aside."""
    return _without_times(json.loads(path.read_text("utf-8")))


def _without_times(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: "*" if name in TIMES else _without_times(one) for name, one in value.items()}
    return [_without_times(one) for one in value] if isinstance(value, list) else value


def test_a_drive_killed_at_random_moments_comes_to_the_same_report(crews: list[Sandbox]) -> None:
    one = os.environ.get("OKSTRA_KILL_SEED")
    seeds = [int(one)] if one else sweep.chosen(SEEDS, 10)
    sweep.sweep("H-024 SIGKILL of drive", crews, seeds, _strike)


def _strike(box: Sandbox, seed: int) -> list[str]:
    dice = random.Random(seed)
    box.restore(READY)
    made = Crew(box, lead="external")
    with contextlib.suppress(FileNotFoundError):
        (made.notes / "pids").unlink()
    moments = [dice.uniform(0, LONGEST) for _ in range(dice.randint(1, STRIKES))]
    try:
        for moment in moments:
            _killed(made, moment)
        done = made.do("drive", "--yes")
        found = [f"run again, exit {done.status}: {done.told}"] if done.status else _judged(made)
        found += [f"left alive: {one}" for one in made.left()]
    finally:
        made.end()
    shown = ", ".join(f"{moment:.2f}" for moment in moments)
    return [f"killed after {shown} s: {fault}" for fault in found]


def _killed(made: Crew, after: float) -> None:
    process = made.start("drive", "--yes")
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(after)
    with contextlib.suppress(ProcessLookupError):
        os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    time.sleep(0.05)


def _judged(made: Crew) -> list[str]:
    found = made.faults()
    expected = json.loads((made.box.base / UNDISTURBED).read_text("utf-8"))
    for name, path in PATHS.items():
        if masked(made.box.project / path) != expected[name]:
            found.append(f"another {name} than that of an undisturbed run")
    turns = Counter((one["workerId"], one["dispatchKind"]) for one in made.dispatches())
    found += [f"{count} records of {turn}" for turn, count in turns.items() if count > 1]
    started = len((made.notes / "pids").read_text("utf-8").splitlines())
    if started != TURNS or len(turns) != TURNS:
        found.append(f"{started} starts and {len(turns)} turns, not {TURNS}")
    return found
