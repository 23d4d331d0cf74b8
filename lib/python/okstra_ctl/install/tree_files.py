"""Trees of files: looked through, copied, compared with a list and removed; never through a link.

Folders are read with `os.scandir`, and an entry that is a link is a link, wherever it leads.
"""

from __future__ import annotations

import hashlib
import os
import stat
from typing import Iterator

from okstra_ctl.install import layout, manifest
from okstra_kernel import Refusal, UserError, store


def shipped(root: str) -> list[layout.Shipped]:
    """Return the files of a source that are installed, sorted. Raises UserError.

    A source that lacks something was not copied whole; one with a link is not what we publish.
    """
    for path in layout.REQUIRED:
        if not os.path.isfile(os.path.join(root, path)):
            raise UserError(f"not a whole okstra: {root} lacks {path}")
    found = [_shipped(root, name) for name in layout.FILES]
    for folder in (*layout.FOLDERS, *layout.RELATED):
        found += [_shipped(root, path) for path in _below(root, folder)]
    return sorted(found)


def _below(root: str, folder: str) -> Iterator[str]:
    place = os.path.join(root, folder)
    if not os.path.isdir(place):
        return
    for entry in os.scandir(place):
        if not layout.is_shipped(entry.name):
            continue
        path = f"{folder}/{entry.name}"
        if entry.is_dir(follow_symlinks=False):
            yield from _below(root, path)
        else:
            yield path


def _shipped(root: str, path: str) -> layout.Shipped:
    place = os.path.join(root, path)
    mode = os.lstat(place).st_mode
    if not stat.S_ISREG(mode):
        raise UserError(f"not a plain file: {place}")
    return layout.Shipped(path, _sha256(place), bool(mode & stat.S_IXUSR))


def copy(root: str, files: list[layout.Shipped], target: str) -> None:
    """Copy them below `target`, which is there. Raises Refusal; also if one changed meanwhile."""
    for file in files:
        with open(os.path.join(root, file.path), "rb") as stream:
            data = stream.read()
        if hashlib.sha256(data).hexdigest() != file.sha256:
            raise Refusal(f"changed while it was copied: {root}/{file.path}", next_step="try again")
        store.write(target, file.path, data, mode=0o755 if file.executable else 0o644)
    for folder in layout.FOLDERS:
        if not os.path.isdir(os.path.join(target, folder)):
            store.make_folder(target, folder)


def entries(folder: str) -> dict[str, str]:
    """Return all that lies below a folder as the manifest lists it: path -> sha256 or link."""
    found: dict[str, str] = {}
    for entry in _walk(folder):
        if not entry.is_dir(follow_symlinks=False):
            found[os.path.relpath(entry.path, folder)] = _entry(entry.path)
    return dict(sorted(found.items()))


def differences(folder: str, listed: dict[str, str]) -> list[str]:
    """Return the paths below a folder that are missing or no longer what the list says.

    Compiled Python is left out: it is a cache, which Python may write anew.
    """
    return [
        path
        for path, was in listed.items()
        if not _is_cache(path) and _entry(os.path.join(folder, path)) != was
    ]


def not_listed(folder: str, listed: dict[str, str]) -> list[str]:
    """Return the files below a folder that are not what the list says, or not in it.

    Compiled Python is left out: it is a cache.
    """
    return [
        entry.path
        for entry in _walk(folder)
        if not entry.is_dir(follow_symlinks=False)
        and not _is_cache(entry.path)
        and _entry(entry.path) != listed.get(os.path.relpath(entry.path, folder))
    ]


def remove_listed(folder: str, listed: dict[str, str]) -> list[str]:
    """Remove what still is as listed, caches, and folders that are then empty; return the rest."""
    if not os.path.isdir(folder) or os.path.islink(folder):
        return []
    kept = set(not_listed(folder, listed))
    for entry in _walk(folder):
        if entry.is_dir(follow_symlinks=False):
            remove_if_empty(entry.path)
        elif entry.path not in kept:
            os.unlink(entry.path)
    remove_if_empty(folder)
    return sorted(kept)


def remove_all(folder: str) -> None:
    """Remove a folder that is ours alone, with all in it."""
    if os.path.islink(folder) or not os.path.isdir(folder):
        return
    for entry in _walk(folder):
        if entry.is_dir(follow_symlinks=False):
            os.rmdir(entry.path)
        else:
            os.unlink(entry.path)
    os.rmdir(folder)


def _walk(folder: str) -> Iterator[os.DirEntry[str]]:
    """Yield all below a folder, what a folder holds before the folder itself."""
    for entry in sorted(os.scandir(folder), key=lambda entry: entry.name):
        if entry.is_dir(follow_symlinks=False):
            yield from _walk(entry.path)
        yield entry


def _entry(place: str) -> str:
    """Return the entry that a list would hold; an empty text for what is missing or unreadable."""
    try:
        mode = os.lstat(place).st_mode
        if stat.S_ISLNK(mode):
            return manifest.entry_of_link(os.readlink(place))
        return _sha256(place) if stat.S_ISREG(mode) else ""
    except OSError:
        return ""


def _is_cache(path: str) -> bool:
    return path.endswith(".pyc") and "__pycache__" in path.split("/")


def remove_if_empty(folder: str) -> None:
    if os.path.isdir(folder) and not any(os.scandir(folder)):
        os.rmdir(folder)


def remove_empty_folders(folder: str) -> None:
    """Remove the folders below and this one as far as they hold nothing."""
    if os.path.islink(folder) or not os.path.isdir(folder):
        return
    for entry in _walk(folder):
        if entry.is_dir(follow_symlinks=False):
            remove_if_empty(entry.path)
    remove_if_empty(folder)


def _sha256(place: str) -> str:
    with open(place, "rb") as stream:
        return hashlib.sha256(stream.read()).hexdigest()
