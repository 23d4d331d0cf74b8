"""Fills `{{TOKEN}}`s (P-162, P-165, P-168). A token without a value is an error, never a blank."""

from __future__ import annotations

import re

from okstra_kernel import UserError

_TOKEN = r"\{\{([A-Z][A-Z0-9_]*)\}\}"


def fill(text: str, values: dict[str, str], source: str) -> str:
    """Return the text with each token's value in its place; a value is not looked into again.

    Raises UserError that names all tokens of `source` without a value.
    """
    missing = sorted({name for name in re.findall(_TOKEN, text) if name not in values})
    if missing:
        raise UserError(f"{source}: no value for {', '.join(missing)}", next_step="okstra install")
    return re.sub(_TOKEN, lambda match: values[match[1]], text)
