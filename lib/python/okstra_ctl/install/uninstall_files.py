"""Remove an installation: what the manifest lists and nobody changed; the rest stays (U-26, XS-18).

User state is kept unless it is asked to go. Worktrees always stay: they hold work (Z-040).
"""

from __future__ import annotations

import os
from typing import NamedTuple

from okstra_ctl.install import (
    home_files,
    layout,
    link_files,
    manifest,
    manifest_files,
    tree_files,
)
from okstra_kernel import Refusal, UserError, locks

_WORKTREES = "worktrees"


class _Findings(NamedTuple):
    """What lies in the home, by what becomes of it."""

    removed: list[str]  # versions
    changed: list[str]  # installed files that somebody edited, or files put among them
    state: list[str]  # names at the top of the home that are the user's


def uninstall(home: str, *, purge: bool = False, yes: bool = False, dry_run: bool = False) -> str:
    """Remove what was installed into `home`; with `purge` the user's state as well.

    Returns what there is to say. Raises Refusal if there is nothing or the home is not okstra's to
    write, UserError if a purge is not confirmed.
    """
    home_files.check(home)
    if not os.path.isdir(home):
        return f"nothing is installed: {home}"
    known = manifest_files.read(home)
    findings = _look(home, known)
    if dry_run:
        return _told(home, findings, "would remove", purge=purge)
    if purge and not yes:
        listed = ", ".join(findings.state) or "nothing besides"
        raise UserError(
            f"a purge deletes the records in {home} for good: {listed}",
            next_step="install.sh --uninstall --purge --yes",
        )
    with locks.hold(home, home_files.LOCK):
        _remove(home, known)
    if purge:
        _purge(home, findings.state)
    _remove_empty_home(home)
    return _told(home, findings, "removed", purge=purge)


def _look(home: str, known: manifest.Manifest) -> _Findings:
    own = {layout.VERSIONS, layout.CURRENT, layout.MANIFEST, locks.FOLDER, *layout.FIXED_LINKS}
    names = [name for name in os.listdir(home) if not link_files.is_unfinished(name)]
    state = sorted(name for name in names if name not in own)
    changed: list[str] = []
    removed = []
    for one in known.versions:
        place = _place(home, one.id)
        if os.path.isdir(place) and not os.path.islink(place):
            removed.append(one.id)
            changed += tree_files.not_listed(place, one.files)
    return _Findings(removed, changed, state)


def _remove(home: str, known: manifest.Manifest) -> None:
    try:
        link_files.remove(home)
        link_files.remove_unfinished(home)
        for one in known.versions:
            tree_files.remove_listed(_place(home, one.id), one.files)
        for name in os.listdir(_place(home, "")) if os.path.isdir(_place(home, "")) else ():
            if name.startswith(layout.UNFINISHED):
                tree_files.remove_all(_place(home, name))
        tree_files.remove_if_empty(_place(home, ""))
        if os.path.lexists(os.path.join(home, layout.MANIFEST)):
            os.unlink(os.path.join(home, layout.MANIFEST))
    except OSError as err:
        raise Refusal(f"cannot remove {err.filename}: {err.strerror}") from err


def _purge(home: str, state: list[str]) -> None:
    for name in state:
        place = os.path.join(home, name)
        if name == _WORKTREES:
            tree_files.remove_empty_folders(place)
        elif os.path.isdir(place) and not os.path.islink(place):
            tree_files.remove_all(place)
        else:
            os.unlink(place)


def _remove_empty_home(home: str) -> None:
    """Remove the home if nothing but the locks is left in it."""
    if set(os.listdir(home)) <= {locks.FOLDER}:
        tree_files.remove_all(os.path.join(home, locks.FOLDER))
        os.rmdir(home)


def _told(home: str, findings: _Findings, verb: str, *, purge: bool) -> str:
    lines = [f"{verb}: okstra {name}" for name in findings.removed]
    lines += [f"kept (not as it was installed): {path}" for path in findings.changed]
    gone = [name for name in findings.state if purge and name != _WORKTREES]
    kept = [name for name in findings.state if name not in gone]
    lines += [f"{verb}: {os.path.join(home, name)}" for name in gone]
    lines += [f"kept (yours): {os.path.join(home, name)}" for name in kept]
    return "\n".join(lines or [f"nothing is installed: {home}"])


def _place(home: str, version: str) -> str:
    return os.path.join(home, layout.VERSIONS, version)
