from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from okstra_ctl.dispatch import wrapper_status
from okstra_kernel import strict_json

STATUS = {
    "status": "running",
    "wrapperPid": 20,
    "wrapperStartedAt": "7",
    "pid": None,
    "processGroup": None,
    "processStartedAt": "",
    "startedAt": "2026-01-02T03:04:05Z",
    "heartbeatAt": "2026-01-02T03:04:05Z",
    "endedAt": None,
    "exitCode": None,
    "reason": "",
}


@pytest.fixture
def prompt(tmp_path: Path) -> str:
    return str(tmp_path / "worker.md")


def put(prompt: str, text: str) -> None:
    """As a wrapper does: whole, under another name first."""
    path = Path(prompt.removesuffix(".md") + ".status.json")
    other = path.with_suffix(".tmp")
    other.write_text(text, encoding="utf-8")
    os.replace(other, path)


def test_each_state_that_a_wrapper_writes_is_seen(prompt: str) -> None:
    """(D-115, D-116)"""
    assert wrapper_status.read(prompt) is None and not wrapper_status.ended(prompt)
    put(prompt, json.dumps(STATUS))
    found = wrapper_status.read(prompt)
    assert found is not None and (found.state, found.pid) == ("running", 0)
    assert not wrapper_status.ended(prompt)
    at = "2026-01-02T03:04:09Z"
    put(prompt, json.dumps({**STATUS, "status": "failed", "pid": 21, "endedAt": at, "exitCode": 3}))
    found = wrapper_status.read(prompt)
    assert found is not None
    assert (found.state, found.pid, found.ended_at - found.started_at) == ("failed", 21, 4)
    assert found.exit_code == 3 and wrapper_status.ended(prompt)


@pytest.mark.parametrize("text", ["", "{", "[]", json.dumps({**STATUS, "status": "done"})])
def test_what_no_wrapper_wrote_is_no_status(prompt: str, text: str) -> None:
    put(prompt, json.dumps(STATUS))
    assert wrapper_status.read(prompt) is not None
    put(prompt, text)
    assert wrapper_status.read(prompt) is None and not wrapper_status.ended(prompt)


def test_a_folder_in_its_place_is_no_status(prompt: str) -> None:
    Path(prompt.removesuffix(".md") + ".status.json").mkdir()
    assert wrapper_status.read(prompt) is None


def test_what_looks_as_it_did_is_not_read_again(
    prompt: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """(Q-13): an await looks four times a second."""
    put(prompt, json.dumps(STATUS))
    reads: list[str] = []
    real = strict_json.read

    def counted(path: str) -> strict_json.Record:
        reads.append(path)
        return real(path)

    monkeypatch.setattr("okstra_ctl.dispatch.wrapper_status.strict_json.read", counted)
    for _ in range(3):
        wrapper_status.read(prompt)
    assert len(reads) == 1
    put(prompt, json.dumps({**STATUS, "pid": 5}))
    found = wrapper_status.read(prompt)
    assert found is not None and found.pid == 5 and len(reads) == 2
