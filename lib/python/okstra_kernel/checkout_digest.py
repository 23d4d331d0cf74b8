"""What a checkout looks like, to see whether a turn that must not change it did (Z-092).

HEAD, the branch, what of the index differs from HEAD, and the bytes of every changed or untracked
file. Where there is no git there is nothing to compare, and the digest is empty.
"""

from __future__ import annotations

import hashlib
import os

from okstra_kernel import UserError, git_process

_PIECE = 1 << 20
_LIMIT = 64 << 20  # bytes of one file that are hashed; of a larger one its size and time count


def of(folder: str, *, leave_out: str) -> dict[str, str]:
    """Return (path or fact) -> digest. Two that are equal saw the same checkout.

    `leave_out` is the folder, relative, that does not count. A name that is not UTF-8 is shown with
    its bytes as escapes. Raises UserError if git cannot tell.
    """
    words = ("--porcelain=v2", "--branch", "-z", "-uall", "--no-renames")
    status = git_process.run(folder, "status", *words)
    if status.status == _NO_REPOSITORY and "not a git repository" in status.err:
        return {}
    if status.status:  # killed, or no memory: nothing was seen, which is not "nothing there"
        raise UserError(f"git status failed in {folder}: {_why(status)}", next_step="try again")
    found = {}
    for row in filter(None, status.out.split("\0")):
        kind = row[0]
        if kind == "#":
            name, _, value = row[2:].partition(" ")
            if name in _BRANCH:
                found[_BRANCH[name]] = value
            continue
        *about, path = row.split(" ", _FIELDS[kind])
        if not path.startswith(f"{leave_out}/"):
            found[_shown(path)] = f"{' '.join(about)} {_file(os.path.join(folder, path))}"
    return found


def _why(status: git_process.Answer) -> str:
    if status.status < 0:
        return f"ended by signal {-status.status}"
    return status.err.strip() or f"exit status {status.status}"


_NO_REPOSITORY = 128
_BRANCH = {"branch.oid": "HEAD", "branch.head": "branch"}
_FIELDS = {"1": 8, "u": 10, "?": 1, "!": 1}  # before the path, by the kind of a row


def _shown(path: str) -> str:
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


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
