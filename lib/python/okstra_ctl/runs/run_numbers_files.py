"""Looks up which run numbers are in use: in the run's folders and in the index (P-176)."""

from __future__ import annotations

import os

from okstra_ctl.runs import index_files, run_numbers
from okstra_ctl.runs.run_ref import ARCHIVE, CATEGORIES, run_dir
from okstra_kernel import UserError
from okstra_project.slug import slugify
from okstra_project.task_key import TaskKey

OVERRIDE = "OKSTRA_RUN_SEQ_OVERRIDE"


def next_run_seq(home: str, project_root: str, key: TaskKey, task_type: str) -> str:
    """Return the next run's number. The caller holds the task's lock. Raises UserError."""
    base = os.path.join(project_root, run_dir(key, task_type, None))
    names = [name for folder in (*CATEGORIES.values(), ARCHIVE) for name in _names(base, folder)]
    numbers = run_numbers.used(names, slugify(task_type))
    return run_numbers.following([*numbers, *index_files.numbers(home, key.text, task_type)])


def override(text: str) -> str:
    """Read the number a test has reserved; empty if there is none. Raises UserError (L-094)."""
    word = text.strip()
    if not word:
        return ""
    if not (word.isascii() and word.isdigit() and len(word) <= 9 and int(word) > 0):
        raise UserError(f"not a run number: {OVERRIDE}={text}")
    return run_numbers.show(int(word))


def _names(base: str, folder: str) -> list[str]:
    try:
        return os.listdir(os.path.join(base, folder))
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as err:
        raise UserError(f"{base}/{folder}: {err.strerror}") from err
