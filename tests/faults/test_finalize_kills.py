"""SIGKILL of report-finalize at each change it makes; again, it comes to the same bytes (XF-08)."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from faults import points, sweep
from faults.points import Point
from faults.sandbox import BIN, PYTHON, TREE, Sandbox

pytestmark = pytest.mark.skipif(bool(points.unable()), reason=points.unable() or "can trace")

BEFORE = "before"  # the state: a report is written, and nothing after it done
_TIMES = re.compile(rb'"(createdAt|updatedAt|workStatusUpdatedAt)": "[^"]*"')


class Ready:
    """Sandboxes with a written report, and what an undisturbed finalization makes of it."""

    def __init__(self, base: Path) -> None:
        self.boxes = sweep.sandboxes(base)
        self.wanted: dict[Sandbox, dict[str, bytes]] = {}
        for box in self.boxes:
            words = [PYTHON, str(TREE / "tests/support/finished_run.py"), str(box.project)]
            env = {**os.environ, **box.env()}
            done = subprocess.run(
                [*words, str(box.okstra_home)], env=env, capture_output=True, text=True
            )
            assert done.returncode == 0, done.stderr
            self.manifest, _, self.report = done.stdout.split("\n")[:3]
            box.keep(BEFORE)
            done_once = box.run(*self.command())  # from then on Python has nothing to compile
            assert done_once.status == 0, done_once.told
            self.wanted[box] = tree(box)
        self.boxes[0].restore(BEFORE)
        self.points = points.record(self.boxes[0], self.command())

    def command(self) -> list[str]:
        words = [str(BIN / "okstra"), "report-finalize", "--project-root=."]
        return [*words, f"--run-manifest={self.manifest}", f"--report={self.report}"]

    def kill(self, box: Sandbox, point: Point) -> list[str]:
        box.restore(BEFORE)
        done = box.run(*points.strike(box, self.command(), point, "signal=KILL"))
        if done.status == 0:
            return ["survived"]
        again = box.run(*self.command())
        if again.status:
            return [f"again: exit {again.status}: {again.told}"]
        found, wanted = tree(box), self.wanted[box]
        names = sorted({*found, *wanted})
        return [f"{n} differs" for n in names if found.get(n) != wanted.get(n)]


@pytest.fixture(scope="module")
def ready(tmp_path_factory: pytest.TempPathFactory) -> Ready:
    return Ready(tmp_path_factory.mktemp("finalize"))


def tree(box: Sandbox) -> dict[str, bytes]:
    """Return each file by its path, without its times, who held a lock, and what a kill left."""
    found = {}
    for path in sorted(box.live.rglob("*")):
        name = str(path.relative_to(box.live))
        if path.is_file() and "/.locks/" not in name and not name.endswith(".tmp"):
            data = path.read_bytes().replace(str(box.live).encode(), b"LIVE")
            found[name] = _TIMES.sub(b"TIME", data)
    return found


def test_kill_at_every_rename(ready: Ready) -> None:
    found = [p for p in ready.points if p.call in points.RENAME]
    assert len(found) >= 6, "team state, data, Markdown, page, task, status"
    chosen = sweep.chosen(found, 4)
    sweep.sweep("XF-08 SIGKILL at rename, finalize", ready.boxes, chosen, ready.kill)


def test_kill_at_every_change(ready: Ready) -> None:
    found = [p for p in points.creating(ready.points) if p.call not in points.RENAME]
    chosen = sweep.chosen(found, 3)
    sweep.sweep("XF-08 SIGKILL at a change, finalize", ready.boxes, chosen, ready.kill)
