"""The index at the top of a Markdown report, and the anchors it leads to (R-030 to R-032). Pure.

For reports without data, whose Markdown somebody wrote. Rows are table rows and headings that begin
with `I-NNN` or `C-NNN`. What stands in a fence is quoted, and no row.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from okstra_kernel import UserError, texts

ANCHOR = '<a id="report-index"></a>'  # the validator looks for it
_BEGIN, _END = "<!-- okstra:report-index -->", "<!-- /okstra:report-index -->"
_ROW_ANCHOR = re.compile(r'<a id="(?:i|c)-[0-9]{3,}"></a>')
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_ROW = re.compile(r"(\| *|#{2,6} +)((?:I|C)-[0-9]{3,})\b(.*)")
_LONGEST = 100  # characters of a title
_DASHES = "-: \N{EM DASH}\N{EN DASH}"  # between the id of a heading and its words
_WORDS = {
    "en": ("Index", "Candidates", "Questions", "none"),
    "ko": ("목차", "후보", "질문", "없음"),
}
LANGUAGES = tuple(_WORDS)


class Row(NamedTuple):
    id: str
    title: str


def inject(text: str, language: str) -> str:
    """Return the report with a fresh index and anchors, in the place of earlier ones.

    Raises UserError for another language, and for an index that was cut in two.
    """
    if language not in _WORDS:
        known = " or ".join(texts.LANGUAGES)
        raise UserError(f"not a report's language: {language!r}; it is {known}")
    end = "\r\n" if "\r\n" in text else "\n"
    lines = _without(text.replace("\r\n", "\n").split("\n"))
    marked, rows = _marked(lines)
    at = _after_front_matter(marked)
    block = [_BEGIN, *_block(rows, language), _END, ""]
    return end.join([*marked[:at], *block, *_trimmed(marked[at:])])


def has_index(text: str) -> bool:
    """Tell whether a report has its index (R-031)."""
    return ANCHOR in text.split("\n")


def rows_of(text: str, letter: str) -> list[Row]:
    """Return the rows of a report whose ids begin with `I` or `C`, each id once."""
    _, rows = _marked(_without(text.replace("\r\n", "\n").split("\n")))
    return [row for row in rows if row.id.startswith(letter)]


def without(text: str) -> str:
    """Return a report as it was before it got its index. Raises UserError."""
    return "\n".join(_without(text.replace("\r\n", "\n").split("\n")))


def _without(lines: list[str]) -> list[str]:
    """Take an earlier index and its anchors out."""
    if (_BEGIN in lines) != (_END in lines):
        raise UserError(f"the index of the report was cut: only one of {_BEGIN} and {_END} is left")
    if _BEGIN in lines:
        begin, end = lines.index(_BEGIN), lines.index(_END)
        if end < begin:
            raise UserError(f"the index of the report is upside down: {_END} before {_BEGIN}")
        lines = [*lines[:begin], *_trimmed(lines[end + 1 :])]
    return [_ROW_ANCHOR.sub("", line) for line in lines]


def _marked(lines: list[str]) -> tuple[list[str], list[Row]]:
    """Return the lines with an anchor before each row's id, and the rows; the first of an id."""
    rows: dict[str, Row] = {}
    marked, fence = [], ""
    for line in lines:
        mark = _FENCE.match(line)
        if mark and not fence:
            fence = mark[1]
        elif mark and mark[1].startswith(fence):
            fence = ""
        found = None if fence or mark else _ROW.match(line)
        if found and found[2] not in rows:
            rows[found[2]] = Row(found[2], _title(found[3]))
            line = f'{found[1]}<a id="{found[2].lower()}"></a>{found[2]}{found[3]}'
        marked.append(line)
    return marked, list(rows.values())


def _title(rest: str) -> str:
    """Return what follows an id: the next filled cell of its row, or the rest of its heading."""
    cells = [cell.strip() for cell in rest.split("|")]
    words = next((cell for cell in cells if cell), "").lstrip(_DASHES).strip()
    plain = re.sub(r"[\[\]<>`*_]", "", words)
    return plain if len(plain) <= _LONGEST else f"{plain[: _LONGEST - 1]}…"


def _block(rows: list[Row], language: str) -> list[str]:
    index, candidates, questions, none = _WORDS[language]
    lines = [f"## {index}", ANCHOR, ""]
    for name, letter in ((candidates, "I"), (questions, "C")):
        own = [row for row in rows if row.id.startswith(letter)]
        lines.append(f"- {name}" if own else f"- {name}: {none}")
        lines += [f"  - [{row.id}](#{row.id.lower()}) {row.title}".rstrip() for row in own]
    return lines


def _after_front_matter(lines: list[str]) -> int:
    """Return where the index goes: behind the front matter, and behind the title if it is next."""
    at = 0
    if lines and lines[0].rstrip() == "---":
        at = next((n for n, line in enumerate(lines[1:], 2) if line.rstrip() == "---"), 0)
    title = next((n for n in range(at, len(lines)) if lines[n].strip()), at)
    if title < len(lines) and re.match(r"# ", lines[title]):
        at = title + 1
    while at < len(lines) and not lines[at].strip():
        at += 1
    return at


def _trimmed(lines: list[str]) -> list[str]:
    start = next((n for n, line in enumerate(lines) if line.strip()), len(lines))
    return lines[start:]
