"""The file of what was probed, in okstra's home (Z-090)."""

from __future__ import annotations

import os
from typing import Iterable, Mapping

from okstra_ctl.providers import capabilities
from okstra_kernel import UserError, iso_time, store, strict_json


def load(home: str) -> Mapping[str, capabilities.Capability]:
    """Return the capabilities by provider; none if nothing was probed.

    Raises UserError for a file that is none of ours or damaged.
    """
    path = os.path.join(home, capabilities.FILE)
    if not os.path.lexists(path):
        return {}
    try:
        return capabilities.from_json(strict_json.read(path))
    except UserError as err:
        raise UserError(str(err), next_step=store.aside(path)) from err


def save(home: str, found: Iterable[capabilities.Capability]) -> None:
    """Write the file. Raises what `store.write` does."""
    store.write_json(home, capabilities.FILE, capabilities.to_json(found, iso_time.now()))
