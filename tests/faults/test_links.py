"""Links in place of what prepare writes or reads, and who may read what it wrote (XS-06, XS-17)."""

from __future__ import annotations

import os
import shutil
import stat
from pathlib import Path

import pytest

from faults import points, soundness, sweep
from faults.sandbox import Sandbox, prepare

RUN = ".okstra/tasks/g/t1/runs/error-analysis"
IN_PROJECT = [
    *(".okstra", ".okstra/project.json", ".okstra/tasks", ".okstra/tasks/g", ".okstra/tasks/g/t1"),
    *(".okstra/tasks/g/t1/task-manifest.json", ".okstra/tasks/g/t1/task-index.md"),
    *(".okstra/tasks/g/t1/history", ".okstra/tasks/g/t1/history/timeline.json"),
    *(".okstra/tasks/g/t1/runs", RUN),
    *(f"{RUN}/{name}" for name in ("instruction-set", "manifests", "state", "sessions", "logs")),
    *(f"{RUN}/{name}" for name in ("reports", "status", "archive", "prompts")),
    f"{RUN}/instruction-set/002",
    f"{RUN}/instruction-set/002/task-brief.md",
    f"{RUN}/state/run-context-error-analysis-002.json",
    f"{RUN}/manifests/run-manifest-error-analysis-002.json",
]
IN_HOME = ["recent.jsonl", "active.jsonl", "trust.jsonl", "archive", "projects", "batches"]
IN_HOME += [".locks", ".locks/central.lock", ".locks/task-shop-g-t1.lock"]
# What a run does without, and says so.
GOES_ON = ["recent.jsonl", "active.jsonl", ".locks/central.lock", "archive", "projects", "batches"]
# What takes a number, link or not: the run gets the next one.
GOES_ON += [f"{RUN}/archive", *(name for name in IN_PROJECT if "002" in name)]


@pytest.fixture
def prepared(box: Sandbox) -> Sandbox:
    assert box.run(*prepare()).status == 0
    box.keep("prepared")
    return box


def test_links_in_the_project(prepared: Sandbox) -> None:
    """Refused, and the link's target keeps its bytes and its mode (XS-06)."""
    plants = [(prepared.project / name, name) for name in sweep.chosen(IN_PROJECT, 4)]
    _plant("XS-06 links in the project", prepared, plants)


def test_links_in_the_home(prepared: Sandbox) -> None:
    plants = [(prepared.okstra_home / name, name) for name in sweep.chosen(IN_HOME, 3)]
    _plant("XS-06 links in okstra's home", prepared, plants)


def test_a_linked_exclude_file(box: Sandbox) -> None:
    """Git's exclude file may be a link of the user's own: it is left alone, and that is said."""
    exclude = box.project / ".git" / "info" / "exclude"
    exclude.parent.mkdir(exist_ok=True)
    exclude.write_text("*.log\n", encoding="utf-8")
    failures = []
    for name in (".git/info/exclude", ".git/info"):
        victim = _victim(box, box.project / name)
        before = _state(victim)
        done = box.run(*prepare())
        if done.status or "does not write through links" not in done.err:
            failures.append(f"{name}: exit {done.status}: {done.told}")
        failures += [] if _state(victim) == before else [f"{name}: victim changed"]
    sweep.report("XS-06 links in git's folder", 2, failures)


def _plant(name: str, box: Sandbox, plants: list[tuple[Path, str]]) -> None:
    failures = []
    for place, told in plants:
        box.restore("prepared")
        victim = _victim(box, place)
        before = _state(victim)
        manifests = len(soundness.manifests(box))
        done = box.run(*prepare())
        if done.status == 0 and told not in GOES_ON:
            failures.append(f"{told}: not refused: {done.told}")
        if done.status == 70 or "Traceback" in done.err:
            failures.append(f"{told}: exit {done.status}: {done.told}")
        if done.status and len(soundness.manifests(box)) > manifests and "task" not in told:
            failures.append(f"{told}: refused, but there is a manifest")
        if _state(victim) != before:
            failures.append(f"{told}: victim changed: {before} {_state(victim)}")
    sweep.report(name, len(plants), failures)


