"""Reads the error logs of a task's runs and of their stages, never the archive (Z-080, P-141)."""

from __future__ import annotations

import os
import re
from typing import Iterator

from okstra_ctl.runs import error_log_core
from okstra_ctl.runs.error_log_core import Fault, Row, Summary
from okstra_ctl.runs.run_ref import ARCHIVE, CATEGORIES, ERROR_LOG_STEM
from okstra_kernel import UserError, jsonl

LONGEST = 64 << 10  # bytes of a line; okstra's own are shorter


def read(task_root: str) -> Summary:
    """Return what the logs below a task's root tell. What cannot be read is a fault of its log."""
    return error_log_core.summarise(rows(task_root))


def rows(task_root: str) -> Iterator[Row | Fault]:
    """Yield each record, and each line that is none, log by log."""
    for relative in logs(task_root):
        yield from _rows(f"{task_root}/{relative}", relative)


def logs(task_root: str) -> Iterator[str]:
    """Yield the error logs below a task's root, sorted; links are passed over (Z-101)."""
    for phase in _folders(task_root, "runs"):
        if phase == f"runs/{ARCHIVE}":
            continue
        yield from _logs(task_root, phase)
        for stage in _folders(task_root, phase):
            if re.fullmatch(r"stage-\d+", stage.rpartition("/")[2]):
                yield from _logs(task_root, stage)


def _logs(task_root: str, run_dir: str) -> Iterator[str]:
    folder = f"{run_dir}/{CATEGORIES['logs']}"
    for entry in _entries(f"{task_root}/{folder}"):
        name = entry.name
        fits = name.startswith(f"{ERROR_LOG_STEM}-") and name.endswith(".jsonl")
        if fits and entry.is_file(follow_symlinks=False):
            yield f"{folder}/{name}"


def _rows(path: str, relative: str) -> Iterator[Row | Fault]:
    run = _run(relative)
    try:
        for item in jsonl.each(path, longest=LONGEST):
            if isinstance(item, str):
                yield Fault(relative, item)
                continue
            try:
                yield error_log_core.row(item, relative, run)
            except UserError as err:
                yield Fault(relative, str(err))
    except UserError as err:
        yield Fault(relative, str(err))


def _run(relative: str) -> str:
    """Return which run a log is of: `<task-type>[/stage-<N>]/<seq>`."""
    steps = relative.split("/")
    found = re.search(r"-(\d{3,})\.jsonl$", steps[-1])
    return "/".join((*steps[1:-2], found[1] if found else "?"))


def _folders(task_root: str, relative: str) -> list[str]:
    entries = _entries(f"{task_root}/{relative}")
    return [f"{relative}/{e.name}" for e in entries if e.is_dir(follow_symlinks=False)]


def _entries(place: str) -> list[os.DirEntry[str]]:
    if os.path.islink(place):
        return []
    try:
        with os.scandir(place) as entries:
            return sorted(entries, key=lambda entry: entry.name)
    except OSError:  # not there, or not ours to read: nothing to tell
        return []
