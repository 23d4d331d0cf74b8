"""Where does the okstra to install come from, and who installs it?

The running tree, when it is a checkout. An installed tree knows the checkout that it came from
(L-189) and becomes that checkout's own installer, so that a new okstra is installed by new code.
"""

from __future__ import annotations

import os
from typing import NoReturn

from okstra_ctl.install import layout
from okstra_kernel import Refusal, UserError, assets, strict_json

INSTALLER = "install.sh"


def source() -> str:
    """Return the root of the tree to install from. Raises UserError, Refusal."""
    root = os.path.dirname(assets.path("VERSION"))
    record = os.path.join(root, layout.BUILD_RECORD)
    if not os.path.exists(record):
        return root
    origin = strict_json.read(record).text("repoRoot")
    installer = os.path.join(origin, INSTALLER)
    if not os.path.isfile(installer):
        raise UserError(
            f"the source that this okstra was installed from is gone: {origin}",
            next_step="get okstra's repository again and run ./install.sh in it",
        )
    owner = os.stat(installer).st_uid
    if owner not in (0, os.geteuid()):
        raise Refusal(f"belongs to another user (uid {owner}): {installer}")
    return origin


def become_installer(words: list[str]) -> NoReturn:
    """Run the installer of the source in place of this process."""
    installer = os.path.join(source(), INSTALLER)
    try:
        os.execv("/bin/bash", ["/bin/bash", "-p", installer, *words])
    except OSError as err:
        raise Refusal(f"cannot start {installer}: {err.strerror}") from err
