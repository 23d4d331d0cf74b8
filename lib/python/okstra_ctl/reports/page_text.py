"""Text of others within a page: what of it is markup, and what is only shown (R-036, Z-050).

Workers write code in ticks, lists and fences; that much is Markdown here. No link, picture, heading
or tag comes out of their text, and a backslash or a star in it stays one.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markupsafe import Markup

_SMALL = ("fence", "list", "backticks", "newline")  # besides plain paragraphs
_WHOLE = (*_SMALL, "heading", "table", "emphasis", "escape", "blockquote", "hr", "code")


def small(text: str) -> Markup:
    """Return a worker's text as HTML."""
    return _made(text, _SMALL)


def whole(text: str) -> Markup:
    """Return a whole document as HTML, its headings and tables, too; still no link and no tag."""
    return _made(text, _WHOLE)


def visible_in(value: Any) -> Any:
    """Return a JSON value whose texts show controls and turns of direction as escapes."""
    if isinstance(value, str):
        return _visible(value)
    if isinstance(value, list):
        return [visible_in(one) for one in value]
    if isinstance(value, dict):
        return {name: visible_in(one) for name, one in value.items()}
    return value


def _visible(text: str) -> str:
    if text.isprintable():
        return text
    kept = (c if c.isprintable() or c in "\n\t" or c.isspace() else ascii(c)[1:-1] for c in text)
    return "".join(" " if c.isspace() and c != "\n" else c for c in kept)


def _made(text: str, rules: tuple[str, ...]) -> Markup:
    from markupsafe import Markup

    return Markup(_parser(rules).render(text))  # its own text is escaped by the parser


@functools.lru_cache(None)
def _parser(rules: tuple[str, ...]) -> MarkdownIt:
    from markdown_it import MarkdownIt

    return MarkdownIt("zero", {"html": False, "breaks": True}).enable(list(rules))
