"""The two forms that are made of a report's data: made, compared, written (R-025, R-045, R-050)."""

from __future__ import annotations

import os
from typing import Any, Mapping

from okstra_ctl.reportdata import report
from okstra_ctl.reports import markdown as markdown_form
from okstra_kernel import redaction, store

Members = dict[str, Any]
_APPROVAL = ("approved:", "implementation-option:")  # what a person may change (Z-030)


def markdown(data: Members, environment: Mapping[str, str]) -> str:
    """Return the Markdown of a report's data."""
    return markdown_form.render(data, redaction.secrets(environment))


def write_markdown(path: str, environment: Mapping[str, str]) -> None:
    """Render a data.json's Markdown anew, beside it; one that is right stays as it is."""
    data = report.load(path).data
    place = report.sibling(path, report.MARKDOWN)
    made = markdown(data, environment)
    if os.path.isfile(place):
        with open(place, encoding="utf-8", errors="replace", newline="") as stream:
            found = stream.read()
        if unapproved(found) == unapproved(made):
            return
    folder, name = os.path.split(os.path.abspath(place))
    store.write_text(folder, name, made)


def unapproved(text: str) -> str:
    """Return a Markdown without the lines of its front matter that an approval changes (Z-030)."""
    lines = text.split("\n")
    if lines[0] != "---" or "---" not in lines[1:]:
        return text
    end = lines.index("---", 1)
    kept = [line for line in lines[:end] if not line.startswith(_APPROVAL)]
    return "\n".join([*kept, *lines[end:]])
