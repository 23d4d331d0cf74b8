"""What each artifact looks like: `validators/schemas/<name>.schema.json` (Z-062, R-127).

A schema's member `x-okstra` says by which file names and members an artifact is recognised, and
whether a file of it holds one in each line. A new artifact needs a new schema and no code.
"""

from __future__ import annotations

import fnmatch
import functools
import os
from typing import TYPE_CHECKING, Any, Callable, Iterable, NamedTuple

from okstra_kernel import UserError, assets, schema_fault, strict_json

if TYPE_CHECKING:
    from jsonschema import ValidationError

FOLDER = ("validators", "schemas")
SUFFIX = ".schema.json"
_ANY = "project" + SUFFIX  # what shows where the folder is


class Kind(NamedTuple):
    """How an artifact is recognised."""

    name: str
    files: list[str]  # patterns of the file's name
    marks: list[str]  # members that together no other artifact has; none: only by file name
    rows: bool  # one artifact in each line


def names() -> list[str]:
    """Return the names of the schemas, sorted. Raises UserError if they are missing."""
    folder = os.path.dirname(assets.path(*FOLDER, _ANY))
    return sorted(n.removesuffix(SUFFIX) for n in os.listdir(folder) if n.endswith(SUFFIX))


def schema(name: str) -> dict[str, Any]:
    """Return a schema by its name. Raises UserError."""
    return strict_json.read(assets.path(*FOLDER, name + SUFFIX)).members


def kinds() -> list[Kind]:
    """Return how each artifact is recognised, by name."""
    return [_kind(name) for name in names()]


def recognise(path: str) -> str:
    """Return the name of a file's schema: by the file's name, else by its content.

    Raises UserError, naming the known kinds, for a file that is none of them.
    """
    known = kinds()
    found = by_file(path, known) or by_content(_first(path), known)
    if not found:
        raise UserError(f"not an artifact of okstra: {path}; known: {', '.join(names())}")
    return found


def by_file(path: str, known: list[Kind]) -> str:
    """Return the kind whose file names fit, the longest pattern first; else an empty text."""
    name = os.path.basename(path)
    fitting = [
        (len(p), kind.name) for kind in known for p in kind.files if fnmatch.fnmatchcase(name, p)
    ]
    return max(fitting)[1] if fitting else ""


def by_content(members: dict[str, Any], known: list[Kind]) -> str:
    """Return the kind whose marks are all there, the one with most marks first; else ''."""
    fitting = [kind for kind in known if kind.marks and all(mark in members for mark in kind.marks)]
    return max(fitting, key=lambda kind: len(kind.marks)).name if fitting else ""


def check(value: Any, name: str) -> list[str]:
    """Return what is wrong with an artifact, a line each: path, expected, found. Empty: nothing.

    Of another generation only that is said (Z-112): its members are not judged.
    """
    known, faults_of = _rules(name)
    if isinstance(value, dict) and "schemaVersion" in value:
        found = value["schemaVersion"]
        if found != known or type(found) is not type(known):
            shown = schema_fault.shown(found)
            return [f"$.schemaVersion: this okstra reads {name} {known}, found {shown}"]
    return sorted(line for fault in faults_of(value) for line in schema_fault.lines(fault))


def require(value: Any, name: str, source: str) -> None:
    """Raise UserError with the first thing that is wrong with an artifact, if any."""
    for line in check(value, name)[:1]:
        raise UserError(f"{source}: {line}")


@functools.lru_cache(None)
def _rules(name: str) -> tuple[int, Callable[[Any], Iterable[ValidationError]]]:
    """Return the version that a schema is for, and what finds violations of it."""
    from jsonschema import Draft202012Validator

    rules = schema(name)
    return rules["properties"]["schemaVersion"]["const"], Draft202012Validator(rules).iter_errors


def _kind(name: str) -> Kind:
    about = strict_json.Record(schema(name).get("x-okstra", {}), f"{name}{SUFFIX}: $.x-okstra")
    return Kind(name, about.texts("files"), about.texts("marks"), about.flag("rows", False))


def _first(path: str) -> dict[str, Any]:
    """Return the members of a file's object, or of its first row; none if it is neither."""
    from okstra_kernel import jsonl

    try:
        return strict_json.read(path).members
    except UserError:
        for row in jsonl.each(path):
            return {} if isinstance(row, str) else row.members
    return {}
