"""Signs of life as they lie on disk: missing, strange, huge, from the future (D-121 to D-126)."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any

import pytest

from okstra_ctl.dispatch import liveness_probe
from okstra_ctl.dispatch.liveness_probe import TAIL, Limits
from okstra_ctl.evidence import heartbeat
from okstra_kernel import UserError, iso_time

AT_ONCE = Limits(max_idle=100, launch_grace=60, stall_confirm=0)
WRAPPER, AUDIT = "wrapper-status", "audit-heartbeat"


def state(tmp_path: Path, *rows: dict[str, Any]) -> str:
    path = tmp_path / "빈 shop" / ".okstra" / "t.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    members = {"schemaVersion": 1, "workers": list(rows), "workerDispatches": []}
    path.write_text(json.dumps(members), encoding="utf-8")
    return str(path)


def row(age: float, mode: str = WRAPPER, status: str = "in-progress", name: str = "w") -> Any:
    return {
        **{"workerId": name, "status": status, "livenessMode": mode},
        **{"startedAt": iso_time.show(time.time() - age)},
        **{"promptPath": ".okstra/p.md", "auditSidecarPath": ".okstra/a.md"},
    }


def verdict(path: str, limits: Limits = AT_ONCE, worker: str = "w") -> tuple[int, str]:
    status, text = liveness_probe.report([(path, worker)], limits, as_json=False)
    return status, text.partition("\t")[2]


@pytest.mark.parametrize("sign", ["p.log", "p.status.json"])
@pytest.mark.parametrize(
    ("ago", "expected"), [(5, (0, "live")), (500, (1, "stalled")), (-500, (0, "live"))]
)
def test_either_sidecar_is_a_sign(
    tmp_path: Path, sign: str, ago: int, expected: tuple[int, str]
) -> None:
    path = state(tmp_path, row(1000))
    place = Path(path).with_name(sign)
    place.touch()
    os.utime(place, (time.time() - ago,) * 2)
    assert verdict(path) == expected


def test_without_a_sign_it_did_not_launch_once_the_grace_is_over(tmp_path: Path) -> None:
    assert verdict(state(tmp_path, row(50))) == (0, "live")
    assert verdict(state(tmp_path, row(70))) == (1, "did-not-launch")
    assert verdict(state(tmp_path, row(9999, status="completed"))) == (0, "completed")


def beats(path: str, *ago: int, around: str = "") -> None:
    lines = [heartbeat.line(time.time() - one, "at work") for one in ago]
    Path(path).with_name("a.md").write_text("\n".join([around, *lines, around]), encoding="utf-8")


def test_heartbeats_at_the_end_of_a_huge_audit(tmp_path: Path) -> None:
    """Only its end is read; what lies before may be anything."""
    path = state(tmp_path, row(1000, AUDIT))
    beats(path, 5)
    text = Path(path).with_name("a.md").read_bytes()
    Path(path).with_name("a.md").write_bytes(b"\xff" * (3 * TAIL) + b"\n" + text)
    assert verdict(path) == (0, "live")


@pytest.mark.parametrize(
    ("ago", "around", "expected"),
    [
        ((500, 5), "", "live"),
        ((500,), "", "stalled"),
        ((-500,), "", "stalled"),  # one from the future shows nothing
        ((5,), "```", "stalled"),  # quoted
        ((), "- PROGRESS: soon", "stalled"),
    ],
)
def test_heartbeats(tmp_path: Path, ago: tuple[int, ...], around: str, expected: str) -> None:
    path = state(tmp_path, row(1000, AUDIT))
    beats(path, *ago, around=around)
    assert verdict(path)[1] == expected


@pytest.mark.parametrize("make", [os.mkdir, os.mkfifo])
def test_what_is_no_file_is_no_sign_and_is_not_waited_for(tmp_path: Path, make: Any) -> None:
    path = state(tmp_path, row(1000, AUDIT))
    make(Path(path).with_name("a.md"))
    assert verdict(path) == (1, "stalled")


def test_a_stall_is_looked_at_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once for all; who has a newer sign by then lives (D-124)."""
    path = state(tmp_path, row(1000), {**row(1000, name="other"), "promptPath": ".okstra/q.md"})
    signs = [Path(path).with_name(name) for name in ("p.log", "q.log")]
    for sign in signs:
        sign.touch()
        os.utime(sign, (time.time() - 500,) * 2)
    slept: list[float] = []

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        signs[0].touch()
        os.utime(signs[1], (time.time() - 500 - seconds,) * 2)  # as if time had passed

    monkeypatch.setattr("time.sleep", sleep)
    pairs = [(path, "w"), (path, "other")]
    status, text = liveness_probe.report(pairs, AT_ONCE._replace(stall_confirm=7), as_json=False)
    assert (status, text, slept) == (1, "w\tlive\nother\tstalled", [7])


def test_the_answer_as_json(tmp_path: Path) -> None:
    path = state(tmp_path, row(10))
    status, text = liveness_probe.report([(path, "w")], AT_ONCE, as_json=True)
    worker = {"workerId": "w", "verdict": "live", "ageSeconds": 10}
    answer = json.loads(text)
    answer["workers"][0]["ageSeconds"] = min(10, answer["workers"][0]["ageSeconds"])
    assert (status, answer) == (0, {"schemaVersion": 1, "ok": True, "workers": [worker]})


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"livenessMode": "x"}, "livenessMode: unknown: 'x'"),
        ({"startedAt": "soon"}, "startedAt"),
        ({"startedAt": None}, "startedAt"),
        ({"status": 1}, "status"),
        ({"workerId": "v"}, "no such worker: w"),
    ],
)
def test_what_cannot_be_judged_is_named(
    tmp_path: Path, changed: dict[str, Any], words: str
) -> None:
    with pytest.raises(UserError, match=words):
        verdict(state(tmp_path, {**row(10), **changed}))
