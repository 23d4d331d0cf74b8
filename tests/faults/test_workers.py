"""Workers that behave badly, side by side with one that does not (XI-21, XF-10, XF-15).

Each ends in its documented state, the good one is not touched, and no process is left: not even one
that left its group, its session and its parents.
"""

from __future__ import annotations

import shlex
import shutil
import subprocess
import time
from pathlib import Path
from typing import Iterator

import pytest

from faults import sweep
from faults.crew import RUN, Crew, Process
from faults.sandbox import PATH, TREE, Sandbox

CLAUDE, CODEX, GROK = "claude-analyser", "codex-analyser", "grok-analyser"
BYTES = 60_000_000 if sweep.LEVEL == sweep.SAMPLE else 1_000_000_000


@pytest.fixture
def crew(box: Sandbox) -> Iterator[Crew]:
    made = Crew(box, lead="antigravity").build()
    yield made
    made.end()


def _mounts() -> str:
    """Return why no disk can be made small here, or an empty text."""
    if not shutil.which("unshare"):
        return "unshare is not installed"
    done = subprocess.run(
        ["unshare", "-rm", "mount", "-t", "tmpfs", "none", "/mnt"], capture_output=True, text=True
    )
    return f"no mounts here: {done.stderr.strip()}" if done.returncode else ""


def _left(crew: Crew, seconds: float = 4) -> list[Process]:
    return crew.left(seconds)


@pytest.mark.skipif(bool(_mounts()), reason=_mounts() or "can mount")
def test_five_bad_ones_beside_a_good_one(crew: Crew) -> None:
    """A daemon, one deaf to TERM, a flood, no UTF-8, a full disk: the good one does not notice."""
    rounds = {
        "daemon": CLAUDE,
        "deaf": GROK,
        "flood": CODEX,
        "invalid-utf8": GROK,
        "fill": CLAUDE,
        "ok": CODEX,
    }
    for kind in rounds:
        crew.scenario(kind, kind)
    files = [crew.jobs(kind, worker) for kind, worker in rounds.items()]
    small = crew.box.project / RUN / f"outbox/{CLAUDE}-fill-001"
    small.mkdir(parents=True)
    lines = [f"mount -t tmpfs -o size=64k none {shlex.quote(str(small))}"]
    lines += [shlex.join(crew.words("team", "dispatch", f"--jobs-file={file}")) for file in files]
    lines.append(shlex.join(crew.words("team", "await", "--json")))
    script = "set -e\n" + "\n".join(lines)
    env = crew.env(OKSTRA_WRAPPER_IDLE_SECONDS="3")
    done = crew.box.run("unshare", "-rm", "sh", "-c", script, env=env)
    assert done.status == 1, done.told
    assert crew.endings() == [
        "daemon claude completed -",
        "deaf grok timeout idle-timeout",
        "fill claude error incomplete-result",
        "flood codex completed -",
        "invalid-utf8 grok error invalid-result",
        "ok codex completed -",
    ]
    details = {one["dispatchKind"]: one["detail"] for one in crew.dispatches()}
    assert details["daemon"].startswith("ended what had left its group: ")
    assert details["ok"] == ""
    assert _left(crew) == []
    assert crew.faults() == []


def test_what_a_fake_cli_may_do(crew: Crew) -> None:
    """Each ends in its documented state (XI-21)."""
    crew.notes.joinpath("bytes").write_text(str(BYTES), encoding="utf-8")
    rounds = {
        "mute": (CLAUDE, GROK),
        "curious": (CLAUDE, CODEX, GROK),
        "silent-zero": (CLAUDE, CODEX, GROK),
        "gigabyte": (CODEX,),
        "daemon": (CODEX, GROK),
        "daemon-hang": (CLAUDE,),
        "hang": (CODEX,),
    }
    for kind, workers in rounds.items():
        crew.scenario(kind, kind)
        done = crew.do(
            *("team", "dispatch", f"--jobs-file={crew.jobs(kind, *workers)}"),
            OKSTRA_WRAPPER_IDLE_SECONDS="4",
        )
        assert done.status == 0, done.told
    done = crew.do("team", "await", "--json")
    assert crew.endings() == [
        "curious claude completed -",
        "curious codex completed -",
        "curious grok completed -",
        "daemon codex completed -",
        "daemon grok completed -",
        "daemon-hang claude timeout idle-timeout",
        "gigabyte codex completed -",
        "hang codex timeout idle-timeout",
        "mute claude error crashed",
        "mute grok completed -",
        "silent-zero claude error crashed",
        "silent-zero codex error crashed",
        "silent-zero grok error missing-result",
    ]
    assert _left(crew) == []
    assert crew.faults() == []
    sweep.report("XI-21 fake CLIs", len(crew.dispatches()), [])


