"""Finds the transcripts of worker wrappers, and the prompts beside them (D-190, R-161).

Only names and sizes are looked at, a file at a time: a transcript may be of any size (XF-15).
"""

from __future__ import annotations

import contextlib
import os
import stat
from typing import Iterator, NamedTuple

from okstra_ctl.runs.run_ref import CATEGORIES
from okstra_project.dirs import OKSTRA_DIR_NAME

_PROMPTS = CATEGORIES["prompts"]
_SUFFIXES: tuple[str, ...] = (".log", ".md")
_NONE: tuple[str, ...] = ()


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
        sizes, folders = _inside(f"{project_root}/{folder}", _SUFFIXES if inside else _NONE)
        waiting += [(f"{folder}/{name}", below_runs or name == "runs") for name in folders]
        yield from _pairs(folder, sizes)


def _pairs(folder: str, sizes: dict[str, int]) -> Iterator[Pair]:
    for name, size in sizes.items():
        if name.endswith(".log"):
            prompt = f"{name[:-4]}.md"
            known = sizes.get(prompt)
            beside = None if known is None else f"{folder}/{prompt}"
            yield Pair(size, f"{folder}/{name}", beside, known)


def _inside(place: str, suffixes: tuple[str, ...]) -> tuple[dict[str, int], list[str]]:
    """Return the bytes of a folder's plain files with these suffixes, and the folders in it.

    It is read by its descriptor: paths would be looked up for each file. One loop without calls: it
    turns as often as there are files (Q-23).
    """
    sizes: dict[str, int] = {}
    folders: list[str] = []
    with contextlib.suppress(OSError):
        folder = os.open(place, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
        try:
            with os.scandir(folder) as entries:
                for entry in entries:
                    name = entry.name
                    if name.endswith(suffixes):
                        try:
                            found = entry.stat(follow_symlinks=False)
                        except OSError:  # it has gone
                            continue
                        if stat.S_ISREG(found.st_mode):
                            sizes[name] = found.st_size
                    elif entry.is_dir(follow_symlinks=False):
                        folders.append(name)
        finally:
            os.close(folder)
    return sizes, folders
