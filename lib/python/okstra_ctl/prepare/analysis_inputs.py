"""What an analysis run shall look at, and the files it shall take into account (P-119, P-120)."""

from __future__ import annotations

import os
import stat

from okstra_kernel import UserError


class AnalysisInputError(UserError):
    """A target or an evidence file that cannot be used."""


def target(project_root: str, text: str) -> str:
    """Return the target: a path in the project, or a symbol. Raises AnalysisInputError."""
    word = text.strip()
    if not word:
        return ""
    if any(not c.isprintable() for c in word):
        raise AnalysisInputError(f"not a path or symbol: --analysis-target={text!r}")
    if "/" not in word and not os.path.lexists(os.path.join(project_root, word)):
        return word
    place = os.path.realpath(os.path.join(project_root, word))
    if not place.startswith(f"{os.path.realpath(project_root)}{os.sep}"):
        raise AnalysisInputError(f"outside the project: --analysis-target={text}")
    if not os.path.exists(place):
        raise AnalysisInputError(f"no such path: --analysis-target={text}")
    return word


def evidence(project_root: str, text: str) -> list[tuple[str, str]]:
    """Return (path, size in words) of each file of a comma list. Raises AnalysisInputError."""
    found = []
    for word in filter(None, (item.strip() for item in text.split(","))):
        path = os.path.join(project_root, word)
        try:
            about = os.stat(path)
        except (OSError, ValueError) as err:  # ValueError: NUL
            reason = getattr(err, "strerror", err)
            raise AnalysisInputError(f"cannot read: --evidence-inputs: {word}: {reason}") from None
        if not stat.S_ISREG(about.st_mode) or not os.access(path, os.R_OK):
            raise AnalysisInputError(f"not a readable file: --evidence-inputs: {word}")
        found.append((word, f"{about.st_size} bytes"))
    return found