@pytest.mark.parametrize("how", ["absent", "not executable", "a folder", "no interpreter"])
def test_a_cli_that_cannot_be_started(crew: Crew, how: str) -> None:
    place = crew.box.live / "programs"
    place.mkdir()
    claude = shlex.quote(str(TREE / "tests/rehearsal/bin/claude"))
    place.joinpath("claude").write_text(f'#!/bin/sh\nexec {claude} "$@"\n', encoding="utf-8")
    place.joinpath("claude").chmod(0o755)
    program = place / "grok"
    if how == "a folder":
        program.mkdir()
    elif how != "absent":
        program.write_text("#!/nowhere/sh\n", encoding="utf-8")
        program.chmod(0o755 if how == "no interpreter" else 0o644)
    path = f"{place}:{PATH}"
    done = crew.do("team", "dispatch", f"--jobs-file={crew.jobs('one', GROK, CLAUDE)}", PATH=path)
    assert done.status == 0, done.told
    crew.do("team", "await")
    assert crew.endings() == ["one claude completed -", "one grok error launch-failed"]
    detail = next(one["detail"] for one in crew.dispatches() if one["reason"])
    assert "grok" in detail
    assert _left(crew) == []


FORGED = {
    "no JSON": "}{",
    "nothing": "",
    "ended well": '{"schemaVersion":1,"provider":"grok","model":"","promptPath":"x","logPath":"x",'
    '"wrapperPid":%(pid)s,"wrapperStartedAt":"%(start)s","pid":%(pid)s,'
    '"processStartedAt":"%(start)s","processGroup":%(pid)s,"status":"completed",'
    '"startedAt":"2026-01-01T00:00:00Z","heartbeatAt":"2026-01-01T00:00:00Z","logBytes":1,'
    '"endedAt":"2026-01-01T00:00:00Z","exitCode":0,"reason":"","escaped":[]}',
}
FORGED["still runs"] = FORGED["ended well"].replace("completed", "running")


@pytest.mark.parametrize("what", FORGED)
def test_a_cli_that_writes_its_own_status(crew: Crew, what: str) -> None:
    """Only the wrapper ends a turn, and a foreign process named there is spared (XI-21, XT-05)."""
    with subprocess.Popen(["sleep", "600"], start_new_session=True) as foreign:
        try:
            start = Path(f"/proc/{foreign.pid}/stat").read_text().rpartition(")")[2].split()[19]
            names = {"pid": foreign.pid, "start": start}
            text = FORGED[what] % names if "%" in FORGED[what] else FORGED[what]
            crew.notes.joinpath("forged").write_text(text, encoding="utf-8")
            for kind in ("forged", "torn"):
                crew.scenario(kind, "forged")
            crew.do("team", "dispatch", f"--jobs-file={crew.jobs('forged', GROK)}")
            crew.do("team", "await")
            assert crew.endings() == ["forged grok completed -"]
            crew.do("team", "dispatch", f"--jobs-file={crew.jobs('torn', GROK)}")
            time.sleep(0.5)
            assert crew.do("team", "teardown").status == 0
            assert crew.endings() == ["forged grok completed -", "torn grok error cancelled"]
            assert _left(crew) == []
            assert foreign.poll() is None
        finally:
            foreign.kill()
