"""Run every benchmark and print one table: the goals of 70 beside what was measured (G-001).

venv/bin/python3 bench/run.py [<benchmark>...]
"""

from __future__ import annotations

import sys
from typing import Callable, Iterator

import append_rows
import await_workers
import convergence
import dispatch
import log_report
import measure
import prepare_run
import read_commands
import startup
import task_list
import transcript
import wait_for_lock
from measure import Place, Row

BENCHMARKS: dict[str, Callable[[Place], Iterator[Row]]] = {
    "startup": startup.rows,
    "read_commands": read_commands.rows,
    "task_list": task_list.rows,
    "log_report": log_report.rows,
    "prepare_run": prepare_run.rows,
    "append_rows": append_rows.rows,
    "convergence": convergence.rows,
    "wait_for_lock": wait_for_lock.rows,
    "dispatch": dispatch.rows,
    "await_workers": await_workers.rows,
    "transcript": transcript.rows,
}
IN_MEMORY = {"task_list": 0, "transcript": transcript.ROOM}  # bytes that it needs there


def each(names: list[str]) -> Iterator[Row]:
    for name in names:
        base = measure.memory(IN_MEMORY[name]) if name in IN_MEMORY else None
        with measure.sealed(base) as place:
            yield from BENCHMARKS[name](place)


if __name__ == "__main__":
    measure.show(each(sys.argv[1:] or list(BENCHMARKS)))
