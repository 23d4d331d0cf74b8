"""A final report's data.json: what is right with it, and its names and bytes (R-001, R-010, R-011).

The data is what people approve and what every other form is made of; nothing is read back from
Markdown or HTML.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any, NamedTuple

from okstra_ctl.reportdata import rules
from okstra_kernel import UserError, plain_file, schemas, store, strict_json

SCHEMA = "final-report-v2.0"
VERSION = "2.0"
DATA, MARKDOWN, HTML = ".data.json", ".md", ".html"  # what the three forms end in
LIMIT = 32 << 20  # bytes

Members = dict[str, Any]


class Report(NamedTuple):
    """A report's data as it was read. `sha256`: of its bytes, for what is made of them."""

    data: Members
    path: str
    sha256: str


def faults(data: Any) -> list[str]:
    """Return what is wrong with a report's data, a line each; empty: nothing.

    First its shape; only what has the right shape is held against the rules between its members.
    """
    return schemas.check(data, SCHEMA) or rules.faults(data)


def load(path: str) -> Report:
    """Read a report's data. Raises UserError with all that is wrong, another version by name."""
    raw = plain_file.read(path, path, limit=LIMIT)
    if len(raw) > LIMIT:
        raise UserError(f"{path}: larger than {LIMIT >> 20} MiB")
    data = strict_json.parse(raw, path).members
    found = faults(data)
    if found:
        raise UserError(f"{path}: {found[0]}", details=found[1:])
    return Report(data, path, hashlib.sha256(raw).hexdigest())


def data_path(path: str) -> str:
    """Return the data.json that a report's path, in any of its forms, stands for (R-048).

    Raises UserError for a path that is none of the three.
    """
    for end in (DATA, MARKDOWN, HTML):
        if path.endswith(end):
            return path.removesuffix(end) + DATA
    raise UserError(f"neither a report's {DATA} nor its {MARKDOWN}: {path}")


def sibling(path: str, end: str) -> str:
    """Return another form of a report, beside its data.json."""
    return data_path(path).removesuffix(DATA) + end


def file_bytes(data: Members) -> bytes:
    """Return the data as its file has it: the same bytes for the same data."""
    return store.json_bytes(data)


def canonical_bytes(data: Members) -> bytes:
    """Return the data without blanks, its members in the order of their names (Z-030)."""
    return json.dumps(
        data, ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":")
    ).encode("utf-8", "surrogatepass")
