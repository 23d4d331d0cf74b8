"""Q-4: `task-list` of 10, 1,000 and 10,000 tasks: time and peak memory."""

from __future__ import annotations

from typing import Iterator

import measure
import projects
from measure import OKSTRA, Place, Row

GOALS = {10: 3.0, 1_000: 6.0, 10_000: 30.0}
PEAK = 40.0  # MiB


def rows(place: Place) -> Iterator[Row]:
    for count, goal in GOALS.items():
        here = projects.with_tasks(place, f"of-{count}", count)
        name, command = f"task-list --json, {count:,} tasks", [OKSTRA, "task-list", "--json"]
        yield Row("Q-4", name, measure.ratio(here, command, 9), goal, "x start")
        yield Row("Q-4", name, measure.cost(here, command).peak, PEAK, "MiB")


if __name__ == "__main__":
    with measure.sealed(measure.memory()) as here:
        measure.show(rows(here))
