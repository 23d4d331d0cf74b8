"""Does the place that a worker cites exist in the project (Z-117)?

A path that leads out of the project, by `..`, from the root of the machine or through a link, is
no evidence: nobody else could look it up there.
"""

from __future__ import annotations

import os
import stat

from okstra_ctl.evidence.citation import Citation

_CHUNK = 1 << 18
_LARGEST = 64 << 20  # bytes that are looked through for a line


def fault(project_root: str, place: Citation) -> str:
    """Return why a place is not to be found below `project_root`; an empty text if it is."""
    root = os.path.realpath(project_root)
    if ".." in place.path.split("/"):
        return f"leads out of its folder: {place}"
    path = os.path.join(root, place.path)
    if os.path.isabs(place.path) and not _inside(os.path.realpath(project_root), path):
        given = os.path.relpath(place.path, os.path.abspath(project_root))
        if given.startswith(".."):
            return f"outside of the project: {place}"
        path = os.path.join(root, given)
    real = os.path.realpath(path)
    if not _inside(root, real):
        return f"a link out of the project: {place}"
    try:
        lines = _lines(real, place.end)
    except OSError as err:
        return f"{(err.strerror or 'not readable').lower()}: {place}"
    return f"the file has {lines} lines: {place}" if lines < place.end else ""


def exists(project_root: str, place: Citation) -> bool:
    return not fault(project_root, place)


def _inside(root: str, path: str) -> bool:
    return path.startswith(root.rstrip("/") + "/")


def _lines(path: str, enough: int) -> int:
    """Count the lines of a file, at least up to `enough`. Raises OSError."""
    stream = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        if not stat.S_ISREG(os.fstat(stream).st_mode):
            raise OSError(0, "not a file")
        count, left, last = 0, _LARGEST, b"\n"
        while count < enough and left > 0 and (piece := os.read(stream, _CHUNK)):
            count += piece.count(b"\n")
            left -= len(piece)
            last = piece[-1:]
        return count + (last != b"\n")
    finally:
        os.close(stream)
