"""Q-23: `log-report` over 10,000 files of 1 GB in all, beside `find -printf` over the same."""

from __future__ import annotations

import json
import os
from pathlib import Path
from statistics import median
from typing import Iterator

import measure
from measure import OKSTRA, Place, Row

FILES, RUNS, EACH = 10_000, 50, 100_000  # files, folders, bytes of a file
GOAL, PEAK = 2.0, 64.0  # x find, MiB
FIND = ["find", ".okstra/tasks", "-path", "*/prompts/*", "-type", "f", "-printf", "%s %p\n"]


def transcripts(place: Place) -> Place:
    """Return a project with prompts and transcripts, which are sparse."""
    root = place.folder / "shop"
    for run in range(RUNS):
        folder = root / f".okstra/tasks/web/dev-{run}/runs/error-analysis/prompts"
        folder.mkdir(parents=True)
        for worker in range(FILES // RUNS // 2):
            for suffix in ("md", "log"):
                path = folder / f"worker-{worker}-prompt-error-analysis-001.{suffix}"
                path.touch()
                os.truncate(path, EACH)
    Path(root, ".okstra/project.json").write_text(
        json.dumps({"schemaVersion": 1, "projectId": "shop"}), encoding="utf-8"
    )
    return place._replace(folder=root)


def rows(place: Place) -> Iterator[Row]:
    here = transcripts(place)
    for words in (["log-report", "--json"], ["log-report", "--top=20", "--json"]):
        command = [OKSTRA, *words]
        found = [(measure.cost(here, command), measure.cost(here, FIND)) for _ in range(11)]
        times = median(ours.seconds / theirs.seconds for ours, theirs in found[2:])
        name = f"{' '.join(words)}, {FILES:,} files"
        yield Row("Q-23", name, times, GOAL, "x find")
        yield Row("Q-23", name, max(ours.peak for ours, _ in found), PEAK, "MiB")


if __name__ == "__main__":
    with measure.sealed() as here:
        measure.show(rows(here))
