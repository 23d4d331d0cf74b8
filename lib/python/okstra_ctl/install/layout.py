"""What an installation is made of, and how its parts are named. Pure: no file is touched.

A version is a folder below okstra's home, named after what it holds: the same files give the same
name. One link says which version is in use; all others lead through it (Z-104).
"""

from __future__ import annotations

import hashlib
import re
from typing import Iterable, NamedTuple

FOLDERS = ("bin", "lib", "prompts", "validators")  # what a version holds of the source
RELATED = (
    "tests/rehearsal",
)  # installed with them, and not linked to: what `okstra rehearse` plays
FILES = ("VERSION", "LICENSE", "requirements.txt")
REQUIRED = (*FILES, "bin/okstra", "lib/okstra/command.sh", "lib/python/okstra_boot.py")
VENV = "venv"
REQUIREMENTS = "requirements.txt"
BUILD_RECORD = "BUILD.json"  # (L-189)

VERSIONS = "versions"
CURRENT = "current"
MANIFEST = "install-manifest.json"
FIXED_LINKS = {name: f"{CURRENT}/{name}" for name in (*FOLDERS, VENV)}
UNFINISHED = ".build-"  # begins the name of a version that is being made

_HASH = 12  # hexadecimal digits of a version's name


class Shipped(NamedTuple):
    """A file of the source that is installed."""

    path: str  # below the root of the source, with /
    sha256: str
    executable: bool


def is_shipped(name: str) -> bool:
    """Say whether a file or folder of this name is installed: caches and hidden files are not."""
    return not (name.startswith(".") or name.endswith((".pyc", "~")) or name == "__pycache__")


def version_id(version: str, files: Iterable[Shipped]) -> str:
    """Return the name of the version that these files make up."""
    digest = hashlib.sha256()
    for file in sorted(files):
        digest.update(f"{file.sha256} {'x' if file.executable else '-'} {file.path}\0".encode())
    return f"{version}-{digest.hexdigest()[:_HASH]}"


def free_id(wanted: str, taken: Iterable[str]) -> str:
    """Return `wanted`, or with .2, .3 … the first name that nothing has: nothing is overwritten."""
    names = set(taken)
    number, name = 1, wanted
    while name in names:
        number += 1
        name = f"{wanted}.{number}"
    return name


def same_content(one: str, other: str) -> bool:
    """Say whether two versions' names tell of the same files."""
    return _without_number(one) == _without_number(other)


def _without_number(name: str) -> str:
    return re.sub(rf"(-[0-9a-f]{{{_HASH}}})\.\d+$", r"\1", name)


def target_of(name: str) -> str:
    """Return what the link `current` holds when this version is in use."""
    return f"{VERSIONS}/{name}"


def version_of(target: str) -> str:
    """Return the version that `current` names, or an empty text if it is no link of okstra's."""
    found = re.fullmatch(rf"{VERSIONS}/([A-Za-z0-9][A-Za-z0-9.+_-]*)", target)
    return found[1] if found else ""
