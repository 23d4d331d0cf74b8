"""What a report's page must have, and what it must not (R-035, R-036, R-043, R-050, Z-052).

Pure: the page comes in as text. Nothing here trusts the way in which the page was made.
"""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Iterator, Sequence

from okstra_ctl.reports.page import POLICY, script_hash

_LOADING = ("src", "srcset", "poster", "data", "background", "action", "formaction", "ping", "cite")
_BANNED = ("link", "iframe", "frame", "object", "embed", "base", "img", "form", "applet", "svg")
DIGEST = "okstra-source-sha256"

Attributes = Sequence[tuple[str, "str | None"]]


class _Page(HTMLParser):
    """What stands in a page: its tags with their attributes, scripts, styles, ids."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.bodies: dict[str, list[str]] = {"script": [], "style": [], "title": []}
        self._in = ""

    def handle_starttag(self, tag: str, attrs: Attributes) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))
        if tag in self.bodies:
            self._in = tag
            self.bodies[tag].append("")

    def handle_endtag(self, tag: str) -> None:
        if tag == self._in:
            self._in = ""

    def handle_data(self, data: str) -> None:
        if self._in:
            self.bodies[self._in][-1] += data


def faults(html: str, sha256: str, finding_ids: Sequence[str]) -> list[str]:
    """Return what is wrong with a page, a line each; empty: nothing.

    `sha256`: of its source as that stands now; `finding_ids`: of the findings that it must show.
    """
    page = _Page()
    page.feed(html)
    page.close()
    return [*_policy(page), *_outside(page), *_digest(page, sha256), *_missing(page, finding_ids)]


def _metas(page: _Page, name: str, key: str) -> list[str]:
    rows = [attrs for tag, attrs in page.tags if tag == "meta"]
    return [row.get("content", "") for row in rows if row.get(key, "").lower() == name]


def _policy(page: _Page) -> Iterator[str]:
    scripts = page.bodies["script"]
    if len(scripts) != 1:
        yield f"one script is allowed, found {len(scripts)}"
        return
    wanted = POLICY.format(hash=script_hash(scripts[0]))
    found = _metas(page, "content-security-policy", "http-equiv")
    if found != [wanted]:
        yield f"its content security policy is not: {wanted}"


def _outside(page: _Page) -> Iterator[str]:
    for tag, attrs in page.tags:
        if tag in _BANNED:
            yield f"a tag that has no place here: <{tag}>"
        for name, value in attrs.items():
            if name.startswith("on"):
                yield f"a handler in a tag: <{tag} {name}>"
            if name in _LOADING or (name in ("href", "xlink:href") and not value.startswith("#")):
                yield f"an address in a tag: <{tag} {name}={value[:60]!r}>"
            if name == "style" and re.search(r"url\s*\(|@import|expression|\\", value, re.I):
                yield f"an address in a style: {value[:60]!r}"
    for style in page.bodies["style"]:
        if re.search(r"url\s*\(|@import", style, re.I):
            yield "an address in the style sheet"


def _digest(page: _Page, sha256: str) -> Iterator[str]:
    found = _metas(page, DIGEST, "name")
    if found != [sha256]:
        yield f"made of another source: {', '.join(found) or 'no digest'}; it is now {sha256}"


def _missing(page: _Page, finding_ids: Sequence[str]) -> Iterator[str]:
    ids = [attrs["id"] for _, attrs in page.tags if "id" in attrs]
    yield from (f"the id {one} is there twice" for one in sorted(set(ids)) if ids.count(one) > 1)
    yield from (f"finding {one} is missing" for one in finding_ids if f"f-{one}" not in ids)
    tags = [tag for tag, _ in page.tags]
    for name in ("html", "title", "main", "h1") if finding_ids else ("html", "title", "main"):
        if tags.count(name) != 1:
            yield f"<{name}> is there {tags.count(name)} times"
    if not any(attrs.get("lang") for tag, attrs in page.tags if tag == "html"):
        yield "<html> names no language"
    if "viewport" not in [attrs.get("name") for tag, attrs in page.tags if tag == "meta"]:
        yield "no viewport: unreadable on a small screen"
