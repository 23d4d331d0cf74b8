"""What a worker left in its outbox, checked, and published by rename (Z-013, D-112).

A kill between the rename and the record of it is harmless: what is published already is checked
again in its place, and published no second time.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from okstra_ctl.dispatch.outcome import INVALID, MISSING, Product
from okstra_ctl.dispatch.records import Record
from okstra_ctl.dispatch.run_files import RunFiles
from okstra_kernel import UserError, iso_time, plain_file, store

if TYPE_CHECKING:
    from okstra_ctl.evidence.result import Result
    from okstra_ctl.evidence.reverify import Reverification

LIMIT = 32 << 20  # bytes of a result


def places(record: Record) -> list[tuple[str, str]]:
    """Return (outbox, published) of result and audit sidecar, relative to the project."""
    json = record["resultPath"].endswith(".json")
    result = "result.data.json" if json else "result.md"
    outbox = record["outbox"]
    return [
        (f"{outbox}/{result}", record["resultPath"]),
        (f"{outbox}/audit.md", record["workerResultPath"]),
    ]


def check(run: RunFiles, record: Record) -> Product:
    """Return whether result and audit sidecar are sound; they stay where they are."""
    # Not before workers run: they are not to wait for it.
    from okstra_ctl.dispatch import answer_files, report_files

    answer: Result | Reverification | None = None
    for at, published in places(record):
        path = at if os.path.isfile(run.path(at)) else ""
        if not path and _is_of(run, record, published):
            path = published
        if not path:
            return Product(MISSING, f"not there: {at}")
        try:
            data = _content(run, path)
            if at.endswith("audit.md"):
                found = answer_files.sidecar(run, record, data, answer)
            elif at.endswith(".json"):
                found = report_files.check(run, data, path)
            else:
                found, answer = answer_files.result(run, record, data)
        except (UserError, OSError) as err:
            return Product(INVALID, str(err))
        if found.fault:
            return found
    return Product("")


def _content(run: RunFiles, path: str) -> bytes:
    """Return what a worker left. Raises UserError for a link, and for what is too large."""
    store.refuse_links(run.root, path)
    if os.path.getsize(run.path(path)) > LIMIT:  # not read at all
        raise UserError(f"larger than {LIMIT >> 20} MiB: {path}")
    return plain_file.read(run.path(path), path, limit=LIMIT)


def _is_of(run: RunFiles, record: Record, published: str) -> bool:
    """Tell whether a published file is this start's: written since it began, not an earlier one's.

    A rename keeps the time at which the worker wrote it.
    """
    try:
        written = os.stat(run.path(published)).st_mtime
    except OSError:
        return False
    return written >= iso_time.parse(record["startedAt"])


def publish(run: RunFiles, record: Record) -> list[str]:
    """Give a sound result its published names. Return the completion paths that are not there."""
    for at, published in places(record):
        if os.path.isfile(run.path(at)):
            store.move(run.root, at, published)
    return [path for path in record["completionPaths"] if not os.path.isfile(run.path(path))]
