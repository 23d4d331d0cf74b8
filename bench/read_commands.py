"""Q-2 and Q-3: what the reading commands take, import and start, in a project of ten tasks."""

from __future__ import annotations

from typing import Iterator

import measure
import projects
from measure import OKSTRA, Place, Row

COMMANDS = [
    ["check-project"],
    ["task-list", "--json"],
    ["task-show", "T-1"],
    ["resolve-task-key", "T-3"],
    ["config", "get", "language"],
    ["config", "list"],
    ["config", "show"],
    ["config", "explain", "language"],
    ["trust", "--show"],
]
HEAVY = frozenset({"jsonschema", "yaml", "jinja2", "rich"})
MOST_GITS = 2


def rows(place: Place) -> Iterator[Row]:
    here = projects.with_tasks(place, "ten", 10)
    here.run([OKSTRA, "config", "set", "language", "en", "--scope=global"])
    for words in COMMANDS:
        name, command = " ".join(words), [OKSTRA, *words]
        yield Row("Q-2", name, measure.ratio(here, command), 3.0, "x start")
        found = measure.counts(here, command)
        yield Row("Q-3", name, len(found.modules & HEAVY), 0, "heavy imports")
        yield Row("Q-3", name, found.gits, MOST_GITS, "git starts")


if __name__ == "__main__":
    with measure.sealed() as here:
        measure.show(rows(here))
