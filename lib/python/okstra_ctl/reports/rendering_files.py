"""`render-final-report` and `render-views`: the other forms of a report on disk (R-025, R-048).

Both are made anew whole, and written only where they differ, so that either can be run again.
"""

from __future__ import annotations

import hashlib
import os
import re
from typing import Any

from okstra_ctl.convergence import document_files
from okstra_ctl.reportdata import excerpt, report
from okstra_ctl.reportdata.report import HTML, MARKDOWN, Report
from okstra_ctl.reports import markdown, page, page_check
from okstra_kernel import UserError, display, plain_file, redaction, store

Answer = tuple[int, str]
_APPROVAL = re.compile(r"^(approved|implementation-option):.*$", re.MULTILINE)
_QUESTION = re.compile(r"^\|\s*C-[0-9]{3}\s*\|", re.MULTILINE)
_LANGUAGE = re.compile(r"^report-language: *[\"']?(\w+)", re.MULTILINE)


def render_markdown(source: str, output: str, *, check: bool) -> Answer:
    """Write a report's Markdown beside its data, or to `output`; with `check` only compare.

    What an approval wrote into the front matter stays (Z-030). Raises UserError for data that is
    not valid. Status 1: compared, and not equal.
    """
    found = report.load(_readable(report.data_path(source)))
    text = markdown.render(found.data, redaction.secrets(os.environ))
    place = output or report.sibling(found.path, MARKDOWN)
    same = os.path.isfile(place) and equal(_text(place), text)
    if check:
        return (0, place) if same else (1, f"{place}: not what {found.path} makes")
    if not same:
        _write(place, text)
    return 0, place


def equal(one: str, other: str) -> bool:
    """Tell whether two Markdown reports are equal, an approval's lines left out (Z-030)."""
    return _unapproved(one) == _unapproved(other)


def render_page(source: str) -> Answer:
    """Write a report's page beside its data, or say why there is none (R-045, R-049).

    Raises UserError for a source that is not there, is neither form, or is not valid; and for a
    page of ours that breaks its own rules, which is then not written.
    """
    data = report.data_path(source)
    place = report.sibling(data, HTML)
    known = redaction.secrets(os.environ)
    if not os.path.isfile(data) and source.endswith(MARKDOWN) and _is_text_alone(source):
        return _text_page(source, place, known)
    found = report.load(_readable(data))
    html = page.render(found, known)
    _checked(html, found.sha256, _finding_ids(found.data), place)
    return _written(place, html)


def page_faults(source: str) -> list[str]:
    """Return what is wrong with the page of a report's data as it stands (R-050).

    Raises UserError for data or a page that cannot be read.
    """
    found = report.load(_readable(report.data_path(source)))
    html = _text(_readable(report.sibling(found.path, HTML)))
    return page_check.faults(html, found.sha256, _finding_ids(found.data))


def _text_page(source: str, place: str, known: redaction.Secrets) -> Answer:
    """Write the page of a report that is Markdown alone, if it asks something (Z-103)."""
    text = _text(source)
    if not _QUESTION.search(text):
        return 0, "html: skipped (the report asks nothing: no C- rows)"
    digest = hashlib.sha256(text.encode()).hexdigest()
    language = _LANGUAGE.search(text)
    name = os.path.basename(source).removesuffix(MARKDOWN)
    told = language[1] if language and language[1] in ("en", "ko") else "en"
    body = re.sub(r"\A---\n.*?\n---\n", "", text, flags=re.DOTALL)
    html = page.render_text(Report({}, source, digest), body, name, told, known)
    _checked(html, digest, [], place)
    return _written(place, html)


def _is_text_alone(path: str) -> bool:
    return any(
        os.path.basename(path).startswith(f"final-report-{t}-") for t in excerpt.WITHOUT_DATA
    )


def _finding_ids(data: dict[str, Any]) -> list[str]:
    return [row["id"] for row in (*data["findings"], *data["gaps"])]


def _checked(html: str, sha256: str, finding_ids: list[str], place: str) -> None:
    wrong = page_check.faults(html, sha256, finding_ids)
    if wrong:
        raise UserError(f"not written: {place}: {wrong[0]}", details=wrong[1:])


def _written(place: str, text: str) -> Answer:
    if not os.path.isfile(place) or _text(place) != text:
        _write(place, text)
    return 0, display.visible(place)


def _unapproved(text: str) -> str:
    """Return a report without what an approval writes into its front matter."""
    head, mark, rest = text.partition("\n---\n")
    return _APPROVAL.sub(r"\1:", head) + mark + rest


def _readable(path: str) -> str:
    if not os.path.isfile(path):
        raise UserError(f"no such report: {path}")
    return path


def _text(path: str) -> str:
    data = plain_file.read(path, path, limit=report.LIMIT)
    try:
        return data.decode()
    except UnicodeDecodeError as err:
        raise UserError(f"not UTF-8: {path}") from err


def _write(path: str, text: str) -> None:
    root, below = document_files.place(path)
    store.write(root, below, text.encode())
