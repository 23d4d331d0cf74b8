"""Finds the transcripts of worker wrappers, and the prompts beside them (D-190, R-161).

Only names and sizes are looked at, a file at a time: a transcript may be of any size (XF-15).
"""

from __future__ import annotations

import os
from typing import Iterator, NamedTuple

from okstra_ctl.runs.run_ref import CATEGORIES
from okstra_project.dirs import OKSTRA_DIR_NAME

_PROMPTS = CATEGORIES["prompts"]


class Pair(NamedTuple):
    """A transcript and its prompt; paths are relative to the project. No prompt: None."""

    transcript_bytes: int
    transcript: str
    prompt: str | None
    prompt_bytes: int | None


def pairs(project_root: str) -> Iterator[Pair]:
    """Yield what lies in a `prompts` folder below `runs`, archived or not; links are passed over.

    A folder that cannot be read, or goes away meanwhile, has nothing.
    """
    waiting = [(f"{OKSTRA_DIR_NAME}/tasks", False)]
    while waiting:
        folder, below_runs = waiting.pop()
        inside = below_runs and f"/{_PROMPTS}" in folder
        names: list[os.DirEntry[str]] = []
        for entry in _entries(f"{project_root}/{folder}"):
            if entry.is_dir(follow_symlinks=False):
                waiting.append((f"{folder}/{entry.name}", below_runs or entry.name == "runs"))
            elif inside and entry.name.endswith((".log", ".md")):
                names.append(entry)
        if names:
            yield from _pairs(folder, names)


def _pairs(folder: str, entries: list[os.DirEntry[str]]) -> Iterator[Pair]:
    prompts = {entry.name: entry for entry in entries if entry.name.endswith(".md")}
    for entry in entries:
        size = _size(entry) if entry.name.endswith(".log") else None
        if size is None:
            continue
        name = f"{entry.name[:-4]}.md"
        known = _size(prompts[name]) if name in prompts else None
        prompt = None if known is None else f"{folder}/{name}"
        yield Pair(size, f"{folder}/{entry.name}", prompt, known)


def _size(entry: os.DirEntry[str]) -> int | None:
    """Return the bytes of a plain file; None for anything else, and for what has gone."""
    try:
        plain = entry.is_file(follow_symlinks=False)
        return entry.stat(follow_symlinks=False).st_size if plain else None
    except OSError:
        return None


def _entries(place: str) -> Iterator[os.DirEntry[str]]:
    try:
        with os.scandir(place) as entries:
            yield from entries
    except OSError:
        return
