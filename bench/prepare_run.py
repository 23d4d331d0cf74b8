"""Q-7: preparing a run without a worktree, and the interpreters on the way to a lead."""

from __future__ import annotations

import sys
from typing import Iterator

import measure
import projects
from measure import OKSTRA, ROOT, Place, Row

GOAL, INTERPRETERS = 12.0, 3
LEADS = ("claude", "codex")


def rows(place: Place) -> Iterator[Row]:
    here = projects.project(place, "prepared")
    first, again = projects.prepare("T-1"), projects.prepare("T-2")
    yield Row("Q-7", "render-bundle", measure.ratio(here, again), GOAL, "x start")
    launcher = [str(ROOT / "bin/okstra.sh"), *first[2:], "--render-only"]
    yield Row("Q-7", "okstra.sh --render-only", measure.ratio(here, launcher), GOAL, "x start")
    found = measure.counts(here, again)
    yield Row("Q-7", "render-bundle", found.interpreters, INTERPRETERS, "interpreters")
    for lead in LEADS:
        found = measure.counts(*to_a_lead(here, lead))
        yield Row("Q-7", f"okstra run {lead}", found.interpreters, INTERPRETERS, "interpreters")


def to_a_lead(here: Place, lead: str) -> tuple[Place, list[str]]:
    """Return a place with a scripted CLI, and the words that start it as lead on a terminal."""
    bin = here.folder / "cli"
    bin.mkdir(exist_ok=True)
    (bin / lead).write_text("#!/bin/sh\nexit 0\n")
    (bin / lead).chmod(0o755)
    on_path = here._replace(env={**here.env, "PATH": f"{bin}:{here.env['PATH']}"})
    terminal = [sys.executable, str(ROOT / "tests/support/pty_run.py"), "--answer=y", "--"]
    return on_path, [*terminal, OKSTRA, "run", lead, *projects.prepare("T-3")[2:-1]]


if __name__ == "__main__":
    with measure.sealed() as here:
        measure.show(rows(here))
