"""Which folder is the project (L-020, P-045)."""

from __future__ import annotations

import os

from okstra_kernel import UserError
from okstra_project.dirs import project_json_path


class ResolverError(UserError):
    """No project is to be found, or what was named is none."""


def resolve_project_root(explicit: str, cwd: str) -> str:
    """Return the real path of the project: the folder named, else the nearest one around `cwd`.

    Nearest is the registered project, else the top of the git checkout. Raises ResolverError.
    """
    if explicit:
        place = os.path.join(cwd, explicit)
        if not os.path.isdir(place):
            raise ResolverError(f"not a folder: --project-root={explicit}")
        return _nameable(os.path.realpath(place))
    here = os.path.realpath(cwd)
    for place in (here, *_parents(here)):
        if os.path.isfile(project_json_path(place)):
            return _nameable(place)
    if top := checkout_top(here):
        return _nameable(top)
    raise ResolverError(
        f"no project around {cwd}", next_step="cd to one, or pass --project-root=<folder>"
    )


def resolve_project_root_safe(explicit: str, cwd: str) -> str:
    """Return what `resolve_project_root` does, or an empty text where it fails."""
    try:
        return resolve_project_root(explicit, cwd)
    except UserError:
        return ""


def checkout_top(place: str) -> str:
    """Return the top of the git checkout that a folder lies in; empty if it lies in none."""
    return next((one for one in (place, *_parents(place)) if is_checkout(one)), "")


def is_checkout(place: str) -> bool:
    """Tell whether a git checkout has its top here.

    A killed sandbox can leave an empty `.git` behind: that is none (80 §7).
    """
    git = os.path.join(place, ".git")
    return os.path.isfile(git) or os.path.isfile(os.path.join(git, "HEAD"))


def _parents(place: str) -> list[str]:
    above = os.path.dirname(place)
    return [above, *_parents(above)] if above != place else []


def _nameable(place: str) -> str:
    """Refuse a path that no JSON file and no label line could hold (XI-04)."""
    try:
        place.encode("utf-8")
    except UnicodeEncodeError:
        raise ResolverError(f"the project's path is not UTF-8: {place!r}") from None
    if any(ord(c) < 32 or ord(c) == 127 for c in place):
        raise ResolverError(f"the project's path holds control characters: {place!r}")
    return place
