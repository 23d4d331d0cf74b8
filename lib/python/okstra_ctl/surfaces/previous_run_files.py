"""The terminal backend of a task's last run of a type, from the run manifests (L-170, P-129)."""

from __future__ import annotations

import os
import re

from okstra_kernel import UserError, strict_json

_NAME = re.compile(r"run-manifest-.*-(\d{3,})\.json")


def previous_backend(runs_folder: str) -> str:
    """Return the `terminalBackend` of the last run below `runs/<task-type>/`, "" if there is none.

    The highest number counts; of one number in two stages, the file written last (L-171). A
    manifest that cannot be read is skipped.
    """
    found = []
    for folder, _, names in os.walk(runs_folder):
        if os.path.basename(folder) != "manifests":
            continue
        for name in names:
            number = _NAME.fullmatch(name)
            if number:
                path = os.path.join(folder, name)
                found.append((int(number[1]), _written(path), path))
    for _, _, path in sorted(found, reverse=True):
        try:
            return strict_json.read(path).text("terminalBackend", "")
        except UserError:
            continue
    return ""


def _written(path: str) -> int:
    try:
        return os.stat(path).st_mtime_ns
    except OSError:
        return 0
