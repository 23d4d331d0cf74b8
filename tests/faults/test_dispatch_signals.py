"""Signals to what runs workers, CLIs killed at chosen moments, pids given anew."""

from __future__ import annotations

import contextlib
import json
import os
import random
import shutil
import signal
import subprocess
import time
from typing import Any, Callable, Iterator

import pytest

from faults import crew, sweep
from faults.crew import CLI, RUN, WRAPPER, Crew
from faults.sandbox import PYTHON, TREE, Sandbox

SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
TIMES = 1 if sweep.LEVEL == sweep.SAMPLE else 20
LONGEST = 1.2  # seconds
GROK = "grok-analyser"
READY = "ready"


@pytest.fixture(scope="session")
def signalled(tmp_path_factory: pytest.TempPathFactory) -> list[Sandbox]:
    found = sweep.sandboxes(tmp_path_factory.mktemp("signals"))
    for box in found:
        made = Crew(box).build()
        made.scenario("initial", "worked")
        made.scenario("initial-retry1", "worked")
        box.keep(READY)
    return found


COMMANDS = {
    "codex-dispatch": ("codex-dispatch",),
    "team dispatch": ("team", "dispatch"),
    "team dispatch --wait": ("team", "dispatch", "--wait"),
    "team await": ("team", "await", "--retry"),
    "wrapper": (),
}


def test_signals_to_the_commands_and_the_wrappers(signalled: list[Sandbox]) -> None:
    """Exit 128+n, a sentence, a sound state; workers go on, or end with their wrapper (XF-06)."""
    dice = random.Random(66)
    items = [
        (name, number, dice.uniform(0, LONGEST))
        for name in COMMANDS
        for number in SIGNALS
        for _ in range(TIMES)
    ]
    if sweep.LEVEL == sweep.SAMPLE:
        items = items[::3]
    sweep.sweep("XF-06 signals to what runs workers", signalled, items, _signal)


def _signal(box: Sandbox, item: tuple[str, signal.Signals, float]) -> list[str]:
    name, number, after = item
    box.restore(READY)
    made = Crew(box)
    try:
        if name in ("team await", "wrapper"):
            assert made.do("team", "dispatch").status == 0
        found = _to_wrapper(made, number, after) if name == "wrapper" else _to(made, *item)
        done = made.do("codex-dispatch")
        if name != "wrapper" and (done.status or "Traceback" in done.err):
            found.append(f"run again, exit {done.status}: {done.told}")
        starts = made.noted("starts")
        found += [f"started twice: {one}" for one in set(starts) if starts.count(one) > 1]
        return [*found, *(f"left alive: {one}" for one in made.left()), *made.faults()]
    finally:
        made.end()


def _to(made: Crew, name: str, number: signal.Signals, after: float) -> list[str]:
    process = made.start(*COMMANDS[name])
    time.sleep(after)
    ended = process.poll() is not None
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, number)
    out, err = process.communicate(timeout=60)
    status = process.returncode
    told = f"interrupted by {number.name}" in err and "next: " in err
    if ended:
        return [f"exit {status}: {out}{err}"] if status else []
    begun = "PROGRESS" in err or (name != "team await" and made.dispatches())
    if not begun and not told and status in (-number, 128 + number):
        return []  # its interpreter was starting
    if status == 0 and not told:
        return []  # it came too late
    if status == 128 + number and told and "Traceback" not in err:
        return []
    return [f"exit {status}: {out}{err}"]


def _to_wrapper(made: Crew, number: signal.Signals, after: float) -> list[str]:
    time.sleep(after / 4)
    wrappers = [one for one in made.processes() if one.kind == WRAPPER]
    if not wrappers:
        return []
    with contextlib.suppress(ProcessLookupError):
        os.kill(wrappers[0].pid, number)
    made.do("team", "await")
    reasons = {(one["reason"], one["exitCode"]) for one in made.dispatches()}
    allowed = {("", 0), ("cancelled", 128 + number)}
    return [f"ended as {one}" for one in reasons - allowed]


@pytest.fixture
def one(box: Sandbox) -> Iterator[Crew]:
    made = Crew(box).build()
    yield made
    made.end()


