"""What the system refuses: full disks, read-only places, too few descriptors (XF-09, XF-11, XF-13).

Each time: an exit status that says so, one line that names the cause, and a sound state.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from faults import points, soundness, sweep
from faults.conftest import AGAIN, FIRST
from faults.points import Point
from faults.sandbox import Done, Sandbox, prepare

NEEDS_STRACE = pytest.mark.skipif(bool(points.unable()), reason=points.unable() or "can trace")

CAUSES = {
    "ENOSPC": "No space left on device",
    "EIO": "Input/output error",
    "EACCES": "Permission denied",
    "EROFS": "Read-only file system",
    "EMFILE": "Too many open files",
    "EDQUOT": "Disk quota exceeded",
}
# Which calls can fail so, of those that a process makes to change something.
ERRORS = {
    "ENOSPC": ("write", "pwrite64", "fsync", "openat", "mkdir", "mkdirat", *points.RENAME),
    "EIO": ("write", "fsync", "ftruncate", *points.RENAME),
    "EACCES": ("openat", "mkdir", "mkdirat", *points.RENAME),
    "EROFS": ("openat", "mkdir", "mkdirat", *points.RENAME),
    "EMFILE": ("openat",),
    "EDQUOT": ("write", "openat", "mkdir", "mkdirat"),
}
# What a run goes on without, told in one line: the index (P-212) and the exclude block (XI-19).
NOTICES = ("central index: ", ".okstra/ stays visible to git: ")


CASES = [(error, state) for state in (AGAIN, FIRST) for error in ERRORS]


@NEEDS_STRACE
@pytest.mark.parametrize(("error", "state"), CASES[: 7 if sweep.LEVEL == sweep.SAMPLE else None])
def test_an_error_at_every_call(boxes: list[Sandbox], error: str, state: str) -> None:
    boxes[0].restore(state)
    found = [
        point
        for point in points.creating(points.record(boxes[0], prepare()))
        if point.call in ERRORS[error] and _ours(point)
    ]
    number = "XF-09" if error == "ENOSPC" else "XF-11"
    sample = 2 if error == "ENOSPC" else 1
    name = f"{number} {error}, {state}"
    sweep.sweep(
        name, boxes, sweep.chosen(found, sample), lambda box, p: _fail(box, p, error, state)
    )


@NEEDS_STRACE
@pytest.mark.parametrize("error", ["EIO", "ENOSPC"])
def test_nothing_reaches_the_disk(boxes: list[Sandbox], error: str) -> None:
    """Files are synced side by side: the fault of a thread is the fault of the run."""
    box = boxes[0]
    box.restore(AGAIN)
    before = soundness.manifests(box)
    log = str(box.base / "struck")
    done = box.run("strace", "-f", "-o", log, "-e", f"inject=fsync:error={error}", *prepare())
    failures = [*verdict(done, CAUSES[error]), *soundness.faults(box, before)]
    sweep.report(f"XF-11 {error} at every fsync", 1, failures)


def _ours(point: Point) -> bool:
    """Leave out Bash's own files, what is printed, and what failed already and did not matter."""
    printed = point.text.startswith(("write(1,", "write(2,"))
    return not printed and "sh-thd" not in point.text and " = -1 " not in point.text


def _fail(box: Sandbox, point: Point, error: str, state: str) -> list[str]:
    box.restore(state)
    before = soundness.manifests(box)
    done = box.run(*points.strike(box, prepare(), point, f"error={error}"))
    return [*verdict(done, CAUSES[error]), *soundness.faults(box, before, torn=1)]


def verdict(done: Done, cause: str) -> list[str]:
    """Return what is wrong with how a command told of a failure."""
    lines = done.err.strip().splitlines()
    if done.status in (70, 124) or done.status < 0 or "Traceback" in done.err:
        return [f"exit {done.status}: {done.told}"]
    if done.status == 0:
        told = [x for x in lines if x.startswith(NOTICES)]
        return [] if told else [f"exit 0, and nothing told: {done.told}"]
    if not any(cause.lower() in line.lower() for line in lines):
        return [f"exit {done.status}, cause not named ({cause}): {done.told}"]
    return [] if len(lines) <= 3 else [f"more than a line: {done.told}"]


