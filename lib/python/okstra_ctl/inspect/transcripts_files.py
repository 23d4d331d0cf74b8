"""Finds the transcripts of worker wrappers, and the prompts beside them (D-190, R-161).

Only names and sizes are looked at, a file at a time: a transcript may be of any size (XF-15).
"""

from __future__ import annotations

import os
import stat
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
        sizes: dict[str, int] = {}
        for entry in _entries(f"{project_root}/{folder}"):
            name = entry.name
            if inside and name.endswith((".log", ".md")):
                if (size := _size(entry)) >= 0:
                    sizes[name] = size
            elif entry.is_dir(follow_symlinks=False):
                waiting.append((f"{folder}/{name}", below_runs or name == "runs"))
        yield from _pairs(folder, sizes)


def _pairs(folder: str, sizes: dict[str, int]) -> Iterator[Pair]:
    for name, size in sizes.items():
        if name.endswith(".log"):
            prompt = f"{name[:-4]}.md"
            known = sizes.get(prompt)
            beside = None if known is None else f"{folder}/{prompt}"
            yield Pair(size, f"{folder}/{name}", beside, known)


def _size(entry: os.DirEntry[str]) -> int:
    """Return the bytes of a plain file; -1 for anything else, and for what has gone."""
    try:
        found = entry.stat(follow_symlinks=False)
    except OSError:
        return -1
    return found.st_size if stat.S_ISREG(found.st_mode) else -1


def _entries(place: str) -> Iterator[os.DirEntry[str]]:
    """Yield what a folder holds, by its descriptor: paths would be looked up for each file."""
    try:
        folder = os.open(place, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return
    try:
        with os.scandir(folder) as entries:
            yield from entries
    except OSError:
        return
    finally:
        os.close(folder)
