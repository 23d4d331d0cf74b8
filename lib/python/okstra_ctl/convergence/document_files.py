"""The documents of a convergence on disk, and the list of what was fed to it (C-003, Z-020, Z-043).

The list stands beside the working state: a line for each file a command took in, with its hash. It
is written before the state that comes of it, so that a state never stands without its inputs.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from typing import Any, Iterator, NamedTuple

from okstra_ctl.runs import team_state_files
from okstra_kernel import UserError, jsonl, locks, plain_file, store, strict_json
from okstra_kernel.strict_json import Record
from okstra_project import dirs
from okstra_project.slug import digest

LIMIT = strict_json.MAX_BYTES


class Document(NamedTuple):
    """A JSON file as it was read: its object, and the hash of its bytes."""

    record: Record
    path: str
    sha256: str


def read(path: str) -> Document:
    """Read a document once. Raises UserError for what is no JSON object."""
    data = content(path)
    return Document(strict_json.parse(data, path), path, sha256(data))


def content(path: str) -> bytes:
    """Return the bytes of a file. Raises UserError."""
    data = plain_file.read(path, path, limit=LIMIT)
    if len(data) > LIMIT:
        raise UserError(f"{path}: larger than {LIMIT} bytes")
    return data


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def write(path: str, value: Any) -> None:
    """Write a document whole, a row of it on each line (Z-043). Raises UserError."""
    root, below = place(path)
    store.write(root, below, store.json_rows_bytes(value))


def place(path: str) -> tuple[str, str]:
    """Return a root that is trusted, and the path below it: the project's, else the folder's."""
    try:
        return team_state_files.project_of(path)
    except UserError:
        folder, name = os.path.split(os.path.abspath(path))
        if not os.path.isdir(folder):
            raise UserError(f"no such folder: {folder}") from None
        return folder, name


def run_dir(path: str) -> str:
    """Return the folder of the run that a file in one of its folders belongs to."""
    return os.path.dirname(os.path.dirname(os.path.abspath(path)))


def relative(path: str, base: str) -> str:
    """Return a path as it is kept: from the run's folder on; absolute for one outside of it."""
    whole = os.path.abspath(path)
    return os.path.relpath(whole, base) if whole.startswith(f"{base}/") else whole


def inputs_path(work_state: str) -> str:
    """Return where the inputs of a working state are listed."""
    return f"{work_state.removesuffix('.json')}.inputs.jsonl"


def note(work_state: str, step: str, documents: dict[str, Document]) -> None:
    """Add to the list what a step takes in; relative to the run's folder. Raises UserError."""
    base = run_dir(work_state)
    rows = [
        {
            "schemaVersion": 1,
            "step": step,
            "input": name,
            "path": relative(one.path, base),
            "sha256": one.sha256,
        }
        for name, one in documents.items()
    ]
    root, below = place(inputs_path(work_state))
    jsonl.append(root, below, rows, mode=store.SHARED)


@contextlib.contextmanager
def locked(work_state: str) -> Iterator[None]:
    """Hold the lock of a working state. Raises Busy."""
    name = f"convergence-{digest(os.path.abspath(work_state))}.lock"
    with locks.hold(dirs.okstra_home(), name):
        yield


def archive(path: str, folder: str) -> str:
    """Copy a file's bytes into a folder, under its name and hash, and return the copy.

    Raises UserError where the copy cannot be written, or is not equal (C-052).
    """
    data = content(path)
    stem, dot, end = os.path.basename(path).rpartition(".")
    copy = os.path.join(folder, f"{stem}.{sha256(data)[:16]}{dot}{end}")
    root, below = place(os.path.abspath(copy))
    try:
        store.write(root, below, data)
    except UserError as err:
        raise UserError(f"{path} is not kept, so it stays: {err}") from err
    if content(copy) != data:
        raise UserError(f"{path} stays: the copy is not equal: {copy}")
    return copy
