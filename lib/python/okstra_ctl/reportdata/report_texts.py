"""What a report says to people in its own words, in its language (R-028, Z-064, Z-115).

The texts are `prompts/reports/<language>.json`, by part and name; code holds the keys only.
"""

from __future__ import annotations

import functools
from typing import Any

from okstra_kernel import assets, strict_json, texts


@functools.lru_cache(None)
def catalog(language: str) -> dict[str, Any]:
    """Return all texts of a language, by part and name. Raises UserError."""
    if language not in texts.LANGUAGES:
        language = texts.DEFAULT_LANGUAGE
    return strict_json.read(assets.path("prompts", "reports", f"{language}.json")).members


def text(language: str, key: str, **values: object) -> str:
    """Return one text, `{name}` replaced by the value of that name (`draft.headline`)."""
    part, _, name = key.partition(".")
    template: str = catalog(language)[part][name]
    return texts.fill(template, {name: str(value) for name, value in values.items()})


def has(language: str, key: str) -> bool:
    """Tell whether there is a text of this name."""
    part, _, name = key.partition(".")
    return name in catalog(language)[part]
