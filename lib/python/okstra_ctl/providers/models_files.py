"""The model catalog's file, `prompts/models.yaml` (Z-073)."""

from __future__ import annotations

from okstra_ctl.providers import models
from okstra_kernel import assets

FILE = ("prompts", "models.yaml")


def load_catalog() -> models.Catalog:
    """Return okstra's own catalog. Raises UserError for a file that is missing or damaged."""
    return models.parse(assets.text(*FILE), "/".join(FILE))
