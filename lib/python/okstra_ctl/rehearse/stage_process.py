"""The place of a rehearsal, and okstra's own commands run there (H-051).

Nothing of the user's gets in: of the environment only what programs need to run, a home of its own,
and the stand-ins in front of the PATH. No key can reach a stand-in, and no file of the user's home
is read or written.
"""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from typing import TYPE_CHECKING, Any, Iterator, NamedTuple

from okstra_ctl.rehearse.scenarios import Scenario
from okstra_kernel import Refusal, UserError, assets, store

if TYPE_CHECKING:
    import subprocess

ASSETS = ("tests", "rehearsal")
TABLE = (*ASSETS, "scenarios.tsv")
IDLE_SECONDS = 3  # of silence, after which a stand-in is ended
_PASSED_ON = ("TMPDIR", "LANG", "LC_ALL", "TERM")
_SHOP = {
    "shop.py": 'def pay(cart):\n    """Return what a cart costs."""\n    return cart["total"]\n',
    "brief.md": "# Checkout fails\n\nKeyError: 'total' in shop.py:3\n\n## Expected\n\nIt is 3.\n",
}


class Stage(NamedTuple):
    """Where one scenario is played. The paths are absolute."""

    project: str
    home: str
    notes: str  # what the stand-ins read and write: which scenario, which processes

    def environment(self) -> dict[str, str]:
        kept = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
        stand_ins = os.path.join(os.path.dirname(assets.path(*TABLE)), "bin")
        return {
            **kept,
            "PATH": f"{stand_ins}{os.pathsep}{os.environ.get('PATH', os.defpath)}",
            "HOME": self.home,
            "OKSTRA_PYTHON": _python(),
            "OKSTRA_REHEARSAL": self.notes,
            "OKSTRA_WRAPPER_IDLE_SECONDS": str(IDLE_SECONDS),
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_GLOBAL": os.devnull,
        }


class Interrupted(Exception):
    """The rehearsal is being called off: no further program is started."""


class Programs:
    """The programs that run for a rehearsal, from several threads, so that they can be ended."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: set[subprocess.Popen[bytes]] = set()
        self._ended = False

    def run(self, words: list[str], stage: Stage, *, last: bool = False) -> tuple[int, str]:
        """Return exit status and what was said on stderr. `last`: also while all is called off."""
        import subprocess

        with self._lock:
            if self._ended and not last:
                raise Interrupted
            process = subprocess.Popen(
                words,
                cwd=stage.project,
                env=stage.environment(),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
            )
            if not last:
                self._running.add(process)
        _, said = process.communicate()
        with self._lock:
            self._running.discard(process)
        return process.returncode, said.decode("utf-8", "replace")

    def end(self) -> None:
        """Ask all that run to end, and start no more."""
        with self._lock:
            self._ended = True
            for process in self._running:
                process.send_signal(signal.SIGTERM)


def set_up(programs: Programs, folder: str, home: str, scenario: Scenario) -> Stage:
    """Make a scenario's stage in `folder`: a git project, and the scenario's name for its turns."""
    stage = Stage(os.path.join(folder, "shop"), home, os.path.join(folder, "notes"))
    for place in ("shop", "notes"):
        store.make_folder(folder, place)
    store.write_all(stage.project, {name: text.encode() for name, text in _SHOP.items()})
    author = ("-c", "user.name=okstra", "-c", "user.email=rehearsal@example.com")
    for words in (["init", "-q"], ["add", "."], [*author, "commit", "-qm", "a shop"]):
        status, said = programs.run(["git", *words], stage)
        if status != 0:
            raise Refusal(f"git {words[0]} failed: {said.strip()[:200]}")
    return stage


def okstra(programs: Programs, stage: Stage, words: list[str], *, good: tuple[int, ...]) -> None:
    """Run a command of okstra. Raises Refusal with what it said, UserError for unusable input."""
    program = ["/bin/bash", "-p", assets.path("bin", "okstra")]
    status, said = programs.run([*program, *words], stage)
    if status not in good:
        told = [line for line in said.splitlines() if not line.startswith("PROGRESS: ")]
        kind = UserError if status == 2 else Refusal
        raise kind(next(iter(told), f"okstra {words[0]} ended with {status}")[:300])


def tear_down(programs: Programs, stage: Stage, words: list[str]) -> None:
    """End what a run has left; whether something is alive is looked at afterwards."""
    with contextlib.suppress(OSError):
        programs.run(["/bin/bash", "-p", assets.path("bin", "okstra"), *words], stage, last=True)


@contextlib.contextmanager
def place(keep: str) -> Iterator[str]:
    """Yield a new folder, removed afterwards; `keep` names one that stays. Raises UserError."""
    if keep:
        try:
            os.mkdir(keep, 0o700)
        except OSError as err:
            raise UserError(f"cannot make this folder anew: --keep={keep}: {err.strerror}") from err
        yield os.path.realpath(keep)
        return
    import tempfile

    with tempfile.TemporaryDirectory(prefix="okstra-rehearsal.") as folder:
        yield os.path.realpath(folder)


def _python() -> str:
    import sys

    return sys.executable


def arguments(values: dict[str, Any]) -> list[str]:
    """Return options as words, in the order given."""
    return [f"--{name}={value}" for name, value in values.items()]
