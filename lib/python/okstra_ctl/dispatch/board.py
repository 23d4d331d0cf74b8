"""Shows on a terminal how the workers of a run stand, while somebody waits (Z-060, U-12)."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from typing import Callable, Iterator

from okstra_ctl.dispatch.records import Record
from okstra_kernel import iso_time, notice

Watch = Callable[[list[Record]], None]


@contextlib.contextmanager
def watching(quiet: bool) -> Iterator[Watch]:
    """Yield what is called after each look: a board on a terminal, else a line for each change.

    However the wait ends, the terminal is given back as it was.
    """
    if sys.stderr.isatty() and os.environ.get("TERM") != "dumb" and not quiet:
        board = _Board()
        try:
            yield board.show
        finally:
            board.end()
    else:
        yield _Lines().show


class _Lines:
    def __init__(self) -> None:
        self.seen: dict[tuple[str, str, int], str] = {}

    def show(self, found: list[Record]) -> None:
        for record in found:
            key = record["workerId"], record["dispatchKind"], record["attempt"]
            if self.seen.get(key) != record["status"]:
                self.seen[key] = record["status"]
                notice.tell(f"PROGRESS: {row(record)}")


class _Board:
    """Draws the rows anew in place; `rich` is asked only for this."""

    def __init__(self) -> None:
        from rich.console import Console
        from rich.live import Live

        self.live = Live(console=Console(stderr=True), refresh_per_second=4, transient=False)

    def show(self, found: list[Record]) -> None:
        from rich.text import Text

        self.live.update(Text("\n".join(map(row, found))))
        self.live.start()  # once

    def end(self) -> None:
        self.live.stop()


def row(record: Record) -> str:
    """Return one worker's line: id, kind, status, time since its start, reason."""
    begun = record["startedAt"]
    if record["durationMs"] is not None:
        spent = record["durationMs"] // 1000
    else:
        spent = int(time.time()) - iso_time.parse(begun) if begun else 0
    words = [record["workerId"], record["dispatchKind"], record["status"], f"{spent} s"]
    return "  ".join([*words, *filter(None, (record["reason"], record["detail"]))])
