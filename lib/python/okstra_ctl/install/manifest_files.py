"""The manifest's file in okstra's home."""

from __future__ import annotations

import os

from okstra_ctl.install import layout, link_files, manifest
from okstra_kernel import store, strict_json


def read(home: str) -> manifest.Manifest:
    """Return what is installed, as list and link together tell. Raises UserError."""
    path = os.path.join(home, layout.MANIFEST)
    found = manifest.Manifest()
    if os.path.lexists(path):
        found = manifest.from_record(strict_json.read(path))
    return manifest.in_use(found, link_files.current(home))


def write(home: str, value: manifest.Manifest) -> None:
    """Put it into its file. Raises what `store.write` does."""
    record = manifest.to_json(value, {layout.CURRENT: "", **layout.FIXED_LINKS})
    record["links"][layout.CURRENT] = layout.target_of(value.current) if value.current else ""
    store.write_json(home, layout.MANIFEST, record, mode=store.PRIVATE)
