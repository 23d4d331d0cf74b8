"""The folder that okstra is installed into is looked at before anything is written there.

Nothing is written through a link of someone else's, nor into a folder of another user (XS-18).
"""

from __future__ import annotations

import os
import stat

from okstra_ctl.install import layout
from okstra_kernel import Refusal, locks

LOCK = "install"


def check(home: str) -> None:
    """Raise Refusal for what an installation would have to write through or over.

    A foreign owner, a link in place of a folder or file, something else in place of a link.
    """
    if not os.path.lexists(home):
        return
    for name in ("", layout.VERSIONS, layout.MANIFEST, locks.FOLDER):
        place = os.path.join(home, name) if name else home
        if not os.path.lexists(place):
            continue
        found = os.lstat(place)
        if stat.S_ISLNK(found.st_mode):
            raise Refusal(
                f"okstra does not write through links: {place}", next_step=f"rm '{place}'"
            )
        if found.st_uid != os.geteuid():
            raise Refusal(f"belongs to another user (uid {found.st_uid}): {place}")
    for name, target in layout.FIXED_LINKS.items():
        _check_link(os.path.join(home, name), target)
    _check_link(os.path.join(home, layout.CURRENT), "")


def _check_link(place: str, target: str) -> None:
    """Raise Refusal for anything but a link to `target`; without one, to a version."""
    if not os.path.lexists(place):
        return
    found = os.readlink(place) if os.path.islink(place) else ""
    if not found or (found != target if target else not layout.version_of(found)):
        shown = f"{place} -> {found}" if found else place
        raise Refusal(f"not a link of okstra's: {shown}", next_step=f"mv '{place}' '{place}.old'")


def make(home: str) -> None:
    """Make the home, for its owner alone, and the folder of the versions. Raises Refusal."""
    try:
        os.makedirs(os.path.dirname(home), exist_ok=True)
        if not os.path.isdir(home):
            os.mkdir(home, 0o700)
        os.makedirs(os.path.join(home, layout.VERSIONS), mode=0o700, exist_ok=True)
    except OSError as err:
        raise Refusal(f"cannot write {err.filename}: {err.strerror}") from err
