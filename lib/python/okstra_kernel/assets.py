"""Where okstra's own files lie: in the tree that the running package is part of (P-056 to P-058).

Looked for, never counted: a fixed number of parents was right in one layout and wrong in the next.
"""

from __future__ import annotations

import os

from okstra_kernel import UserError

RUN_VALIDATOR_RELATIVE = ("validators", "validate-run.py")
BRIEF_VALIDATOR_RELATIVE = ("validators", "validate-brief.py")

_PARENTS = 5  # how far up a tree may lie


def find_asset_root(relative: tuple[str, ...]) -> str | None:
    """Return the nearest folder above this package that holds the file `relative`, else None."""
    place = os.path.dirname(os.path.realpath(__file__))
    for _ in range(_PARENTS):
        place = os.path.dirname(place)
        if os.path.isfile(os.path.join(place, *relative)):
            return place
    return None


def path(*relative: str) -> str:
    """Return the absolute path of one of okstra's files. Raises UserError, naming it (P-060)."""
    root = find_asset_root(relative)
    if root is None:
        name = os.path.join(*relative)
        raise UserError(f"a file of okstra is missing: {name}", next_step="okstra install")
    return os.path.join(root, *relative)


def text(*relative: str) -> str:
    """Return the content of one of okstra's files. Raises UserError."""
    place = path(*relative)
    try:
        with open(place, encoding="utf-8") as stream:
            return stream.read()
    except (OSError, UnicodeDecodeError) as err:
        raise UserError(f"{place}: {err}", next_step="okstra install") from err
