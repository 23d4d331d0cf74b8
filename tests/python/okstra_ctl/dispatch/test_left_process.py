"""A dispatch's processes are ended by what was recorded of them (Z-011, D-079, XF-05, XT-05)."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Iterator

import pytest

from okstra_ctl.dispatch import left_process, orphans_process, records, sidecars
from okstra_ctl.dispatch.run_files import RunFiles
from okstra_ctl.dispatch.wrapper_status import WrapperStatus
from okstra_kernel import processes
from okstra_project import task_key

SLEEP = ["sleep", "600"]


@pytest.fixture
def run(tmp_path: Path) -> RunFiles:
    key = task_key.parse("shop:g:T1")
    return RunFiles(str(tmp_path), str(tmp_path), {}, key, "s", "r", "error-analysis", "001")


@pytest.fixture
def sleeper() -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen(SLEEP, start_new_session=True) as process:
        yield process
        process.kill()


def record(**changed: Any) -> dict[str, Any]:
    nobody = {"pid": None, "processStartedAt": "", "processGroup": None, "wrapperPid": None}
    base = {**nobody, "promptPath": "p.md", "startedAt": "2026-01-01T00:00:00Z"}
    return {**base, "wrapperStartedAt": "", **changed}


def status(wrapper: int, begun: str, cli: int = 0, cli_begun: str = "") -> WrapperStatus:
    return WrapperStatus("running", wrapper, begun, cli, cli, cli_begun, 0, 0, 0, None, "")


def test_what_the_wrapper_told_first_counts() -> None:
    """A CLI can write over the sidecar (XI-21)."""
    first = records.with_process(record(), status(10, "a"))
    assert (first["wrapperPid"], first["pid"]) == (10, None)
    second = records.with_process(first, status(10, "a", 11, "b"))
    assert (second["pid"], second["processGroup"], second["processStartedAt"]) == (11, 11, "b")
    assert records.with_process(second, status(20, "x", 21, "y")) == second
    assert records.with_process(first, status(20, "x", 21, "y")) == first
    assert records.started(second, "now")["wrapperPid"] is None


def test_a_foreign_process_is_spared(sleeper: subprocess.Popen[bytes]) -> None:
    pid, begun = sleeper.pid, processes.started(sleeper.pid)
    ours = record(wrapperPid=2**22 + 5, wrapperStartedAt="1")
    told = status(2**22 + 5, "1", pid, begun + "1")._replace(escaped=((pid, begun + "1"),))
    assert left_process.end_rest(ours, told)
    assert not left_process.is_attended(ours, told)
    assert sleeper.poll() is None
    left_process.ask_to_stop(ours, told)
    assert sleeper.poll() is None


def test_what_left_its_group_is_ended(sleeper: subprocess.Popen[bytes]) -> None:
    told = status(2**22 + 5, "1")
    told = told._replace(escaped=((sleeper.pid, processes.started(sleeper.pid)),))
    assert left_process.end_rest(record(), told)
    assert sleeper.wait(timeout=5) == -15


def test_a_wrapper_is_asked_to_stop_at_its_deadline(sleeper: subprocess.Popen[bytes]) -> None:
    told = status(sleeper.pid, processes.started(sleeper.pid))
    assert left_process.is_attended(record(), told)
    left_process.ask_to_stop(record(), told)
    assert sleeper.wait(timeout=5) == -12  # USR2, which a wrapper listens to


HOLDER = """
import fcntl, sys, time
stream = open(sys.argv[1], "w")
fcntl.flock(stream, fcntl.LOCK_EX)
print(flush=True)
time.sleep(float(sys.argv[2]))
"""


@pytest.mark.parametrize(("signs", "expected"), [(True, True), (False, True)])
def test_a_wrapper_without_a_sign_is_waited_for(
    run: RunFiles, sleeper: subprocess.Popen[bytes], signs: bool, expected: bool
) -> None:
    """Whoever tears down meets one that was started a moment ago, by a dispatch that died."""
    prompt = run.path("p.md")
    words = [sys.executable, "-c", HOLDER, sidecars.launch_log(prompt), "0.6"]
    with subprocess.Popen(words, stdout=subprocess.PIPE) as holder:
        assert holder.stdout
        holder.stdout.readline()
        if signs:
            _write(prompt, sleeper)
        begun = time.monotonic()
        assert left_process.end(run, record()) is expected
        assert signs or time.monotonic() - begun > 0.4
        holder.wait()
    assert (sleeper.poll() is not None) is signs


def test_what_was_never_started_is_not_waited_for(run: RunFiles) -> None:
    begun = time.monotonic()
    assert left_process.end(run, record(startedAt=None))
    assert left_process.end(run, record())
    assert time.monotonic() - begun < 1


def _write(prompt: str, process: subprocess.Popen[bytes]) -> None:
    at = "2026-01-01T00:00:00Z"
    members = {
        **{"status": "running", "wrapperPid": process.pid, "pid": None, "processGroup": None},
        **{"wrapperStartedAt": processes.started(process.pid), "processStartedAt": ""},
        **{"startedAt": at, "heartbeatAt": at, "endedAt": None, "exitCode": None, "reason": ""},
    }
    Path(sidecars.status(prompt)).write_text(json.dumps(members), encoding="utf-8")


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux gives orphans to another parent")
def test_a_wrapper_gets_the_orphans_of_its_family() -> None:
    """Also one that has left group and session, and whose parent has gone (ADR 7)."""
    script = "(setsid sleep 600 >/dev/null 2>&1 &); sleep 0.3; ps -o pid= --ppid $$"
    words = ["bash", "-c", script]
    done = subprocess.run(
        words, capture_output=True, text=True, preexec_fn=orphans_process.keeper()
    )
    pids = [int(word) for word in done.stdout.split()]
    alive = [pid for pid in pids if processes.started(pid)]
    assert len(alive) == 1
    assert processes.end_each([(pid, processes.started(pid)) for pid in alive])
