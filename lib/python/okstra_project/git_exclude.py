"""Hides `.okstra/` from git without touching a tracked file (Z-105, P-036).

One marked block in the repository's own `info/exclude`; none where git already ignores or tracks
the folder.
"""

from __future__ import annotations

import os

from okstra_kernel import UserError, git_process, store
from okstra_project.dirs import OKSTRA_DIR_NAME
from okstra_project.root import is_checkout

BEGIN = "# okstra: begin"
END = "# okstra: end"
BLOCK = f"{BEGIN}\n/{OKSTRA_DIR_NAME}/\n{END}\n"


def with_block(text: str) -> str:
    """Return the file's text with the block at its end, once."""
    if BEGIN in text.splitlines():
        return text
    return f"{text}{'' if not text or text.endswith(chr(10)) else chr(10)}{BLOCK}"


def hide(project_root: str) -> str:
    """Add the block if it is needed. Return the file that was changed, or an empty text."""
    if not is_checkout(project_root) or _known(project_root):
        return ""
    folder = git_process.line(project_root, "rev-parse", "--git-common-dir")
    if not folder:
        return ""
    folder = os.path.realpath(os.path.join(project_root, folder))
    path = os.path.join(folder, "info", "exclude")
    before = _text(path)
    after = with_block(before)
    if after == before:
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
