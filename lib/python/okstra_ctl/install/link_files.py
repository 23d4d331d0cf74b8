"""The links of an installation: `current` says which version is in use, the others lead through it.

A link is switched by renaming a fresh one over it, so at each moment it names one whole version.
"""

from __future__ import annotations

import contextlib
import os
import re

from okstra_ctl.install import layout
from okstra_kernel import Refusal


def current(home: str) -> str:
    """Return the version in use, or an empty text. Never follows the link."""
    try:
        return layout.version_of(os.readlink(os.path.join(home, layout.CURRENT)))
    except OSError:
        return ""


def switch(home: str, version: str) -> None:
    """Put a version into use, and make the fixed links that are not there yet. Raises Refusal."""
    try:
        _replace(home, layout.CURRENT, layout.target_of(version))
        for name, target in layout.FIXED_LINKS.items():
            if not os.path.lexists(os.path.join(home, name)):
                _replace(home, name, target)
        _sync(home)
    except OSError as err:
        raise Refusal(f"cannot write {err.filename}: {err.strerror}") from err


def remove(home: str) -> None:
    """Remove the links that still are okstra's."""
    for name, target in layout.FIXED_LINKS.items():
        place = os.path.join(home, name)
        if os.path.islink(place) and os.readlink(place) == target:
            os.unlink(place)
    if current(home):
        os.unlink(os.path.join(home, layout.CURRENT))


def is_unfinished(name: str) -> bool:
    """Say whether a name in the home is what a killed process left beside a link or the list."""
    names = "|".join(map(re.escape, (layout.CURRENT, layout.MANIFEST, *layout.FIXED_LINKS)))
    return bool(re.fullmatch(rf"\.({names})\.[0-9a-f]{{8}}\.tmp", name))


def remove_unfinished(home: str) -> None:
    """Remove such leftovers; call it under the lock."""
    for name in filter(is_unfinished, os.listdir(home)):
        os.unlink(os.path.join(home, name))


def _replace(home: str, name: str, target: str) -> None:
    fresh = os.path.join(home, f".{name}.{os.urandom(4).hex()}.tmp")
    os.symlink(target, fresh)
    try:
        os.replace(fresh, os.path.join(home, name))
    except OSError:
        with contextlib.suppress(OSError):
            os.unlink(fresh)
        raise


def _sync(folder: str) -> None:
    at = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(at)
    finally:
        os.close(at)