@pytest.mark.skipif(not shutil.which("prlimit"), reason="prlimit is not installed")
def test_too_few_descriptors(box: Sandbox) -> None:
    box.keep(FIRST)
    failures = []
    limits = range(4, 17)
    for limit in sweep.chosen(limits, 2):
        box.restore(FIRST)
        done = box.run("prlimit", f"--nofile={limit}", *prepare())
        if done.status:
            failures += [f"{limit}: {x}" for x in verdict(done, CAUSES["EMFILE"])]
        failures += [f"{limit}: {x}" for x in soundness.faults(box, [])]
    sweep.report("XF-11 prlimit --nofile", len(sweep.chosen(limits, 2)), failures)


def unmountable() -> str:
    """Return why no file system can be mounted for one command, or an empty text."""
    if not shutil.which("unshare"):
        return "unshare is not installed"
    probe = ["unshare", "-rm", "mount", "-t", "tmpfs", "none", "/mnt"]
    done = subprocess.run(probe, capture_output=True, text=True)
    return f"no mount here: {done.stderr.strip()[:200]}" if done.returncode else ""


NEEDS_MOUNT = pytest.mark.skipif(bool(unmountable()), reason=unmountable() or "can mount")

SMALL = """
mount -t tmpfs -o size=64k none "$place" && mkdir -p "$place" || exit 99
[ "$2" != project ] || cp "$keep"/* "$place"/
shift 2
cd "$project"
n=0
while [ "$n" -lt 40 ]; do
  n=$((n + 1))
  "$@" >"$log.out" 2>"$log.err"
  status=$?
  if [ "$status" != 0 ]; then
    echo "$n $status"; cat "$log.err"
    mount -o remount,size=8m "$place"
    "$@" >"$log.out" 2>"$log.err"
    echo "again $?"; cat "$log.err"
    cp -R "$place" "$copy"
    exit 0
  fi
done
echo never full
exit 98
"""


@NEEDS_MOUNT
@pytest.mark.parametrize("what", ["home", "project"])
def test_a_small_disk_fills_up(box: Sandbox, what: str) -> None:
    """On 64 kB the prepares end with a sentence, and go on when there is room again (XF-10)."""
    place = box.okstra_home if what == "home" else box.project
    place.mkdir(exist_ok=True)
    keep, copy = box.base / "keep", box.base / "copy"
    shutil.copytree(box.project, keep, ignore=shutil.ignore_patterns(".git"))
    if what == "home":  # the prompts of a run are larger than 64 kB; the home grows slowly
        (box.okstra_home / "filler").unlink(missing_ok=True)
    env = box.env(place=str(place), project=str(box.project), keep=str(keep), copy=str(copy))
    env["log"] = str(box.base / "log")
    command = prepare("T1", "--project-root=.")
    script = SMALL if what == "project" else SMALL.replace("n=0\n", _FILL, 1)
    done = box.run("unshare", "-rm", "sh", "-c", script, "sh", "sh", what, *command, env=env)
    lines = done.out.splitlines()
    failures = [] if done.status == 0 else [f"{done.status}: {done.told}"]
    if done.status == 0:
        index = next(i for i, line in enumerate(lines) if line.startswith("again "))
        first = Done(int(lines[0].split()[1]), "", "\n".join(lines[1:index]))
        failures += verdict(first, CAUSES["ENOSPC"])
        failures += [] if lines[index] == "again 0" else ["\n".join(lines[index:])]
    sweep.report(f"XF-10 64 kB as {what}", 1, failures)


_FILL = """n=0
head -c 56000 /dev/zero >"$place/filler"
"""