MOMENTS: dict[str, Callable[[Crew], object]] = {
    "at its start": lambda made: any(one.kind == CLI for one in made.processes()),
    "in the middle": lambda made: made.noted("starts"),
    "after its result": lambda made: list(made.box.project.glob(f"{RUN}/outbox/*/audit.md")),
    "after its last word": lambda made: made.noted("ended"),
}


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("worker", crew.WORKERS)
def test_a_cli_that_is_killed(one: Crew, worker: str, moment: str) -> None:
    """Failed or collected, never running for ever; a complete turn counts (XF-04)."""
    one.scenario("initial", "lingering")
    one.scenario("initial-retry1", "worked")
    process = one.start("codex-dispatch", f"--workers={worker}")
    _until(lambda: bool(MOMENTS[moment](one)))
    for victim in one.processes():
        if victim.kind == CLI:
            with contextlib.suppress(ProcessLookupError):
                os.kill(victim.pid, signal.SIGKILL)
    assert process.wait(timeout=60) == 0
    process.communicate()
    ended = [(d["dispatchKind"], d["status"], d["reason"]) for d in one.dispatches()]
    if moment == "after its last word":
        assert ended == [("initial", "completed", "")]
    else:
        again = ("initial-retry1", "completed", "")
        crashed = [("initial", "error", "crashed"), again]
        whole = [("initial", "completed", "")]  # grok has no last word: its result is all
        after = moment == "after its result" and worker == GROK
        assert ended in ((whole, crashed) if after else (crashed,))
    assert one.left() == []
    assert one.faults() == []


def test_wrapper_and_watcher_are_killed(one: Crew) -> None:
    """Nobody watches the CLI any more: teardown ends it, and what left its group (XF-05)."""
    one.scenario("initial", "lingering")
    assert one.do("team", "dispatch", f"--workers={GROK}").status == 0
    _until(lambda: bool(one.noted("starts")))
    _kill_supervisors(one)
    assert [p for p in one.processes() if p.kind == CLI]
    done = one.do("team", "teardown")
    assert (done.status, json.loads(done.out)["closed"]) == (0, [GROK])
    assert one.left() == []


@pytest.mark.skipif(sweep.LEVEL == sweep.SAMPLE, reason="takes 45 s")
def test_an_await_ends_a_cli_that_nobody_watches(one: Crew) -> None:
    """It waits for a watcher's heartbeat, and not for ever (XF-05)."""
    one.scenario("initial", "hang")
    assert one.do("team", "dispatch", f"--workers={GROK}").status == 0
    time.sleep(0.5)
    _kill_supervisors(one)
    done = one.do("team", "await")
    assert (done.status, one.dispatches()[0]["reason"]) == (1, "crashed")
    assert one.left() == []


def _kill_supervisors(made: Crew) -> None:
    """Kill wrapper and watcher at one moment: stopped first, none sees the other go."""
    victims = [one.pid for one in made.processes() if one.kind in (WRAPPER, crew.WATCHER)]
    assert len(victims) == 2
    for number in (signal.SIGSTOP, signal.SIGKILL):
        for pid in victims:
            os.kill(pid, number)


def test_the_watcher_is_killed(one: Crew) -> None:
    """The wrapper still ends its turn; a deadline that passes unseen is seen by await (D-108)."""
    one.scenario("initial", "lingering")
    assert one.do("team", "dispatch", f"--workers={GROK}").status == 0
    _until(lambda: bool(one.noted("starts")))
    (watcher,) = [p.pid for p in one.processes() if p.kind == crew.WATCHER]
    os.kill(watcher, signal.SIGKILL)
    assert one.do("team", "await").status == 0
    assert one.left() == []


def test_the_watcher_is_killed_before_it_came(one: Crew) -> None:
    """The CLI does not begin, and does not wait for ever: the turn fails, and is tried again."""
    shutil.copytree(TREE / "bin", one.box.live / "tree/bin")
    shutil.copytree(TREE / "lib", one.box.live / "tree/lib")
    for name in ("prompts", "validators", "VERSION"):
        (one.box.live / "tree" / name).symlink_to(TREE / name)
    library = one.box.live / "tree/lib/okstra/worker-exec.sh"
    text = library.read_text("utf-8")
    assert text.count('{ : >"$3"; }') == 1
    dies = """[[ $worker_log != *retry1* ]] &&
    kill -KILL "$self"\n  """
    library.write_text(text.replace('{ : >"$3"; }', dies + '{ : >"$3"; }'), encoding="utf-8")
    words = one.words("codex-dispatch", f"--workers={GROK}")
    words[0] = str(one.box.live / "tree/bin/okstra")
    one.scenario("initial-retry1", "worked")
    assert one.box.run(*words, env=one.env()).status == 0
    assert [(d["status"], d["exitCode"]) for d in one.dispatches()] == [
        ("error", 69),
        ("completed", 0),
    ]
    assert one.noted("starts") == [(GROK, "initial-retry1")]
    assert one.left() == []


