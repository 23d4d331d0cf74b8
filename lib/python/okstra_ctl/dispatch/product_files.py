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
from okstra_kernel import UserError, iso_time, plain_file, store, strict_json

if TYPE_CHECKING:
    from okstra_ctl.evidence.front_matter import Identity

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
    """Return whether the result is sound; it stays where it is."""
    for at, published in places(record):
        path = at if os.path.isfile(run.path(at)) else ""
        if not path and _is_of(run, record, published):
            path = published
        if not path:
            return Product(MISSING, f"not there: {at}")
        if at.endswith("audit.md"):
            try:
                store.refuse_links(run.root, path)
            except UserError as err:
                return Product(INVALID, str(err))
            continue
        fault = _result(run, record, path)
        if fault.fault:
            return fault
    return Product("")


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


def _result(run: RunFiles, record: Record, path: str) -> Product:
    from okstra_ctl.evidence import contract  # not before workers run: they are not to wait for it

    try:
        store.refuse_links(run.root, path)
        if os.path.getsize(run.path(path)) > LIMIT:
            return Product(INVALID, f"larger than {LIMIT >> 20} MiB: {path}")
        data = plain_file.read(run.path(path), path, limit=LIMIT)
    except (UserError, OSError) as err:
        return Product(INVALID, str(err))
    if path.endswith(".json"):
        try:
            strict_json.parse(data, path)
        except UserError as err:
            return Product(INVALID, str(err))
        return Product("")
    found = contract.read(data, _identity(run, record))
    first = next((f"line {one.line}: {one.message}" for one in found.violations), "")
    return Product(found.reason, first)


def _identity(run: RunFiles, record: Record) -> Identity:
    """Return who should have written the result, and for what (XI-16)."""
    from okstra_ctl.evidence.front_matter import Identity

    return Identity(
        workerId=record["workerId"],
        provider=record["provider"],
        taskKey=run.key.text,
        taskType=run.task_type,
        seq=run.seq,
        dispatchKind=record["dispatchKind"],
    )
