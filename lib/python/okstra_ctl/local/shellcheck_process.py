"""Asks shellcheck of a script, for `local/lint` (H-030).

It is the one of okstra's own Python dependencies, not whatever PATH has. The script goes in on
stdin and the project's settings are left aside: nothing of the project is opened or obeyed.
"""

from __future__ import annotations

import functools
import os
import sys
from typing import Sequence

from okstra_ctl.local import file_kind, line_text
from okstra_ctl.local.hit import SYNTAX, UNDEFINED, UNUSED, Hit, Look
from okstra_kernel import UserError, strict_json

MISSING = "shell scripts are not linted: shellcheck is not among okstra's dependencies"
TIMEOUT = 10  # seconds for one script
_FOREIGN = "SC1090,SC1091"  # files that a script sources are not followed
_SEVERITY = {"error": "major", "warning": "minor", "info": "info", "style": "info"}
_TOPICS = {2154: UNDEFINED, 2034: UNUSED}


@functools.cache
def program() -> str:
    """Return shellcheck's path, or an empty text."""
    found = os.path.join(os.path.dirname(sys.executable), "shellcheck")
    return found if os.access(found, os.X_OK) else ""


def look(path: str, data: bytes) -> Look:
    """Return what shellcheck says of a script; nothing of another file."""
    if file_kind.kind(path, data) != file_kind.SHELL:
        return Look()
    if not program():
        return Look(notes=(MISSING,))
    import subprocess

    words = [program(), "--norc", "-f", "json1", "-e", _FOREIGN]
    words += ["-s", file_kind.dialect(path, data), "-"]
    try:
        done = subprocess.run(words, input=data, capture_output=True, timeout=TIMEOUT)
        comments = strict_json.parse(done.stdout, path).records("comments")
        texts = line_text.lines(data)
        hits = [_hit(path, one, texts) for one in _telling(comments)]
    except (OSError, subprocess.TimeoutExpired, UserError):
        return Look(notes=(f"{path}: shellcheck could not judge it",))
    return Look(tuple(sorted(dict.fromkeys(hits), key=lambda hit: (hit.start, hit.title))))


def _telling(comments: Sequence[strict_json.Record]) -> list[strict_json.Record]:
    """Leave out what says of one syntax error, in other words, that there is one."""
    codes = {one.integer("code") for one in comments}
    echoes = {1009, *([1072] if 1073 in codes else [])}
    return [one for one in comments if one.integer("code") not in echoes]


def _hit(path: str, comment: strict_json.Record, texts: Sequence[str]) -> Hit:
    import re

    code, level = comment.integer("code"), comment.text("level")
    line = line_text.clamped(comment.integer("line"), texts)
    said = line_text.shown(comment.text("message"))
    severity = _SEVERITY.get(level, "info")
    topic = _TOPICS.get(code, SYNTAX if level == "error" and 1000 <= code < 2000 else "")
    first = re.match(r"(\w+) ", said) if topic in (UNDEFINED, UNUSED) else None
    return Hit(
        path,
        line,
        line,
        topic,
        (f"SC{code}", *([first[1]] if first else [])),
        f"SC{code}: {said}",
        f"shellcheck reports SC{code}: {said}{line_text.reads(texts, line)}",
        severity,
        "defect" if severity in ("major", "minor") else "improvement",
        f"See what shellcheck says of SC{code}.",
    )