REUSED = 3 if sweep.LEVEL == sweep.SAMPLE else 20


def test_a_reused_pid_is_spared(one: Crew) -> None:
    """Teardown and await spare a living process whose number was recorded (XT-05).

    Here the record is rewritten: pid and group of the CLI and of the wrapper become those of a
    foreign process, its start time stays. `test_a_forced_pid_is_spared` forces the number itself.
    """
    failures = []
    one.scenario("initial", "lingering")
    for number in range(REUSED):
        one.box.restore(READY) if (one.box.base / READY).exists() else one.box.keep(READY)
        assert one.do("team", "dispatch", f"--workers={GROK}").status == 0
        made = one.processes()
        with subprocess.Popen(["sleep", "600"], start_new_session=True) as foreign:
            _rewrite(one, foreign.pid)
            done = one.do("team", "teardown" if number % 2 else "await")
            if foreign.poll() is not None:
                failures.append(f"{number}: killed by {'teardown' if number % 2 else 'await'}")
            if "Traceback" in done.err:
                failures.append(done.told)
            foreign.kill()
        for process in made:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process.pid, signal.SIGKILL)
    sweep.report("XT-05 recorded pids that are another's", REUSED, failures)


def _rewrite(made: Crew, pid: int) -> None:
    def point(members: dict[str, Any]) -> None:
        for name in ("pid", "processGroup", "wrapperPid"):
            members[name] = pid

    for process in made.processes():
        with contextlib.suppress(ProcessLookupError):
            os.kill(process.pid, signal.SIGKILL)
    state = json.loads(made.state_path.read_text("utf-8"))
    for record in state["workerDispatches"]:
        point(record)
    made.state_path.write_text(json.dumps(state), encoding="utf-8")
    for path in made.box.project.glob(f"{RUN}/prompts/*.status.json"):
        status = json.loads(path.read_text("utf-8"))
        point(status)
        status["heartbeatAt"] = "2026-01-01T00:00:00Z"
        path.write_text(json.dumps(status), encoding="utf-8")


FORCED = """
import os, subprocess, sys, time
sys.path.insert(0, sys.argv[1])
from okstra_kernel import processes

def at(pid, *words):
    for _ in range(200):
        with open("/proc/sys/kernel/ns_last_pid", "w") as stream:
            stream.write(str(pid - 1))
        made = subprocess.Popen(words, start_new_session=True)
        if made.pid == pid:
            return made
        made.kill()
        made.wait()
    sys.exit("the pid could not be forced")

spared = 0
for number in range(int(sys.argv[2])):
    pid = 3000 + 10 * number
    ours = at(pid, "sleep", "600")
    start = processes.started(pid)
    ours.kill()
    ours.wait()
    time.sleep(0.02)  # two starts within one tick of the clock look alike
    leaderless = number % 2
    words = ("sh", "-c", "sleep 600 & exec sleep 0.01") if leaderless else ("sleep", "600")
    foreign = at(pid, *words)
    if leaderless:
        foreign.wait()
    processes.end_group(pid, start, session=pid + 5, grace=0.2)
    processes.end_each([(pid, start)], grace=0.2)
    if processes.group_is_alive(pid) and not processes.is_alive(pid, start):
        spared += 1
    os.killpg(pid, 9)
print(spared)
"""


def _namespaces() -> str:
    """Return why no number can be forced here, or an empty text."""
    if not shutil.which("unshare"):
        return "unshare is not installed"
    probe = "echo 2999 >/proc/sys/kernel/ns_last_pid"
    done = subprocess.run(
        ["unshare", "-rpf", "--mount-proc", "sh", "-c", probe], capture_output=True, text=True
    )
    return f"no namespace of pids here: {done.stderr.strip()}" if done.returncode else ""


@pytest.mark.skipif(bool(_namespaces()), reason=_namespaces() or "can force")
def test_a_forced_pid_is_spared() -> None:
    """The number is given anew by the kernel; also to a group whose leader has gone (XT-05)."""
    words = [PYTHON, "-c", FORCED, str(TREE / "lib/python"), str(REUSED)]
    done = subprocess.run(
        ["unshare", "-rpf", "--mount-proc", *words], capture_output=True, text=True, timeout=120
    )
    assert (done.stdout.strip(), done.stderr) == (str(REUSED), "")
    sweep.report("XT-05 forced pids", REUSED, [])


def _until(holds: Callable[[], bool], seconds: float = 10) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it did not come"
        time.sleep(0.005)
