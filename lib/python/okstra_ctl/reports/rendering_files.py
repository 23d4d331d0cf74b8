"""`render-final-report` and `render-views`: the other forms of a report on disk (R-025, R-048).

Both are made anew whole, so that either can be run again; the data is never changed.
"""

from __future__ import annotations

import os
from typing import Mapping

from okstra_ctl.convergence import document_files
from okstra_ctl.reportdata import excerpt, report
from okstra_ctl.reports import renderings, report_index_files
from okstra_kernel import UserError, store

Answer = tuple[int, str]


def render_markdown(
    source: str, output: str, environment: Mapping[str, str], *, check: bool
) -> Answer:
    """Write a report's Markdown beside its data, or to `output`; with `check` only compare.

    What an approval wrote into the front matter stays (Z-030). Raises UserError for data that is
    not valid. Status 1: compared, and not equal.
    """
    path = _there(report.data_path(source))
    made = renderings.markdown(report.load(path).data, environment)
    place = output or report.sibling(path, report.MARKDOWN)
    same = os.path.isfile(place) and _equal(report_index_files.read(place), made)
    if check:
        return (0, place) if same else (1, f"{place}: not what {path} makes")
    if not same:
        store.write_text(*document_files.place(place), made)
    return 0, place


def render_page(source: str, environment: Mapping[str, str]) -> Answer:
    """Write a report's page beside its data, or say why there is none (R-045, R-049).

    Raises UserError for a source that is not there, is neither form, or is not valid.
    """
    data = report.data_path(source)
    alone = source.endswith(report.MARKDOWN) and _is_text_alone(source)
    path = source if alone and not os.path.isfile(data) else data
    return 0, renderings.write_page(_there(path), environment)


def _equal(one: str, other: str) -> bool:
    return renderings.unapproved(one) == renderings.unapproved(other)


def _is_text_alone(path: str) -> bool:
    """Tell whether a report is of a kind that has no data (Z-103)."""
    name = os.path.basename(path)
    return any(name.startswith(f"final-report-{kind}-") for kind in excerpt.WITHOUT_DATA)


def _there(path: str) -> str:
    if not os.path.isfile(path):
        raise UserError(f"no such report: {path}")
    return path
