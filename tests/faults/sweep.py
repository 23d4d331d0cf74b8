"""Strike a command at many points, two at a time, and say what was not sound."""

from __future__ import annotations

import os
import queue
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Callable, Iterable, NamedTuple, TypeVar

from faults.sandbox import Sandbox

Item = TypeVar("Item")
SIDE_BY_SIDE = 2

SAMPLE, LONG, ALL = 0, 1, 2
LEVEL = {"": SAMPLE, "long": LONG, "all": ALL}[os.environ.get("OKSTRA_FAULTS", "")]


class Swept(NamedTuple):
    name: str
    tried: int
    failures: list[str]

    def __str__(self) -> str:
        return f"{self.name}: {self.tried} tried, {len(self.failures)} not sound"


REPORT: list[Swept] = []  # what the terminal shows in the end


def chosen(items: Iterable[Item], sample: int, long: int = 10**9) -> list[Item]:
    """Return all of the items, or so many, spread evenly, as this run's length allows."""
    found = list(items)
    most = {SAMPLE: sample, LONG: long, ALL: 10**9}[LEVEL]
    if len(found) <= most:
        return found
    return [found[i * len(found) // most] for i in range(most)]


def report(name: str, tried: int, failures: list[str]) -> None:
    """Keep the outcome for the summary, and fail if anything was not sound."""
    REPORT.append(Swept(name, tried, failures))
    assert tried, f"{name}: nothing was tried"
    assert not failures, f"{name}: {len(failures)} of {tried}:\n" + "\n".join(failures[:40])


def sweep(
    name: str,
    boxes: list[Sandbox],
    items: list[Item],
    strike: Callable[[Sandbox, Item], list[str]],
) -> None:
    """Call `strike` for each item, with a sandbox that no other has meanwhile; report."""
    free: queue.Queue[Sandbox] = queue.Queue()
    for box in boxes:
        free.put(box)

    def one(item: Item) -> list[str]:
        box = free.get()
        try:
            return [f"{item}: {fault}" for fault in strike(box, item)]
        finally:
            free.put(box)

    with ThreadPoolExecutor(len(boxes)) as pool:
        failures = [fault for found in pool.map(one, items) for fault in found]
    report(name, len(items), failures)


def sandboxes(base: Path) -> list[Sandbox]:
    count = 1 if LEVEL == SAMPLE else SIDE_BY_SIDE  # a sample's tests run side by side already
    return [Sandbox(base / f"box {n}").build() for n in range(count)]
