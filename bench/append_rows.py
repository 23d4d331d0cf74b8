"""Q-21: eight processes append to one file: no row is lost or torn, and a row is cheap."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections import Counter
from statistics import median
from typing import Iterator

import measure
from measure import ROOT, Place, Row

WRITERS, EVENTS = 8, 2_000  # of each
MICROSECONDS = 60.0
EIGHT = f"{WRITERS} x {EVENTS:,} events"
WRITER = f"""
import sys
sys.path.insert(0, {str(ROOT / "lib/python")!r})
from okstra_kernel import jsonl
for n in range({EVENTS}):
    event = {{"writer": sys.argv[2], "n": n, "text": "x" * 200}}
    jsonl.append(sys.argv[1], "events.jsonl", [event])
"""


def rows(place: Place) -> Iterator[Row]:
    words = [sys.executable, "-c", WRITER, str(place.folder)]
    writers = [subprocess.Popen([*words, str(n)], env=place.env) for n in range(WRITERS)]
    failed = sum(writer.wait() != 0 for writer in writers)
    yield Row("Q-21", EIGHT, failed, 0, "writers failed")
    whole: Counter[tuple[str, int]] = Counter()
    torn = 0
    for line in (place.folder / "events.jsonl").read_bytes().splitlines():
        try:
            event = json.loads(line)
            whole[event["writer"], event["n"]] += 1
        except ValueError:
            torn += 1
    lost = WRITERS * EVENTS - len(whole)
    yield Row("Q-21", EIGHT, lost, 0, "rows lost")
    yield Row("Q-21", EIGHT, torn + whole.total() - len(whole), 0, "torn or twice")
    yield Row("Q-21", "one process", _each(place), MICROSECONDS, "us a row")


def _each(place: Place) -> float:
    sys.path.insert(0, str(ROOT / "lib/python"))
    from okstra_kernel import jsonl

    taken = []
    for n in range(EVENTS):
        begin = time.perf_counter()
        jsonl.append(os.fspath(place.folder), "alone.jsonl", [{"n": n, "text": "x" * 200}])
        taken.append(time.perf_counter() - begin)
    return median(taken) * 1e6


if __name__ == "__main__":
    with measure.sealed() as here:
        measure.show(rows(here))
