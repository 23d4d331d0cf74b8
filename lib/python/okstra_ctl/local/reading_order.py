"""In which order files are looked at, until the time is up (H-032). Pure.

First those that the brief names, then their import neighbours, those they import and those that
import them, then the rest by path.
"""

from __future__ import annotations

import posixpath
import re
from typing import Iterable, Iterator, Mapping, Sequence

NAMED, NEIGHBOUR, OTHER = 0, 1, 2

_IMPORT = re.compile(
    r"^\s*(?:from\s+(\.*[\w.]*)\s+import\s+([\w, \t*(]+)|import\s+([\w., \t]+))", re.M
)
_RELATIVE = re.compile(r"""(?:from|require\(|import\(?)\s*['"](\.{1,2}/[^'"\n]{1,300})['"]""")
_SOURCED = re.compile(r"""^\s*(?:\.|source)\s+["']?([^"'\s;]{1,300})""", re.M)
_ENDINGS = ("", ".js", ".mjs", ".cjs", ".ts", ".tsx", ".jsx", "/index.js", "/index.ts")


def imported(path: str, text: str, paths: frozenset[str]) -> Iterator[str]:
    """Yield the files of the project that a file imports or sources."""
    folder = posixpath.dirname(path)
    for source, names, plain in _IMPORT.findall(text):
        modules = (
            [source] if source else [one.split()[0] for one in plain.split(",") if one.split()]
        )
        extra = [one.split()[0] for one in names.strip("( ").split(",") if one.split()]
        modules += [f"{f'{source}.' if source.strip('.') else source}{one}" for one in extra]
        for module in modules:
            yield from _module(module, folder, paths)
    for relative in _RELATIVE.findall(text):
        whole = posixpath.normpath(posixpath.join(folder, relative))
        yield from (whole + ending for ending in _ENDINGS if whole + ending in paths)
    for sourced in _SOURCED.findall(text):
        name = sourced.rsplit("/", 1)[-1]
        here = posixpath.normpath(posixpath.join(folder, sourced))
        yield from [here] if here in paths else (p for p in paths if posixpath.basename(p) == name)


def _module(module: str, folder: str, paths: frozenset[str]) -> Iterator[str]:
    dots = len(module) - len(module.lstrip("."))
    base = folder
    for _ in range(dots - 1):
        base = posixpath.dirname(base)
    tail = module.lstrip(".").replace(".", "/")
    bases = [base] if dots else [folder, "", "src", "lib"]
    for one in bases:
        whole = posixpath.join(one, tail) if tail else one
        for candidate in (f"{whole}.py", f"{whole}/__init__.py"):
            if candidate in paths:
                yield candidate


def importers_pattern(named: Iterable[str]) -> re.Pattern[bytes] | None:
    """Return what stands in a file that imports or sources one of these; None for none."""
    stems = set()
    for path in named:
        stem = posixpath.splitext(posixpath.basename(path))[0]
        if stem in ("__init__", "index"):
            stem = posixpath.basename(posixpath.dirname(path))
        if len(stem) > 1:
            stems.add(re.escape(stem.encode()))
    if not stems:
        return None
    words = b"|".join(sorted(stems))
    begin = rb"^(?:[^\n#]{0,200}\b(?:import|from|require|source)\b|\s*\.\s)"
    return re.compile(begin + rb"[^\n]{0,200}\b(?:" + words + rb")\b", re.M)


def ranked(
    paths: Sequence[str], named: Sequence[str], neighbours: Iterable[str]
) -> Mapping[str, int]:
    """Return the rank of each path, the paths in the order in which they are looked at."""
    known = frozenset(paths)
    ranks: dict[str, int] = {path: NAMED for path in named if path in known}
    for path in sorted({one for one in neighbours if one in known}):
        ranks.setdefault(path, NEIGHBOUR)
    for path in sorted(paths):
        ranks.setdefault(path, OTHER)
    return ranks
