"""Q-20: votes on many findings: how long, how much memory, and how that grows."""

from __future__ import annotations

import json
from statistics import median
from typing import Any, Iterator

import measure
from measure import OKSTRA, Place, Row

FEW, MANY, VOTERS, RUNS = 100, 10_000, 4, 5
SECONDS, MEBIBYTES = 1.5, 150.0
VERDICTS = ("agree", "disagree", "supplement", "agree")


def rows(place: Place) -> Iterator[Row]:
    (place.folder / "home" / ".okstra").mkdir()
    taken = {count: _taken(place, count) for count in (FEW, MANY)}
    for step, (seconds, peak) in taken[MANY].items():
        subject = f"{step}, {MANY:,} findings x {VOTERS} voters"
        yield Row("Q-20", subject, seconds, SECONDS, "s")
        yield Row("Q-20", subject, peak, MEBIBYTES, "MiB")
    for step, (seconds, _) in taken[MANY].items():
        growth = (seconds / MANY) / (taken[FEW][step][0] / FEW)
        yield Row("Q-20", f"{step}: of a vote, from {FEW} findings on", growth, 1.0, "x as long")


def _taken(place: Place, count: int) -> dict[str, tuple[float, float]]:
    """Return seconds and peak of applying a round and of finishing, as medians."""
    folder = place.folder / str(count)
    folder.mkdir()
    files = {
        name: str(folder / f"{name}.json") for name in ("groups", "work", "plan", "votes", "end")
    }
    words = [OKSTRA, "convergence"]
    workers = [f"w{n}-analyser" for n in range(VOTERS + 1)]
    _put(files["groups"], _groups(count, workers))
    place.run(
        [
            *(*words, "seed", f"--groups={files['groups']}", f"--work-state={files['work']}"),
            *(f"--final-state={files['end']}", f"--migration-dir={folder / 'old'}"),
        ]
    )
    work = f"--work-state={files['work']}"
    place.run([*words, "plan-round", work, f"--plan={files['plan']}"])
    with open(files["plan"], encoding="utf-8") as stream:
        _put(files["votes"], _votes(json.load(stream)))
    apply = [*words, "apply-round", work, f"--plan={files['plan']}", f"--results={files['votes']}"]
    finish = [*words, "finalize", work, f"--output={files['end']}"]
    with open(files["work"], encoding="utf-8") as stream:
        fresh = stream.read()
    applied = []
    for _ in range(RUNS):
        with open(files["work"], "w", encoding="utf-8") as stream:
            stream.write(fresh)
        applied.append(measure.cost(place, apply))
    finished = [measure.cost(place, finish) for _ in range(RUNS)]
    return {
        step: (median(one.seconds for one in costs), max(one.peak for one in costs))
        for step, costs in (("apply-round", applied), ("finalize", finished))
    }


def _groups(count: int, workers: list[str]) -> dict[str, Any]:
    roster = [{"workerId": name, "provider": f"p{n}"} for n, name in enumerate(workers)]
    found = [
        {
            "findingId": f"F-{n:05d}",
            "claim": f"claim number {n} says that something is wrong in that place",
            "evidence": [f"src/file{n % 300}.py:{n % 900 + 1}"],
            "raisedBy": [workers[n % len(workers)]],
        }
        for n in range(count)
    ]
    return {"schemaVersion": "1.3", "adversarial": True, "roster": roster, "groups": found}


def _votes(plan: dict[str, Any]) -> dict[str, Any]:
    outcomes = [
        {
            **{"workerId": batch["workerId"], "status": "completed", "durationMs": 1},
            "votes": [
                {
                    **{"findingId": name, "verdict": VERDICTS[n % len(VERDICTS)]},
                    **{"basis": "opened the file and looked at its lines: it is so"},
                    **{"evidence": ["src/file1.py:3"], "basisVerified": True},
                }
                for n, name in enumerate(batch["findingIds"])
            ],
        }
        for batch in plan["batches"]
    ]
    return {"schemaVersion": "1.3", "round": 1, "outcomes": outcomes}


def _put(path: str, value: dict[str, Any]) -> None:
    with open(path, "w", encoding="utf-8") as stream:
        json.dump(value, stream)