@NEEDS_MOUNT
@pytest.mark.parametrize("what", sweep.chosen(["home", ".git", "project", ".okstra"], 2))
def test_a_place_that_is_read_only(box: Sandbox, what: str) -> None:
    """Read commands work, writers end before any change (XF-13, XI-19)."""
    box.keep(FIRST)
    failures, tried = [], 0
    for state in (FIRST, AGAIN):
        box.restore(FIRST)
        if state == AGAIN:
            assert box.run(*prepare()).status == 0
        places = {"home": box.okstra_home, "project": box.project}
        place = places.get(what, box.project / what)
        if not place.exists():
            if what == ".okstra":
                continue
            place.mkdir(parents=True)
        before = _digest(box.live)
        done = _read_only(box, place, prepare())
        tried += 1
        if what == ".git":
            failures += [f"{state}: {done.told}"] if done.status else []
        else:
            failures += [f"{state}: {x}" for x in verdict(done, CAUSES["EROFS"])]
            failures += [f"{state}: changed {x}" for x in sorted(_digest(box.live) ^ before)]
        if state == AGAIN:
            for words in (["task-list"], ["task-show", "shop:g:T1"], ["config", "show"]):
                tried += 1
                reading = _read_only(box, place, [prepare()[0], *words])
                failures += [f"{words}: {reading.told}"] if reading.status else []
        failures += [f"{state}: {x}" for x in soundness.faults(box, soundness.manifests(box))]
    sweep.report(f"XF-13 read-only {what}", tried, failures)


def _read_only(box: Sandbox, place: Path, command: list[str]) -> Done:
    script = (
        'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" || exit 99; cd "$1"; shift; "$@"'
    )
    return box.run("unshare", "-rm", "sh", "-c", script, place, box.project, *command)


def _digest(base: Path) -> set[tuple[str, bytes]]:
    """Return each file's path and bytes, and each folder's path; locks apart: they hold nothing."""
    found = set()
    for path in base.rglob("*"):
        if ".locks" not in path.parts and ".git" not in path.parts:
            found.add((str(path), path.read_bytes() if path.is_file() else b""))
    return found


OUTPUTS = {
    "stdout full": '"$@" >/dev/full',
    "stdout closed": '"$@" >&-',
    "stdout a pipe without a reader": '{ sleep 0.05; "$@"; echo $? >"$STATUS"; } | :',
    "stdin closed": '"$@" <&-',
    "stderr closed": '"$@" 2>&-',
    "stderr full": '"$@" 2>/dev/full',
    "all closed": '"$@" <&- >&- 2>&-',
}


@pytest.mark.parametrize("what", sweep.chosen(OUTPUTS, 3))
def test_what_nobody_hears(box: Sandbox, what: str) -> None:
    """A result that cannot be told is no success; the state is sound all the same (XF-14)."""
    if "full" in what and not os.path.exists("/dev/full"):
        pytest.skip("no /dev/full here")
    status = box.base / "status"
    env = box.env(STATUS=str(status))
    failures, tried = [], 0
    commands = [prepare(), [prepare()[0], "task-list"], [prepare()[0], "help"]]
    for command in commands:
        before = soundness.manifests(box)
        done = box.run("bash", "-c", OUTPUTS[what], "sh", *command, env=env)
        code = int(status.read_text()) if status.exists() else done.status
        status.unlink(missing_ok=True)
        expected = [141, 0] if "pipe" in what else [1] if "stdout" in what or "all" in what else [0]
        tried += 1
        if code not in expected or "Traceback" in done.err:
            failures.append(f"{command[1]}: exit {code}: {done.told}")
        if what in ("stdout full", "stdout closed") and len(done.err.strip().splitlines()) != 1:
            lines = [x for x in done.err.splitlines() if not x.startswith("okstra hides")]
            if len(lines) != 1:
                failures.append(f"{command[1]}: not one line: {done.err}")
        if command[1] == "render-bundle":
            failures += soundness.faults(box, before)
    sweep.report(f"XF-14 {what}", tried, failures)
