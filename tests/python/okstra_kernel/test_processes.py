"""Only a recorded process counts, and only a recorded group is ended (Z-011)."""

from __future__ import annotations

import os
import subprocess
import sys
import time

from okstra_kernel import processes

DEAF = (
    "import signal, time; signal.signal(15, signal.SIG_IGN); print(1, flush=True); time.sleep(60)"
)


def test_a_process_lives_by_pid_and_start_until_it_ends() -> None:
    run = subprocess.Popen(["sleep", "60"], start_new_session=True)
    begun = processes.started(run.pid)
    assert begun
    assert processes.is_alive(run.pid, begun)
    assert not processes.is_alive(run.pid, begun + "1")
    assert processes.end_group(run.pid, begun + "1")  # somebody else's: left alone
    assert run.poll() is None
    assert processes.end_group(run.pid, begun, grace=2)
    assert not processes.is_alive(run.pid, begun)  # not waited for yet
    assert run.wait() == -15


def test_one_that_ignores_term_is_killed_with_its_group() -> None:
    words = [sys.executable, "-c", DEAF]
    with subprocess.Popen(words, start_new_session=True, stdout=subprocess.PIPE) as run:
        assert run.stdout
        run.stdout.readline()
        before = time.monotonic()
        assert processes.end_group(run.pid, processes.started(run.pid), grace=0.3)
        assert 0.25 < time.monotonic() - before < 2
        assert run.wait() == -9


def test_no_group_of_ours_is_ended_without_harm() -> None:
    assert [processes.end_group(group, "") for group in (0, 1, -5)] == [True] * 3
    assert processes.started(2**22 + 5) == ""
    assert processes.is_alive(os.getpid(), processes.started(os.getpid()))


def test_a_group_whose_leader_has_gone_is_ours_only_in_our_session() -> None:
    """The number of a group that has ended may be another's, whose leader has gone, too (XT-05)."""
    script = "sleep 60 & echo $!"
    with subprocess.Popen(
        ["sh", "-c", script], start_new_session=True, stdout=subprocess.PIPE, text=True
    ) as run:
        assert run.stdout
        member = int(run.stdout.readline())
        run.wait()
        begun = processes.started(member)
        assert processes.end_group(run.pid, "1", session=run.pid + 1)
        assert processes.is_alive(member, begun)
        assert processes.end_group(run.pid, "1", session=run.pid)
        assert not processes.is_alive(member, begun)


def test_recorded_processes_are_ended_each_for_itself() -> None:
    runs = [subprocess.Popen(["sleep", "60"]) for _ in range(2)]
    found = [(run.pid, processes.started(run.pid)) for run in runs]
    strange = [(runs[0].pid, "1"), (2**22 + 5, "1")]
    assert processes.end_each(strange)
    assert [run.poll() for run in runs] == [None, None]
    assert processes.end_each(found, grace=2)
    assert [run.wait() for run in runs] == [-15, -15]
    with subprocess.Popen([sys.executable, "-c", DEAF], stdout=subprocess.PIPE) as run:
        assert run.stdout
        run.stdout.readline()
        assert processes.end_each([(run.pid, processes.started(run.pid))], grace=0.3)
        assert run.wait() == -9
