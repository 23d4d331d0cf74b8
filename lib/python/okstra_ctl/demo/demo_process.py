"""`okstra demo`: makes the project, has it analysed for real, and says what came of it (H-040)."""

from __future__ import annotations

import contextlib
import os
import sys
from typing import TYPE_CHECKING, Any, Iterator, NamedTuple

from okstra_ctl.convergence import showing
from okstra_ctl.demo import planted
from okstra_kernel import Refusal, UserError, assets, notice, store
from okstra_project import dirs
from okstra_project.dirs import OKSTRA_DIR_NAME

if TYPE_CHECKING:
    import subprocess

ENGINES = ("lint", "trace", "syntax")
GROUP, TASK, TYPE = "demo", "no-total", "error-analysis"
KEY = f"shop:{GROUP}:{TASK}"


class Place(NamedTuple):
    """Where the demo happens: its project, and a home of its own."""

    folder: str
    project: str
    environment: dict[str, str]


def run(keep: str, *, defect: bool) -> tuple[int, str]:
    """Run the demo and return the exit status and what to print. Raises UserError.

    `keep`: a new folder that it leaves behind, else it leaves nothing.
    """
    with _place(keep) as place:
        _make_project(place, defect=defect)
        _tell("a small project, and a brief that quotes what its program printed")
        _drive(place)
        run_dir = os.path.join(place.project, OKSTRA_DIR_NAME, "tasks", GROUP, TASK, "runs", TYPE)
        state = showing.load(run_dir, "")
        row = planted.found(state)
        shown = _shown(place, run_dir, state, row, kept=bool(keep))
    if row is None:
        raise Refusal(
            f"the planted defect is not a finding on which the votes agree: "
            f"{planted.FILE}:{planted.LINE}"
        )
    return 0, shown


@contextlib.contextmanager
def _place(keep: str) -> Iterator[Place]:
    if keep:
        try:
            os.mkdir(keep)
        except OSError as err:
            raise UserError(f"cannot make this folder anew: --keep={keep}: {err.strerror}") from err
        yield _in(os.path.realpath(keep))
        return
    import tempfile

    with tempfile.TemporaryDirectory(prefix="okstra-demo.") as folder:
        yield _in(os.path.realpath(folder))


def _in(folder: str) -> Place:
    home, project = os.path.join(folder, "okstra-home"), os.path.join(folder, "shop")
    for path in (home, project):
        os.mkdir(path, 0o700)
    kept = ("PATH", "HOME", "TMPDIR", "LANG", "LC_ALL", "TERM", "OKSTRA_PYTHON", "NO_COLOR")
    environment = {name: os.environ[name] for name in kept if name in os.environ}
    git = {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull}
    return Place(folder, project, {**environment, **git, dirs.HOME_VARIABLE: home})


def _make_project(place: Place, *, defect: bool) -> None:
    for path, text in planted.files(defect=defect).items():
        store.write(place.project, path, text.encode())
    words = [sys.executable, "-I", "-c", _START]
    told = _run(place, words, may_fail=True)
    text = told.stderr if defect else _STALE
    store.write(place.project, "brief.md", planted.brief(text).encode())
    git = ["git", "-c", "user.name=demo", "-c", "user.email=demo@localhost"]
    for rest in (["init", "-q"], ["add", "."], ["commit", "-qm", "the shop"]):
        _run(place, [*git, *rest])


# Runs the program as `python main.py` does, in a Python that takes nothing from its surroundings.
_START = f"""
import runpy, sys
sys.path.insert(0, ".")
runpy.run_path({planted.PROGRAM!r}, run_name="__main__")
"""
_STALE = f"""\
Traceback (most recent call last):
  File "shop/prices.py", line {planted.LINE}, in gross
NameError: name '{planted.NAME}' is not defined
"""


def _drive(place: Place) -> None:
    roles = [f"--role-model=analyser=local/{engine}" for engine in ENGINES]
    words = [
        *(assets.path("bin", "okstra"), "run", "external", "--yes", "--trust"),
        *("--project-id=shop", f"--task-group={GROUP}", f"--task-id={TASK}"),
        *(f"--task-type={TYPE}", "--task-brief=brief.md"),
        *(*roles, "--role-model=report-writer=local/trace"),
    ]
    import subprocess

    _tell(f"okstra {' '.join(words[1:])}")
    done = subprocess.run(
        words, cwd=place.project, env=place.environment, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, check=False,
    )  # fmt: skip
    if done.returncode not in (0, 3):  # 3: it has questions for a person
        raise Refusal(f"the run ended with {done.returncode}")


def _run(
    place: Place, words: list[str], *, may_fail: bool = False
) -> subprocess.CompletedProcess[str]:
    import subprocess

    done = subprocess.run(
        words, cwd=place.project, env=place.environment, stdin=subprocess.DEVNULL,
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode and not may_fail:
        raise Refusal(f"{words[0]}: {done.returncode}: {done.stderr.strip()}")
    return done


def _shown(
    place: Place, run_dir: str, state: dict[str, Any], row: dict[str, Any] | None, *, kept: bool
) -> str:
    lines = []
    if row is not None:
        lines = ["", "What the votes agree on:", "", showing.table(_alone(state, row))]
        lines += ["", *(f"  {vote['workerId']}: {vote['basis']}" for vote in row["votes"])]
    else:
        lines = ["", showing.table(state)]
    base = os.path.join(run_dir, "reports", f"final-report-{TYPE}-001")
    lines += ["", "The report, once as data, once for machines, once for people:"]
    lines += [f"  {base}{end}" for end in (".data.json", ".md", ".html")]
    if not kept:
        lines += ["  (gone by now; --keep=<dir> leaves all of it)"]
    lines += [
        "",
        "All three engines are okstra's own: one family, no network, no model. So their agreement",
        "is capped at medium confidence. To let real providers vote, in a project of yours:",
        "  okstra run external --task-type=error-analysis --task-brief=<brief> "
        "--workers=claude,codex",
    ]
    return "\n".join(lines)


def _alone(state: dict[str, Any], row: dict[str, Any]) -> dict[str, Any]:
    return {**state, "findings": [row], "gaps": []}


def _tell(text: str) -> None:
    notice.tell(f"== {text}")
