"""Files judged side by side; one that crashes or hangs an engine costs itself alone (H-032)."""

from __future__ import annotations

import os
import signal
import time
from typing import Any, Mapping

import pytest

from okstra_ctl.local import pool_process

PATHS = [f"{number}.py" for number in range(40)]


def judge(path: str) -> Mapping[str, Any]:
    if path == "3.py":
        os.kill(os.getpid(), signal.SIGKILL)
    if path == "5.py":
        time.sleep(60)
    if path == "7.py":
        raise RuntimeError(path)
    if path == "9.py":
        os.write(2, b"")
        return {"big": "x" * 1_000_000}
    return {"path": path}


def slowly(path: str) -> Mapping[str, Any]:
    time.sleep(0.2)
    return {}


@pytest.mark.parametrize("paths", [PATHS, PATHS[3:7]])
def test_the_others_are_judged(paths: list[str], capfd: pytest.CaptureFixture[str]) -> None:
    judged = pool_process.judge_all(paths, judge, seconds=20, file_limit=0.5)
    bad = [path for path in ("3.py", "5.py", "7.py") if path in paths]
    assert sorted(judged.lost) == [path for path in bad if path != "7.py" or path in paths]
    assert set(judged.rows) == set(paths) - set(bad)
    assert judged.left == ()
    assert all(row == {"path": path} for path, row in judged.rows.items() if path != "9.py")


def test_no_new_one_is_begun_when_the_time_is_up() -> None:
    judged = pool_process.judge_all(PATHS, lambda path: {"path": path}, seconds=0)
    assert judged == ({}, (), tuple(PATHS))
    begun = time.monotonic()
    slow = pool_process.judge_all(PATHS, slowly, seconds=0.5)
    assert time.monotonic() - begun < 3
    assert 0 < len(slow.rows) < len(PATHS)
    assert [*sorted(slow.rows, key=PATHS.index), *slow.left] == PATHS


def test_no_child_is_left() -> None:
    pool_process.judge_all(PATHS, judge, seconds=20, file_limit=0.5)
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)
