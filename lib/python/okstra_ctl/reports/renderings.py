"""The two forms that are made of a report's data: made, compared, written (R-025, R-045, R-050)."""

from __future__ import annotations

import hashlib
import os
import re
from typing import Any, Mapping

from okstra_ctl.convergence import document_files
from okstra_ctl.reportdata import report
from okstra_ctl.reportdata.report import Report
from okstra_ctl.reports import markdown as markdown_form
from okstra_ctl.reports import page, page_check, report_index, report_index_files
from okstra_kernel import UserError, redaction, store, strict_json, texts

Members = dict[str, Any]
_LANGUAGE = re.compile(r"^report-language: *[\"']?(en|ko)\b", re.MULTILINE)
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
    store.write_text(*document_files.place(place), made)


def unapproved(text: str) -> str:
    """Return a Markdown without the lines of its front matter that an approval changes (Z-030)."""
    lines = text.split("\n")
    if lines[0] != "---" or "---" not in lines[1:]:
        return text
    end = lines.index("---", 1)
    kept = [line for line in lines[:end] if not line.startswith(_APPROVAL)]
    return "\n".join([*kept, *lines[end:]])


def write_page(path: str, environment: Mapping[str, str]) -> str:
    """Make the page of a report, or say why there is none; return the line that tells (R-049).

    `path`: its data.json; of a report without data its Markdown, which has a page only where it
    asks something (R-045, Z-103).
    """
    known = redaction.secrets(environment)
    place = report.sibling(path, report.HTML)
    if path.endswith(report.DATA):
        source = report.load(path)
        made = page.render(source, known)
    else:
        text = report_index_files.read(path)
        if not report_index.rows_of(text, "C"):
            return "html: skipped (no question in the report)"
        source = Report({}, path, hashlib.sha256(text.encode()).hexdigest())
        title = os.path.basename(path).removesuffix(report.MARKDOWN)
        made = page.render_text(source, _body(text), title, _language(text), known)
    wrong = page_check.faults(made, source.sha256, _findings(source.data))
    if wrong:
        raise UserError(f"not written: {place}: {wrong[0]}", details=wrong[1:])
    store.write_text(*document_files.place(place), made)
    return place


def page_faults(path: str, *, has_data: bool) -> list[str]:
    """Return what is wrong with a report's page; `path` is its Markdown (R-050, R-135).

    A report without data has one only where it asks something; any other lack is a fault.
    Raises UserError for what cannot be read.
    """
    source, place = report.data_path(path) if has_data else path, report.sibling(path, report.HTML)
    if not os.path.lexists(place):
        wanted = has_data or bool(report_index.rows_of(report_index_files.read(path), "C"))
        return ["missing"] if wanted else []
    shown = report_index_files.read(place)
    content = document_files.content(source)
    members = strict_json.parse(content, source).members if has_data else {}
    return page_check.faults(shown, document_files.sha256(content), _findings(members))


def _findings(data: Members) -> list[str]:
    """Return the ids that a page must show; of data that is not sound, what can be told."""
    lists = [data.get(name) for name in ("findings", "gaps")]
    rows = [row for rows in lists if isinstance(rows, list) for row in rows]
    return [row["id"] for row in rows if isinstance(row, dict) and isinstance(row.get("id"), str)]


def _language(text: str) -> str:
    found = _LANGUAGE.search(text)
    return found[1] if found else texts.DEFAULT_LANGUAGE


def _body(text: str) -> str:
    """Return a Markdown without its front matter, and without an index that leads nowhere here."""
    return re.sub(r"\A---\n.*?\n---\n", "", report_index.without(text), flags=re.DOTALL)
