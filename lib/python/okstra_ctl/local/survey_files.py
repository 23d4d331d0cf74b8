"""Reads what decides the order of a project's files, and the lines of those the brief names."""

from __future__ import annotations

import posixpath
import time
from typing import Mapping, Sequence

from okstra_ctl.local import line_text, project_files, reading_order

_MOST_NAMED = 60  # files whose imports are followed
_CODE = (".py", ".js", ".mjs", ".cjs", ".ts", ".tsx", ".jsx", ".sh", ".bash", "")
_SECONDS = 1.0  # for the search of importers


def order(root: str, paths: Sequence[str], named: Sequence[str]) -> Mapping[str, int]:
    """Return the rank of each file, in the order in which they are looked at (H-032)."""
    known = frozenset(paths)
    near: set[str] = set()
    for path in named[:_MOST_NAMED]:
        data, _ = project_files.content(root, path)
        near.update(reading_order.imported(path, data.decode("utf-8", "replace"), known))
    pattern = reading_order.importers_pattern(named[:_MOST_NAMED])
    end = time.monotonic() + _SECONDS
    for path in paths if pattern else ():
        if posixpath.splitext(path)[1] not in _CODE:
            continue
        if time.monotonic() > end:
            break
        data, _ = project_files.content(root, path)
        if pattern and pattern.search(data):
            near.add(path)
    return reading_order.ranked(paths, named, near)


def texts(root: str, paths: Sequence[str]) -> dict[str, list[str]]:
    """Return the lines of files; those that cannot be looked at are left out."""
    found = {}
    for path in paths:
        data, why = project_files.content(root, path)
        if not why:
            found[path] = line_text.lines(data)
    return found
