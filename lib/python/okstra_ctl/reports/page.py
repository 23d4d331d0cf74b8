"""A report as one page that opens from a disk, without a network (R-035 to R-046, Z-052).

Equal data gives equal bytes. All text is escaped; what workers wrote is Markdown of a small kind
(`page_text`). Nothing of the page is loaded from elsewhere, and its policy forbids it. Pure, apart
from okstra's own templates.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

from okstra_ctl.reportdata import report_texts
from okstra_ctl.reportdata.report import Report
from okstra_ctl.reports import page_model, page_text, redacted
from okstra_kernel import assets
from okstra_kernel.redaction import Secrets

if TYPE_CHECKING:
    from jinja2 import Environment

Members = dict[str, Any]
FOLDER = ("prompts", "reports")
SCRIPT = "view.js.j2"
POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src '{hash}'; img-src data:"


def render(report: Report, known: Secrets) -> str:
    """Return the page of a report's valid data.

    `known`: the secrets that the environment holds; those of known shapes are found anyway (Z-051).
    """
    data = page_text.visible_in(redacted.redacted(report.data, known))
    texts = report_texts.catalog(data["reportLanguage"])
    model = page_model.model(data, texts)
    title = f"{data['taskType']} {data['seq']} · {data['taskKey']}"
    return _page("view-report.html.j2", report, data["reportLanguage"], title, model)


def render_text(source: Report, markdown: str, title: str, language: str, known: Secrets) -> str:
    """Return the page of a report that is Markdown alone (Z-103). `source`: its hash and path."""
    hidden = redacted.redacted({"body": markdown, "title": title}, known)
    shown = page_text.visible_in(hidden)
    model = {"body": shown["body"], "modes": False}
    return _page("view-text.html.j2", source, language, shown["title"], model)


def script_hash(script: str) -> str:
    """Return how the policy names a script."""
    import base64
    import hashlib

    digest = hashlib.sha256(script.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"


def _page(template: str, report: Report, language: str, title: str, model: Members) -> str:
    from markupsafe import Markup

    script = assets.text(*FOLDER, SCRIPT)
    words = report_texts.catalog(language)
    digest = report.sha256[:12]
    return (
        _templates()
        .get_template(template)
        .render(
            lang=language,
            title=title,
            t={**words, **words["page"], "page": words["page"]},
            script=Markup(script),  # ours, and a script is not escaped
            script_hash=script_hash(script),
            source_sha256=report.sha256,
            made=words["page"]["made"].replace("{digest}", digest),
            **{"modes": True, **model},
        )
    )


@functools.lru_cache(1)
def _templates() -> Environment:
    """Return okstra's templates; a text that one asks for and is not there is an error of ours."""
    import os

    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    found = Environment(
        loader=FileSystemLoader(os.path.dirname(assets.path(*FOLDER, SCRIPT))),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    found.filters["md"] = page_text.small
    found.filters["md_whole"] = page_text.whole
    return found