def _victim(box: Sandbox, place: Path) -> Path:
    """Put a link to a file or folder of somebody's there; of the same content, if there is one."""
    victim = box.live / "victim" / place.name
    victim.parent.mkdir(exist_ok=True)
    if place.exists():
        place.rename(victim)
    elif place.suffix:
        victim.write_text("{}", encoding="utf-8")
    else:
        victim.mkdir()
    victim.chmod(0o755 if victim.is_dir() else 0o644)
    place.parent.mkdir(parents=True, exist_ok=True)
    place.symlink_to(victim)
    return victim


def _state(victim: Path) -> list[tuple[str, int, bytes]]:
    found = [victim, *sorted(victim.rglob("*"))]
    return [
        (str(p), stat.S_IMODE(p.lstat().st_mode), p.read_bytes() if p.is_file() else b"")
        for p in found
    ]


def test_nobody_else_can_read(box: Sandbox) -> None:
    """Home and `.okstra/` are closed to others, and closed again when somebody opened them."""
    old = os.umask(0)
    try:
        assert box.run(*prepare()).status == 0
    finally:
        os.umask(old)
    failures = _open(box)
    box.okstra_home.chmod(0o755)
    assert box.run(*prepare()).status == 0
    failures += _open(box)
    if os.geteuid() == 0 and shutil.which("setpriv"):
        for path in (box.okstra_home / "recent.jsonl", soundness.manifests(box)[0]):
            other = ("setpriv", "--reuid=65534", "--clear-groups", "cat", path)
            failures += [] if box.run(*other).status else [f"somebody else reads {path}"]
    sweep.report("XS-17 others are kept out", 2, failures)


def _open(box: Sandbox) -> list[str]:
    found = []
    for base in (box.okstra_home, box.project / ".okstra"):
        if stat.S_IMODE(base.stat().st_mode) != 0o700:
            found.append(f"{base}: {stat.S_IMODE(base.stat().st_mode):o}")
    for path in box.okstra_home.rglob("*"):
        if path.is_file() and stat.S_IMODE(path.stat().st_mode) & 0o077:
            found.append(f"{path}: {stat.S_IMODE(path.stat().st_mode):o}")
    for path in box.project.glob(f"{RUN}/**/*"):
        if stat.S_IMODE(path.stat().st_mode) & 0o022:
            found.append(f"others write {path}: {stat.S_IMODE(path.stat().st_mode):o}")
    return found


@pytest.mark.skipif(bool(points.unable()), reason=points.unable() or "can trace")
def test_no_network_and_nothing_beside_okstra_in_home(box: Sandbox) -> None:
    """No process of a prepare connects, none writes elsewhere in HOME (U-22, U-27)."""
    log = box.base / "all"
    calls = "?connect,?socket,?openat,?open,?creat,?mkdir,?mkdirat,?rename,?renameat,?renameat2"
    done = box.run("strace", "-f", "-y", "-s", "400", "-o", log, "-e", f"trace={calls}", *prepare())
    assert done.status == 0, done.told
    lines = points.trace(log).splitlines()
    failures = [x for x in lines if "connect(" in x and " = -1" not in x]
    failures += [x for x in lines if "socket(AF_INET" in x]
    home = points.shown(str(box.home))
    for line in lines:
        changes = any(word in line for word in ("O_CREAT", "O_WRONLY", "O_RDWR", "mkdir", "rename"))
        if changes and home in line and f"{home}/.okstra" not in line and " = -1" not in line:
            failures.append(line)
    assert any(f"{home}/.okstra" in line for line in lines), "the trace shows nothing of the home"
    assert sorted(p.name for p in box.home.iterdir()) == [".okstra"]
    sweep.report("U-22, U-27 calls looked at", len(lines), failures)
