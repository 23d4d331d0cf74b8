"""Which files of a project are looked at, and what they hold (H-032).

Those that git tracks; in a project without git all but okstra's own. Of these only plain files of
1 MiB at most, reached through no link. A path that no result could cite is left out, and counted.
"""

from __future__ import annotations

import os
import stat
from typing import Iterator, NamedTuple

from okstra_ctl.evidence import citation
from okstra_kernel import UserError, git_process, plain_file
from okstra_project.dirs import OKSTRA_DIR_NAME
from okstra_project.root import checkout_top

LARGEST = 1 << 20  # bytes of a file that is read
MOST = 100_000  # files of a project
_SKIPPED = {OKSTRA_DIR_NAME, ".git"}

NOT_PLAIN, TOO_LARGE, LINK, UNNAMEABLE, GONE = (
    "no plain file",
    "over 1 MiB",
    "a link",
    "a path that cannot be cited",
    "not there",
)


class Listing(NamedTuple):
    paths: tuple[str, ...]  # relative to the root, in order
    tracked: bool  # by git
    left_out: int  # those that cannot be cited


def listing(root: str) -> Listing:
    """Return the paths that may be looked at. Raises UserError for a folder of too many files."""
    found = _tracked(root) if checkout_top(root) else None
    paths = sorted(set(_walked(root) if found is None else found))
    if len(paths) > MOST:
        raise UserError(f"more than {MOST} files: {root}")
    usable = tuple(path for path in paths if _citable(path))
    return Listing(usable, found is not None, len(paths) - len(usable))


def content(root: str, path: str) -> tuple[bytes, str]:
    """Return what a file holds, or why it is not looked at: one of the reasons above."""
    whole = os.path.join(root, path)
    if os.path.realpath(os.path.dirname(whole)) != os.path.dirname(whole):
        return b"", LINK
    try:
        found = os.lstat(whole)
        if not stat.S_ISREG(found.st_mode):
            return b"", LINK if stat.S_ISLNK(found.st_mode) else NOT_PLAIN
        if found.st_size > LARGEST:
            return b"", TOO_LARGE
        data = _read(whole)
    except (OSError, ValueError):
        return b"", GONE
    return (b"", TOO_LARGE) if len(data) > LARGEST else (data, "")


def _read(path: str) -> bytes:
    stream, _ = plain_file.opened(path, follow=False)
    try:
        pieces, left = [], LARGEST + 1
        while left and (piece := os.read(stream, left)):
            pieces.append(piece)
            left -= len(piece)
        return b"".join(pieces)
    finally:
        os.close(stream)


def _tracked(root: str) -> list[str] | None:
    """Return what git tracks below a folder; None where git cannot tell."""
    answer = git_process.run(root, "ls-files", "-z", "--cached")
    if answer.status != 0:
        return None
    own = f"{OKSTRA_DIR_NAME}/"
    return [path for path in answer.out.split("\0") if path and not path.startswith(own)]


def _walked(root: str) -> Iterator[str]:
    """Yield the files below a folder; no link is followed, okstra's own are left out."""
    folders = [""]
    count = 0
    while folders and count <= MOST:
        here = folders.pop()
        try:
            entries = sorted(os.scandir(os.path.join(root, here)), key=lambda one: one.name)
        except OSError:
            continue
        for entry in entries:
            path = f"{here}/{entry.name}" if here else entry.name
            if entry.is_dir(follow_symlinks=False):
                if entry.name not in _SKIPPED:
                    folders.append(path)
            else:
                count += 1
                yield path


def _citable(path: str) -> bool:
    return path.isprintable() and citation.parse(f"{path}:1") is not None
