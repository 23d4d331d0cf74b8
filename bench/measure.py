"""What all benchmarks share: a sealed place to run in, paired timing, counting, one table.

Times are ratios to `start`, a bare interpreter (G-002): each run of a command is paired with one of
`python -c pass`, and the median of the pairs' ratios counts. What can be counted is not timed.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Iterable, Iterator, NamedTuple, Sequence

ROOT = Path(__file__).resolve().parents[1]
OKSTRA = str(ROOT / "bin/okstra")
START = [sys.executable, "-c", "pass"]
WARM_UP, RUNS = 2, 15  # pairs; the first two are not counted

Words = Sequence[str]


class Row(NamedTuple):
    """One line of the table. `figure` and `goal` are in `unit`; met: figure <= goal (G-001)."""

    id: str
    subject: str
    figure: float
    goal: float
    unit: str

    @property
    def met(self) -> bool:
        return self.figure <= self.goal


class Place(NamedTuple):
    """A folder with a home of its own; nothing of the user's environment that matters."""

    folder: Path
    env: dict[str, str]

    def run(self, words: Words) -> subprocess.CompletedProcess[str]:
        """Run a command and return what it printed. Raises RuntimeError where it fails."""
        done = subprocess.run(
            words, cwd=self.folder, env=self.env, stdin=subprocess.DEVNULL, text=True,
            capture_output=True,
        )  # fmt: skip
        if done.returncode:
            raise RuntimeError(f"{' '.join(words)}: {done.returncode}: {done.stderr}")
        return done


class Cost(NamedTuple):
    seconds: float
    peak: float  # MiB


class Counts(NamedTuple):
    """What one command started and imported."""

    interpreters: int
    gits: int
    modules: frozenset[str]


@contextmanager
def sealed(base: str | None = None) -> Iterator[Place]:
    """Yield a place below this folder, or where temporary files go; it is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="okstra-bench-", dir=base) as name:
        home = Path(name, "home")
        home.mkdir()
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("OKSTRA_", "GIT_"))}
        env = {**kept, "HOME": str(home), "OKSTRA_PYTHON": sys.executable, "LC_ALL": "C.UTF-8"}
        yield Place(Path(name), env)


def memory(room: int = 0) -> str | None:
    """Return a folder in memory with so many bytes free, if there is one (G-002)."""
    place = "/dev/shm"
    fits = os.access(place, os.W_OK) and shutil.disk_usage(place).free > room
    return place if fits else None


def cost(place: Place, words: Words) -> Cost:
    """Return what one run of a command takes: seconds, and the most memory it held at once."""
    begin = time.perf_counter()
    child = subprocess.Popen(
        words, cwd=place.folder, env=place.env, stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    _, status, usage = os.wait4(child.pid, 0)
    taken = time.perf_counter() - begin
    child.returncode = os.waitstatus_to_exitcode(status)
    unit = 1 << 20 if sys.platform == "darwin" else 1 << 10  # bytes there, KiB elsewhere
    return Cost(taken, usage.ru_maxrss / unit)


def ratio(place: Place, words: Words, runs: int = RUNS) -> float:
    """Return how many starts of a bare interpreter a command takes."""
    pairs = [(cost(place, words), cost(place, START)) for _ in range(WARM_UP + runs)]
    return median(one.seconds / bare.seconds for one, bare in pairs[WARM_UP:])


def counts(place: Place, words: Words) -> Counts:
    """Return what a command starts and imports. Raises RuntimeError where it fails."""
    bin, log = place.folder / "counting", place.folder / "counted"
    bin.mkdir(exist_ok=True)
    log.write_text("")
    git = place.run(["sh", "-c", "command -v git"]).stdout.strip()
    python = f'"{sys.executable}" -X importtime'
    for name, program in (("python3", python), ("python", python), ("git", f'"{git}"')):
        script = bin / name
        script.write_text(f'#!/bin/sh\necho {name} >>"{log}"\nexec {program} "$@"\n')
        script.chmod(0o755)
    env = {"OKSTRA_PYTHON": str(bin / "python3"), "PATH": f"{bin}:{place.env['PATH']}"}
    done = place._replace(env={**place.env, **env}).run(words)
    started = log.read_text().split()
    gits = started.count("git")
    found = re.findall(r"^import time: .*\| +(\S+)\r?$", done.stderr + done.stdout, re.MULTILINE)
    return Counts(len(started) - gits, gits, frozenset(found))


def show(rows: Iterable[Row]) -> None:
    """Print the table, a line as soon as it is known; a goal that was missed says so (G-001)."""
    missed = 0
    print(f"{'goal':<5} {'measured':>9} {'at most':>8} {'unit':<14} {'':<7} subject")
    for row in rows:
        missed += not row.met
        verdict = "" if row.met else "MISSED"
        print(
            f"{row.id:<5} {row.figure:>9.2f} {row.goal:>8.2f} {row.unit:<14} {verdict:<7} "
            f"{row.subject}",
            flush=True,
        )
    print(f"{missed} missed" if missed else "all met")
