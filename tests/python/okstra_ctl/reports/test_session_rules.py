"""Heartbeats of workers inside the host's session (R-126, D-220)."""

from __future__ import annotations

import pytest

from okstra_ctl.reports import session_rules


@pytest.mark.parametrize(
    ("ended", "beats", "expected"),
    [
        (360, [], ""),
        (361, [], "no heartbeat for 361 s since 1970-01-01T00:00:00Z; at most 360"),
        (1000, [300, 640], ""),
        (1000, [640, 300, 9000, -5], ""),
        (1100, [300, 640], "no heartbeat for 460 s since 1970-01-01T00:10:40Z; at most 360"),
    ],
)
def test_silence(ended: int, beats: list[int], expected: str) -> None:
    assert session_rules.silence(0, ended, beats) == expected
