"""The schema that a report writer works against: the full one, less other tasks' parts (R-012).

What satisfies an excerpt satisfies the full schema: members are only taken away from a closed
object, and one more is demanded. Pure.
"""

from __future__ import annotations

import re
from typing import Any, Iterator

from okstra_kernel import schemas

ABOUT = "x-okstra"  # the schema's member that is for okstra itself
VERSION = 1  # of this file, as of every artifact (Z-062)
WITHOUT_DATA = ("improvement-discovery",)  # its report is Markdown alone (Z-103)

Members = dict[str, Any]


def for_task(task_type: str, full: Members) -> Members:
    """Return the excerpt of a task type. `full`: the full schema."""
    deliverables: dict[str, str] = full[ABOUT]["deliverables"]
    own = deliverables.get(task_type, "")
    others = set(deliverables.values()) - {own}
    properties = {name: rule for name, rule in full["properties"].items() if name not in others}
    properties["taskType"] = {"const": task_type}
    required = [*full["required"], *([own] if own else [])]
    found = {**full, "properties": properties, "required": required}
    found.pop(ABOUT)
    return {**found, "$defs": _used(found)}


def text(task_type: str) -> bytes:
    """Return the excerpt as its file has it; empty for a task type whose report has no data.

    Raises UserError where okstra's schema is missing.
    """
    from okstra_ctl.reportdata.report import SCHEMA

    if task_type in WITHOUT_DATA:
        return b""
    found = {"schemaVersion": VERSION, **for_task(task_type, schemas.schema(SCHEMA))}
    return f"{{{','.join(_lines(found))}}}\n".encode()


def _lines(schema: Members) -> Iterator[str]:
    """Yield the members of a schema, those of the large ones a line each: tokens are money."""
    import json

    pack = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
    for name, value in schema.items():
        if name in ("properties", "$defs"):
            inner = ",\n".join(f"{pack(key)}:{pack(rule)}" for key, rule in value.items())
            yield f"\n{pack(name)}:{{\n{inner}}}"
        else:
            yield f"\n{pack(name)}:{pack(value)}"


def _used(schema: Members) -> Members:
    """Return the definitions that the members refer to, and those that these refer to."""
    known: Members = schema["$defs"]
    found: set[str] = set()
    fresh = set(_references(schema["properties"]))
    while fresh:
        found |= fresh
        fresh = {one for name in fresh for one in _references(known[name])} - found
    return {name: rule for name, rule in known.items() if name in found}


def _references(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for name, inner in value.items():
            if name == "$ref":
                yield re.sub(r"^#/\$defs/", "", inner)
            else:
                yield from _references(inner)
    if isinstance(value, list):
        for inner in value:
            yield from _references(inner)
