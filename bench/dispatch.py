"""Q-10 and Q-11: what it takes to start, await and settle workers, beside a plain job runner."""

from __future__ import annotations

import shlex
import shutil
import subprocess
from statistics import median
from typing import Iterator

import crew
import measure
from measure import Place, Row

SIZES, PAIRS = (4, 16, 64), 5
RATIO, SLOPE = 1.0, 15.0  # x the runner, ms a worker
SLEEPERS = {8: 1.35, 32: 2.0}  # workers of one second: seconds at most
SIDE_BY_SIDE, TWO_AT_ONCE = 1.25, 4.4  # x one worker of three seconds


def rows(place: Place) -> Iterator[Row]:
    here = crew.project(place, "dispatched", crew.AT_ONCE)
    yield from no_ops(here)
    yield from sleepers(crew.with_cli(here, f"sleep 1\n{crew.DELIVER}{crew.FINAL}"))
    yield from side_by_side(crew.with_cli(here, f"sleep 3\n{crew.DELIVER}{crew.FINAL}"))


def no_ops(here: Place) -> Iterator[Row]:
    """Workers whose CLI ends at once: beside the same wrappers, started by a job runner."""
    runner = _runner(here)
    ours: dict[int, float] = {}
    theirs: dict[int, float] = {}
    for size in SIZES:
        pairs = [(_ours(here, size), _theirs(here, size, runner)) for _ in range(PAIRS)]
        ours[size], theirs[size] = (median(times) for times in zip(*pairs, strict=True))
        beside = f"{runner[0]} {runner[1]} {theirs[size]:.2f} s"
        name = f"{size} workers, {ours[size]:.2f} s; {beside}"
        yield Row("Q-10", name, median(a / b for a, b in pairs), RATIO, f"x {runner[0]}")
    name = f"each of {SIZES[0]} to {SIZES[-1]} workers; with {runner[0]} {_slope(theirs):.1f} ms"
    yield Row("Q-10", name, _slope(ours), SLOPE, "ms a worker")


def sleepers(here: Place) -> Iterator[Row]:
    """Workers that sleep for a second, then leave a sound result: until all are published."""
    for size, goal in SLEEPERS.items():
        taken = median(_ours(here, size) for _ in range(PAIRS))
        yield Row("Q-11", f"{size} workers of 1 s, all at once", taken, goal, "s")


def side_by_side(here: Place) -> Iterator[Row]:
    """Eight workers of three seconds, all at once and two at a time, beside one alone."""
    found = [(_ours(here, 1), _ours(here, 8), _ours(here, 8, "--max-parallel=2")) for _ in range(3)]
    eight = median(many / one for one, many, _ in found)
    yield Row("Q-11", "8 workers of 3 s, all at once", eight, SIDE_BY_SIDE, "x one")
    two = median(many / one for one, _, many in found)
    yield Row("Q-11", "8 workers of 3 s, two at a time", two, TWO_AT_ONCE, "x one")


def _slope(times: dict[int, float]) -> float:
    return 1000 * (times[SIZES[-1]] - times[SIZES[0]]) / (SIZES[-1] - SIZES[0])


def _ours(here: Place, size: int, *words: str) -> float:
    """Return the seconds until a crew has been started, awaited and settled."""
    found = crew.of(here, size)
    taken = measure.cost(here, found.team("dispatch", "--wait", *words)).seconds
    ended = [reason for reason in found.reasons() if reason.startswith(("completed", "error"))]
    if len(ended) != size or len(set(ended)) != 1:
        raise RuntimeError(f"of {size} workers: {', '.join(ended)}")
    return taken


def _theirs(here: Place, size: int, runner: list[str]) -> float:
    """Return the seconds that a job runner takes for the wrappers of such a crew."""
    found = crew.of(here, size)
    words = " ".join(map(shlex.quote, found.wrapper("{}"))).replace("'{}'", "{}")
    prompts = here.folder / "prompts.txt"
    prompts.write_text("\n".join(found.prompts()) + "\n", encoding="utf-8")
    try:
        line = f"exec {' '.join(runner)} {words} <{shlex.quote(str(prompts))}"
        return measure.cost(here, ["/bin/sh", "-c", line]).seconds
    finally:
        prompts.unlink()  # a file of the checkout, which a dispatch would look at


def _runner(here: Place) -> list[str]:
    """Return GNU parallel for eight jobs at a time, or xargs where it is not installed."""
    if shutil.which("parallel", path=here.env["PATH"]):
        asked = subprocess.run(["parallel", "--version"], capture_output=True, text=True)
        if asked.stdout.startswith("GNU parallel"):
            return ["parallel", "-j8", "-q"]
    return ["xargs", "-P8", "-I{}"]


if __name__ == "__main__":
    with measure.sealed() as here:
        measure.show(rows(here))
