"""What a person is asked, in the person's language (Z-064, L-198, L-199).

The texts are `prompts/wizard/<language>.json`, by step and name: `launcher.trustQuestion`. Code
holds the keys only.
"""

from __future__ import annotations

from typing import Mapping

from okstra_kernel import assets, strict_json

LANGUAGES = ("en", "ko")
DEFAULT_LANGUAGE = "en"
VARIABLE = "OKSTRA_LANG"


def language(environment: Mapping[str, str], setting: str = "") -> str:
    """Return the language to ask in: OKSTRA_LANG, else the setting, else what the locale says."""
    for wanted in (environment.get(VARIABLE, ""), setting):
        if wanted in LANGUAGES:
            return wanted
    names = (environment.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    locale = next(filter(None, names), "")
    return next((known for known in LANGUAGES if locale.startswith(known)), DEFAULT_LANGUAGE)


def texts(lang: str) -> strict_json.Record:
    """Return all texts of a language. Raises UserError."""
    source = assets.path("prompts", "wizard", f"{lang}.json")
    return strict_json.read(source)


def text(lang: str, key: str, **values: str) -> str:
    """Return one text, `{name}` replaced by the value of that name, whatever else it holds.

    Raises UserError for a key that no text has.
    """
    step, _, name = key.partition(".")
    return fill(texts(lang).record(step).text(name), values)


def fill(template: str, values: Mapping[str, str]) -> str:
    """Replace `{name}` once: a value that looks like a placeholder stays as it is."""
    import re

    return re.sub(r"\{(\w+)\}", lambda found: values.get(found[1], found[0]), template)
