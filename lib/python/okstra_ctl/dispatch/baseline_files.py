"""The user's checkout before a dispatch, and what a turn changed in it (Z-092, D-276)."""

from __future__ import annotations

import contextlib
import functools
import os
from typing import Any, Callable

from okstra_ctl.dispatch.run_files import RunFiles
from okstra_kernel import UserError, checkout_digest, git_process, store, strict_json
from okstra_project.dirs import OKSTRA_DIR_NAME, task_relative
from okstra_project.root import checkout_top

SHOWN = 5  # paths that are named; the patch has all

Seen = Callable[[], dict[str, str]]


def record(run: RunFiles, kind: str) -> str:
    """Write down what the checkout looks like. Return the file, relative; empty without git.

    One look does for all jobs that are entered together: none of them has begun.
    """
    if not checkout_top(run.root):
        return ""
    path = run.file("state", f"checkout-{kind}", ".json")
    store.write_json(run.root, path, {"schemaVersion": 1, "files": _now(run)})
    return path


def _now(run: RunFiles) -> dict[str, str]:
    return checkout_digest.of(run.root, leave_out=OKSTRA_DIR_NAME)


def later(run: RunFiles) -> Seen:
    """Return what looks at the checkout when first asked, and then says the same again.

    It shows what a turn changed only if it is asked after that turn was seen to have ended.
    """
    return functools.lru_cache(1)(lambda: _now(run))


def touched(run: RunFiles, path: str, seen: Seen) -> list[str]:
    """Return what changed in the checkout since it was written down, sorted.

    The file that this process prints to is no worker's change: `okstra drive >log` may stand there.
    """
    if not path:
        return []
    before: dict[str, Any] = strict_json.read(run.path(path)).record("files").members
    changed = checkout_digest.difference(before, seen())
    return [name for name in changed if not _is_own_output(run.path(name))]


def _is_own_output(path: str) -> bool:
    for stream in (1, 2):
        with contextlib.suppress(OSError):
            if os.path.samestat(os.stat(path), os.fstat(stream)):
                return True
    return False


def keep(run: RunFiles, worker_id: str, kind: str, changed: list[str]) -> str:
    """Keep the change as a patch and a list. Return a sentence that names both (Z-040)."""
    base = f"{task_relative(run.key.group, run.key.id)}/salvage/{kind}-{worker_id}-{run.seq}"
    words = ("--no-ext-diff", "--no-textconv", "--no-color", "--binary", "HEAD")
    patch = git_process.run(run.root, "diff", *words)
    if patch.status < 0:  # killed: what it said is not the whole change
        raise UserError(f"git diff ended by signal {-patch.status} in {run.root}")
    store.write(run.root, f"{base}.patch", patch.out.encode("utf-8", "surrogateescape"))
    listed = "\n".join(changed) + "\n"
    store.write(run.root, f"{base}.files.txt", listed.encode())
    named = ", ".join(changed[:SHOWN]) + (", …" if len(changed) > SHOWN else "")
    return f"changed: {named}; kept in {base}.patch"
