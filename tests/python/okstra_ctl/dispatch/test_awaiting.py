from __future__ import annotations

import time
from typing import cast

import pytest

from okstra_ctl.dispatch import awaiting, wrapper_status
from okstra_ctl.dispatch.run_files import RunFiles

RUNNING, WAITING = "in-progress", "queued"


class Run:
    """What a pause asks a run for."""

    def path(self, relative: str) -> str:
        return relative


@pytest.mark.parametrize(
    ("going", "ended", "soon"),
    [
        ([RUNNING, RUNNING], {0, 1}, True),
        ([RUNNING, RUNNING], {1}, False),
        ([RUNNING, RUNNING], set(), False),
        ([RUNNING, RUNNING, WAITING], {1}, True),  # it makes room
        ([RUNNING, RUNNING, WAITING], set(), False),
        ([WAITING], set(), False),  # another process starts it
    ],
)
def test_a_look_comes_early_only_where_it_can_settle_what_counts(
    going: list[str], ended: set[int], soon: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """(Q-13): else once a poll, however often it is asked."""
    monkeypatch.setattr(wrapper_status, "ended", lambda path: int(path) in ended)
    found = [{"status": status, "promptPath": str(n)} for n, status in enumerate(going)]
    begun = time.monotonic()
    awaiting._pause(cast(RunFiles, Run()), found, begun)
    taken = time.monotonic() - begun
    assert taken >= min(awaiting._GLANCES)  # never without a rest
    assert (taken < awaiting.POLL) == soon
