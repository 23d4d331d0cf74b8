"""Takes a project into use: whose it is, then its records (P-047, Z-102, Z-105).

Checked before anything is reserved for a task, written after every check has passed.
"""

from __future__ import annotations

import errno
import os
from typing import Callable

from okstra_kernel import Refusal, UserError, store
from okstra_project import git_exclude, project_json, trust_files
from okstra_project.dirs import OKSTRA_DIR_NAME, okstra_dir

Ask = Callable[[str, list[str]], bool | None]  # project, what it holds -> yes, no, nobody to ask


def check_trust(home: str, project_root: str, *, granted: bool, ask: Ask) -> str:
    """Return how trust comes about: "" for a project that has it, else the record's `via`.

    Raises Refusal for an `.okstra/` that came with a clone and that nobody here vouches for.
    """
    store.refuse_links(project_root, OKSTRA_DIR_NAME)
    if not os.path.lexists(okstra_dir(project_root)):
        return "registered"
    if trust_files.is_trusted(home, project_root):
        return ""
    if granted:
        return "--trust"
    answer = ask(project_root, trust_files.holdings(project_root))
    if answer:
        return "asked"
    reason = "nobody here can be asked" if answer is None else "the answer was no"
    raise Refusal(
        f"this project's {OKSTRA_DIR_NAME}/ is not trusted, and {reason}: {project_root}",
        next_step=f"okstra trust {project_root}",
    )


def check_writable(project_root: str) -> None:
    """Raise Refusal for a project that cannot be written to, before anything is (XF-13)."""
    place = okstra_dir(project_root)
    if not os.path.lexists(place):
        place = project_root
    if os.access(place, os.W_OK):
        return
    read_only = os.statvfs(place).f_flag & os.ST_RDONLY
    raise Refusal(
        f"cannot write {place}: {os.strerror(errno.EROFS if read_only else errno.EACCES)}"
    )


def register(home: str, project_root: str, project_id: str, via: str) -> list[str]:
    """Write `project.json`, the trust record and the exclude block. Return notices."""
    if via:
        trust_files.record(home, project_root, via)
    project_json.upsert_project_json(home, project_root, project_id)
    try:
        changed = git_exclude.hide(project_root)
    except UserError as err:  # a read-only `.git` must not stop a run (XI-19)
        return [f"{OKSTRA_DIR_NAME}/ stays visible to git: {err}"]
    return [f"okstra hides {OKSTRA_DIR_NAME}/ from git: {changed}"] if changed else []
