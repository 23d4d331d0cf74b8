"""`{{INCLUDE:<file>}}` on a line of its own is replaced by that file (P-169, P-170)."""

from __future__ import annotations

import posixpath
import re
from typing import Callable

from okstra_kernel import UserError

_LINE = re.compile(r"^\{\{INCLUDE:([^{}]*)\}\}[ \t]*$", re.MULTILINE)


def expand(text: str, folder: str, read: Callable[[str], str], chain: tuple[str, ...] = ()) -> str:
    """Return the text with all files put in, those that they include, too.

    A name is relative to the folder of the file it stands in; `folder` is that of `text`, relative
    to the root of the prompts. `read` returns the text of a file by its path from that root, and
    raises UserError for one that is not there. Raises UserError, naming the chain of files, for
    that, for a file that includes itself, and for a path that leaves the root.
    """

    def put_in(found: re.Match[str]) -> str:
        name = found[1].strip()
        path = posixpath.normpath(posixpath.join(folder, name))
        here = (*chain, path)
        if not name or posixpath.isabs(name) or path.split("/")[0] == ".." or "\0" in name:
            raise UserError(f"include outside the prompts: {_shown((*chain, name))}")
        if path in chain:
            raise UserError(f"a file includes itself: {_shown(here)}")
        try:
            inner = read(path)
        except UserError as err:
            raise UserError(f"cannot include {_shown(here)}: {err}") from err
        return expand(inner, posixpath.dirname(path), read, here).rstrip("\n")

    return _LINE.sub(put_in, text)


def _shown(chain: tuple[str, ...]) -> str:
    return " -> ".join(chain)
