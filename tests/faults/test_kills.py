"""SIGKILL at each system call of prepare that changes something (XF-01, XF-02)."""

from __future__ import annotations

import pytest

from faults import points, soundness, sweep
from faults.conftest import AGAIN, FIRST
from faults.points import Point
from faults.sandbox import Sandbox, prepare

pytestmark = pytest.mark.skipif(bool(points.unable()), reason=points.unable() or "can trace")


@pytest.mark.parametrize("state", [FIRST, AGAIN])
def test_kill_at_every_rename(boxes: list[Sandbox], state: str) -> None:
    found = [p for p in _points(boxes[0], state) if p.call in points.RENAME]
    chosen = sweep.chosen(found, 3)
    sweep.sweep(f"XF-01 SIGKILL at rename, {state}", boxes, chosen, _Kill(state))


@pytest.mark.parametrize("state", [FIRST, AGAIN])
def test_kill_at_every_change(boxes: list[Sandbox], state: str) -> None:
    found = _points(boxes[0], state)
    found = found if sweep.LEVEL == sweep.ALL else points.creating(found)
    found = [p for p in found if p.call not in points.RENAME]
    sweep.sweep(f"XF-02 SIGKILL at a change, {state}", boxes, sweep.chosen(found, 3), _Kill(state))


class _Kill:
    def __init__(self, state: str) -> None:
        self.state = state

    def __call__(self, box: Sandbox, point: Point) -> list[str]:
        box.restore(self.state)
        before = soundness.manifests(box)
        done = box.run(*points.strike(box, prepare(), point, "signal=KILL"))
        if done.status == 0:
            return ["survived"]
        return soundness.faults(box, before)


def _points(box: Sandbox, state: str) -> list[Point]:
    box.restore(state)
    return points.record(box, prepare())
