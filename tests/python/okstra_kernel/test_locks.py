"""Who waits learns for whom, and not for ever (P-074 to P-076, XC-07, Q-22)."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from okstra_kernel import Busy, Refusal, locks

LIB = str(Path(locks.__file__).parents[1])
HOLDER = """
import sys, time
sys.path.insert(0, sys.argv[1])
from okstra_kernel import locks
sys.argv[0] = "/somewhere/okstra-holder"
with locks.hold(sys.argv[2], "x.lock"):
    print("held", flush=True)
    time.sleep(float(sys.argv[3]))
"""


def holder(home: Path, seconds: float) -> subprocess.Popen[bytes]:
    words = [sys.executable, "-I", "-c", HOLDER, LIB, str(home), str(seconds)]
    started = subprocess.Popen(words, stdout=subprocess.PIPE)
    assert started.stdout and started.stdout.readline() == b"held\n"
    return started


def test_a_wait_ends_with_the_holder_named(tmp_path: Path) -> None:
    with holder(tmp_path, 60) as other:
        begin = time.monotonic()
        with pytest.raises(Busy) as caught, locks.hold(str(tmp_path), "x.lock", wait=0.2):
            pass
        assert 0.2 <= time.monotonic() - begin < 2
        expected = f"busy: process {other.pid} (okstra-holder) holds the lock x.lock"
        assert (str(caught.value), caught.value.status) == (expected, 75)
        assert caught.value.next_step
        other.kill()


def test_a_lock_outlives_no_holder_that_was_killed(tmp_path: Path) -> None:
    with holder(tmp_path, 60) as other:
        os.kill(other.pid, signal.SIGKILL)
        with locks.hold(str(tmp_path), "x.lock", wait=1):
            pass


def test_who_waits_gets_it_next_says_so_and_does_not_spin(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with holder(tmp_path, 1.5) as other:
        before, begin = resource.getrusage(resource.RUSAGE_SELF), time.monotonic()
        with locks.hold(str(tmp_path), "x.lock", wait=30):
            waited = time.monotonic() - begin
        after = resource.getrusage(resource.RUSAGE_SELF)
    assert 1 < waited < 3
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    assert used < 0.05 * waited
    expected = f"waiting for another okstra process: process {other.pid} (okstra-holder)\n"
    assert capfd.readouterr().err == expected


def test_of_many_each_gets_it_once(tmp_path: Path) -> None:
    counter = tmp_path / "n"
    counter.write_text("0", encoding="ascii")
    program = HOLDER.partition("with locks")[0] + (
        "for _ in range(25):\n"
        "    with locks.hold(sys.argv[2], 'x.lock'):\n"
        "        n = int(open(sys.argv[3]).read())\n"
        "        open(sys.argv[3], 'w').write(str(n + 1))\n"
    )
    words = [sys.executable, "-I", "-c", program, LIB, str(tmp_path), str(counter)]
    racers = [subprocess.Popen(words, stderr=subprocess.DEVNULL) for _ in range(16)]
    assert [racer.wait() for racer in racers] == [0] * 16
    assert counter.read_text(encoding="ascii") == "400"


def test_a_lock_is_let_go_of_by_an_error_and_its_file_is_private(tmp_path: Path) -> None:
    for _ in range(2):
        with pytest.raises(KeyError), locks.hold(str(tmp_path), "x.lock", wait=0):
            raise KeyError
    file = tmp_path / locks.FOLDER / "x.lock"
    assert file.stat().st_mode & 0o777 == 0o600
    assert file.read_text(encoding="ascii").startswith(f"{os.getpid()} ")


def test_a_file_without_a_name_in_it_still_tells_that_it_is_held(tmp_path: Path) -> None:
    with holder(tmp_path, 60) as other:
        os.truncate(tmp_path / locks.FOLDER / "x.lock", 0)
        expected = "busy: another process holds the lock"
        with pytest.raises(Busy, match=expected), locks.hold(str(tmp_path), "x.lock", wait=0):
            pass
        other.kill()


def test_a_link_in_place_of_a_lock_is_refused(tmp_path: Path) -> None:
    (tmp_path / locks.FOLDER).mkdir()
    victim = tmp_path / "victim"
    victim.write_text("mine", encoding="utf-8")
    (tmp_path / locks.FOLDER / "x.lock").symlink_to(victim)
    with pytest.raises(Refusal), locks.hold(str(tmp_path), "x.lock"):
        pass
    assert victim.read_text(encoding="utf-8") == "mine"
