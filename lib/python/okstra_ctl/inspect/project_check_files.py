"""What `okstra check-project` looks at. It changes nothing, and starts git twice at most (Q-3)."""

from __future__ import annotations

import os
import shlex
import stat

from okstra_kernel import UserError, git_process
from okstra_project import catalog, project_json, trust_files
from okstra_project.dirs import OKSTRA_DIR_NAME, okstra_dir, project_json_path, tasks_dir
from okstra_project.root import checkout_top

UNTRUSTED, VISIBLE = "untrusted", "visible"


def links(root: str) -> str:
    """Return the first of the project's own places that is a link (Z-101), or an empty text."""
    places = (okstra_dir(root), project_json_path(root), tasks_dir(root))
    return next(filter(os.path.islink, places), "")


def project_id(root: str) -> str:
    """Return the project's id, or an empty text. Raises UserError with a repair."""
    path = project_json_path(root)
    try:
        return project_json.project_id(root)
    except UserError as err:
        moved = f"mv {shlex.quote(path)} {shlex.quote(path + '.broken')}"
        raise UserError(str(err), next_step=moved) from None


def trust(home: str, root: str) -> str:
    if not os.path.isdir(okstra_dir(root)):
        return "nothing to trust yet"
    return "trusted" if trust_files.is_trusted(home, root) else UNTRUSTED


def exclude(root: str) -> str:
    """Tell how git and `.okstra/` stand."""
    if not checkout_top(root):
        return "no git here"
    words = ("ls-files", "-z", "-t", "-c", "-o", "--exclude-standard", "--directory")
    answer = git_process.run(root, *words, "--", OKSTRA_DIR_NAME)
    if answer.status:
        raise UserError(f"git ls-files: {answer.err.strip()}")
    marks = {entry[:1] for entry in answer.out.split("\0") if entry}
    if marks - {"?"}:
        return "tracked by git"
    return VISIBLE if marks else "git sees nothing of .okstra/"


def home(path: str) -> tuple[str, str, str]:
    """Return state, detail and fix of okstra's home."""
    quoted = shlex.quote(path)
    try:
        found = os.stat(path)
    except FileNotFoundError:
        return "ok", f"made by the first run: {path}", ""
    except OSError as err:
        return "fail", f"{path}: {err.strerror}", ""
    if found.st_uid != os.geteuid():
        return "fail", f"belongs to another user: {path}", "export OKSTRA_HOME=<your own folder>"
    if not os.access(path, os.R_OK | os.W_OK | os.X_OK):
        return "fail", f"not writable: {path}", f"chmod 700 {quoted}"
    if stat.S_IMODE(found.st_mode) != 0o700:
        return "warn", f"open to others: {path}", f"chmod 700 {quoted}"
    return "ok", path, ""


def tasks(root: str) -> tuple[int, list[tuple[str, str]]]:
    """Return how many tasks there are, and fault and repair of each that cannot be read."""
    count, broken = 0, []
    for task in catalog.tasks(root):
        count += 1
        if task.manifest is None:
            broken.append((task.fault, catalog.repair(task.root)))
    return count, broken
