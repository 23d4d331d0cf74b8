"""What a brief must be to be worked on (P-079, P-080, XI-05). Pure: bytes in, faults out.

Little is asked of the form: a brief is what somebody wrote. What no worker could read is refused.
"""

from __future__ import annotations

import re
from typing import NamedTuple

MAX_BYTES = 4 << 20
CONFIRMED = "reporter-confirmed"  # written by the brief generator (P-356)


class Brief(NamedTuple):
    data: bytes  # as it was read: the copy in the bundle is exact
    text: str
    confirmed: bool  # false: its reporter has yet to say that it is right


def read(data: bytes) -> tuple[Brief | None, list[str]]:
    """Return the brief, or why it is none: one sentence for each fault."""
    if len(data) > MAX_BYTES:
        return None, [f"larger than {MAX_BYTES >> 20} MiB"]
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return None, ["UTF-16; save it as UTF-8"]
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as err:
        return None, [f"byte {err.start} is not UTF-8"]
    faults = []
    if "\0" in text:
        faults.append(f"byte {data.index(0)} is NUL: a binary file")
    if not any(c.isalnum() for c in text):
        faults.append("empty: it has neither a letter nor a digit")
    front, fault = front_matter(text)
    faults += [fault] if fault else []
    answer = front.get(CONFIRMED, "yes")
    if answer not in ("yes", "no"):
        faults.append(f"{CONFIRMED} is neither yes nor no: {answer!r}")
    return (None, faults) if faults else (Brief(data, text, answer == "yes"), [])


def front_matter(text: str) -> tuple[dict[str, str], str]:
    """Return the `name: value` lines between the opening `---` and the next, and what is wrong."""
    lines = text.splitlines()
    if not lines or lines[0].rstrip() != "---":
        return {}, ""
    for end, line in enumerate(lines[1:], 1):
        if line.rstrip() == "---":
            pairs = (x.partition(":") for x in lines[1:end] if re.match(r"[\w-]+:", x))
            return {name: value.strip().strip("\"'") for name, _, value in pairs}, ""
    return {}, ""  # no second line: a rule, not front matter


def sections(text: str) -> dict[str, str]:
    """Return the text below each heading, by the heading's words; fenced code holds no headings."""
    found: dict[str, list[str]] = {}
    current: list[str] = []
    fence = ""
    for line in text.splitlines():
        mark = re.match(r" {0,3}(```+|~~~+)", line)
        if mark and not fence:
            fence = mark[1]
        elif mark and mark[1].startswith(fence):
            fence = ""
        heading = "" if fence or mark else _heading(line)
        if heading:
            current = found.setdefault(heading, [])
        else:
            current.append(line)
    return {name: "\n".join(lines).strip() for name, lines in found.items()}


def _heading(line: str) -> str:
    """Return a heading's words, or an empty text: in one pass, however long the line (XI-05)."""
    rest = line.lstrip("#")
    if not 1 <= len(line) - len(rest) <= 6 or not rest.startswith(" "):
        return ""
    words = rest.strip()
    bare = words.rstrip("#")
    return bare.rstrip() if bare.endswith(" ") else words
