"""What a checkout looks like, to see whether a turn that must not change it did (Z-092).

HEAD, the index, the status, and the bytes of every changed or untracked file. okstra's own folder
does not count. Where there is no git there is nothing to compare, and the digest is empty.
"""

from __future__ import annotations

import hashlib
import os

from okstra_kernel import git_process

_PIECE = 1 << 20
_LIMIT = 64 << 20  # bytes of one file that are hashed; of a larger one its size and time count


def of(folder: str) -> dict[str, str]:
    """Return (path or fact) -> digest. Two that are equal saw the same checkout."""
    status = git_process.run(folder, "status", "--porcelain=v1", "-z", "-uall", "--no-renames")
    if status.status:
        return {}
    head = git_process.line(folder, "rev-parse", "--verify", "--quiet", "HEAD")
    found = {"HEAD": head or "none"}
    for row in filter(None, status.out.split("\0")):
        state, path = row[:2], row[3:]
        if path.startswith(".okstra/"):
            continue
        found[path] = f"{state} {_file(os.path.join(folder, path))}"
    return found


def difference(before: dict[str, str], after: dict[str, str]) -> list[str]:
    """Return the paths (or HEAD) whose digest changed, sorted."""
    names = before.keys() | after.keys()
    return sorted(name for name in names if before.get(name) != after.get(name))


def _file(path: str) -> str:
    try:
        about = os.lstat(path)
        if os.path.islink(path):
            return f"-> {os.readlink(path)}"
        if not os.path.isfile(path) or about.st_size > _LIMIT:
            return f"{about.st_size} {about.st_mtime_ns}"
        digest = hashlib.sha256()
        with open(path, "rb") as stream:
            while piece := stream.read(_PIECE):
                digest.update(piece)
        return digest.hexdigest()
    except OSError:
        return "gone"
