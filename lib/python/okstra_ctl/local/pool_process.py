"""Judges many files side by side, in processes that may die of one (H-032).

Each child takes one file at a time; one that crashes, or is not done within its time, costs that
file alone, and another child takes its place. What is asked and answered is a line of JSON each.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import time
from typing import Any, Callable, Mapping, NamedTuple, NoReturn, Sequence

from okstra_kernel import UserError, strict_json

FILE_LIMIT = 15.0  # seconds for one file
FEW = 4  # files for which no second process is started
_ANSWER_LIMIT = 8 << 20  # bytes of an answer

Judge = Callable[[str], Mapping[str, Any]]


class Judged(NamedTuple):
    rows: dict[str, Mapping[str, Any]]  # what the judge returned, by path
    lost: tuple[str, ...]  # a child died, or had to be ended
    left: tuple[str, ...]  # no time was left for them


class _Child:
    __slots__ = ("answers", "asks", "path", "pid", "since", "text")

    def __init__(self, pid: int, asks: int, answers: int) -> None:
        self.pid, self.asks, self.answers = pid, asks, answers
        self.path, self.since, self.text = "", 0.0, b""


def cores() -> int:
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


def judge_all(
    paths: Sequence[str],
    judge: Judge,
    *,
    seconds: float,
    file_limit: float = FILE_LIMIT,
    tick: Callable[[int], None] = lambda done: None,
) -> Judged:
    """Return what `judge` says of each path; no new one is begun after `seconds`.

    `tick` gets how many are done, now and then.
    """
    return _Pool(paths, judge, time.monotonic() + seconds, file_limit, tick).run()


class _Pool:
    def __init__(
        self,
        paths: Sequence[str],
        judge: Judge,
        end: float,
        file_limit: float,
        tick: Callable[[int], None],
    ) -> None:
        self._waiting = list(reversed(paths))
        self._judge, self._end, self._limit, self._tick = judge, end, file_limit, tick
        self._size = 1 if len(paths) <= FEW else min(cores(), len(paths))
        self._children: list[_Child] = []
        self._rows: dict[str, Mapping[str, Any]] = {}
        self._lost: list[str] = []

    def run(self) -> Judged:
        try:
            while self._busy() or self._more():
                while self._more() and len(self._busy()) < self._size:
                    self._ask()
                self._listen()
        finally:
            for child in list(self._children):
                self._end_child(child)
        return Judged(self._rows, tuple(self._lost), tuple(reversed(self._waiting)))

    def _busy(self) -> list[_Child]:
        return [child for child in self._children if child.path]

    def _more(self) -> bool:
        return bool(self._waiting) and time.monotonic() < self._end

    def _ask(self) -> None:
        child = next((one for one in self._children if not one.path), None) or self._fork()
        child.path, child.since, child.text = self._waiting.pop(), time.monotonic(), b""
        with contextlib.suppress(BrokenPipeError):  # it died: seen when it answers nothing
            os.write(child.asks, json.dumps(child.path).encode() + b"\n")

    def _listen(self) -> None:
        busy = {child.answers: child for child in self._busy()}
        ready, _, _ = select.select(list(busy), [], [], 0.2) if busy else ([], [], [])
        for stream in ready:
            self._take(busy[stream])
        now = time.monotonic()
        for child in self._busy():
            if now - child.since > self._limit or now > self._end + self._limit:
                self._lose(child)
        self._tick(len(self._rows) + len(self._lost))

    def _take(self, child: _Child) -> None:
        piece = os.read(child.answers, 1 << 16)
        child.text += piece
        if not piece or len(child.text) > _ANSWER_LIMIT:
            self._lose(child)
        elif child.text.endswith(b"\n"):
            try:
                self._rows[child.path] = strict_json.parse(child.text, child.path).members
            except UserError:
                self._lose(child)
            child.path = ""

    def _lose(self, child: _Child) -> None:
        self._lost.append(child.path)
        self._end_child(child)

    def _end_child(self, child: _Child) -> None:
        child.path = ""
        self._children.remove(child)
        with contextlib.suppress(ProcessLookupError):
            os.kill(child.pid, signal.SIGKILL)
        os.waitpid(child.pid, 0)
        os.close(child.asks)
        os.close(child.answers)

    def _fork(self) -> _Child:
        ask_end, asks = os.pipe()
        answers, answer_end = os.pipe()
        pid = os.fork()
        if pid == 0:
            others = [one for child in self._children for one in (child.asks, child.answers)]
            for stream in (asks, answers, *others):
                os.close(stream)
            _serve(ask_end, answer_end, self._judge)
        os.close(ask_end)
        os.close(answer_end)
        child = _Child(pid, asks, answers)
        self._children.append(child)
        return child


def _serve(asks: int, answers: int, judge: Judge) -> NoReturn:
    """Answer until nobody asks. What an engine did not foresee ends the child: one file is lost."""
    status = 1
    try:
        import warnings

        warnings.simplefilter("ignore")
        with os.fdopen(asks, encoding="utf-8") as lines, os.fdopen(answers, "wb") as out:
            for line in lines:
                row = judge(json.JSONDecoder().decode(line))
                out.write(json.dumps(row).encode() + b"\n")
                out.flush()
        status = 0
    finally:
        os._exit(status)  # whatever was raised: a traceback here would be the parent's
