"""Hides `.okstra/` from git without touching a tracked file (Z-105, P-036).

One marked block in the repository's own `info/exclude`, with a line for each project in it; none
where git already ignores or tracks the folder.
"""

from __future__ import annotations

import os
import re

from okstra_kernel import UserError, git_process, store
from okstra_project.dirs import OKSTRA_DIR_NAME
from okstra_project.root import checkout_top

BEGIN = "# okstra: begin"
END = "# okstra: end"


def with_line(text: str, line: str) -> str:
    """Return the file's text with a line in the block, which is made at the end if need be."""
    if line in text.split("\n"):
        return text
    if f"{BEGIN}\n" in text:
        return text.replace(f"{BEGIN}\n", f"{BEGIN}\n{line}\n", 1)
    gap = "" if not text or text.endswith("\n") else "\n"
    return f"{text}{gap}{BEGIN}\n{line}\n{END}\n"


def pattern(prefix: str) -> str:
    """Return the pattern for a project at `prefix` (as git has it: empty, or ending in `/`)."""
    literal = re.sub(r"([*?[\\ ])", r"\\\1", prefix)
    return f"/{literal}{OKSTRA_DIR_NAME}/"


def hide(project_root: str) -> str:
    """Add the line if it is needed. Return the file that was changed, or an empty text."""
    if not checkout_top(project_root):
        return ""
    words = ("rev-parse", "--git-common-dir", "--show-prefix")
    answer = git_process.run(project_root, *words)
    folder, _, prefix = answer.out.partition("\n")
    if answer.status or not folder:
        return ""
    folder = os.path.realpath(os.path.join(project_root, folder))
    path = os.path.join(folder, "info", "exclude")
    before = _text(path)
    after = with_line(before, pattern(prefix.rstrip("\n")))
    if after == before or _known(project_root):  # git is asked last: it is the dearest
        return ""
    store.write(folder, "info/exclude", after.encode("utf-8", "surrogateescape"))
    return path


def _known(project_root: str) -> bool:
    """Tell whether git ignores the folder, or has files of it."""
    ignored = git_process.run(project_root, "check-ignore", "-q", f"{OKSTRA_DIR_NAME}/").status == 0
    return ignored or bool(git_process.line(project_root, "ls-files", "--", OKSTRA_DIR_NAME))


def _text(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="surrogateescape", newline="") as stream:
            return stream.read()
    except FileNotFoundError:
        return ""
    except OSError as err:
        raise UserError(f"{path}: {err.strerror}") from err
