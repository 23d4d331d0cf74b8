"""The environment values that prepare looks at, read once at the start (P-062, L-010)."""

from __future__ import annotations

import os
from typing import Mapping, NamedTuple


class Environment(NamedTuple):
    cwd: str
    variables: Mapping[str, str]

    def value(self, name: str) -> str:
        return self.variables.get(name, "")


def read() -> Environment:
    """Return the caller's folder and variables as they are now."""
    return Environment(_cwd(), dict(os.environ))


def _cwd() -> str:
    from okstra_kernel import UserError

    try:
        return os.getcwd()
    except FileNotFoundError:
        raise UserError("the current folder is gone", next_step="cd to one that exists") from None
