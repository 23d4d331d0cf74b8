"""The engine `local/lint`: what linters and parsers of others say of a file (H-030).

pyflakes on Python; JSON, YAML, TOML are parsed; marks that a merge left. What shellcheck says of a
script comes in from `shellcheck_process`. Pure: it starts nothing and opens nothing.
"""

from __future__ import annotations

import re
import sys
from typing import Any, Sequence

from okstra_ctl.local import file_kind, line_text
from okstra_ctl.local.hit import SYNTAX, UNDEFINED, UNUSED, Hit, Look

NO_TOML = "TOML files are not parsed: that needs Python 3.11 or newer"

_TOPICS = {
    "UndefinedName": UNDEFINED,
    "UndefinedLocal": UNDEFINED,
    "UndefinedExport": UNDEFINED,
    "UnusedImport": UNUSED,
    "UnusedVariable": UNUSED,
    "UnusedAnnotation": UNUSED,
}
_MAJOR = re.compile(
    r"Undefined\w+|DuplicateArgument|\w+OutsideFunction|\w+OutsideLoop|\w*Syntax\w*"
)
_MINOR = re.compile(r"\w*Format\w+|RaiseNotImplemented|IfTuple|AssertTuple|IsLiteral|MultiValue\w+")
_BLIND = ("ImportStarUsed", "ImportStarUsage")  # they say that pyflakes cannot judge
_CONFLICT = (re.compile(r"<{7} \S"), re.compile(r"={7}$"), re.compile(r">{7} \S"))


def look(path: str, data: bytes) -> Look:
    """Return what stands wrong in a file, in the order of its lines. Never raises."""
    texts = line_text.lines(data)
    if not texts:
        return Look()
    kind = file_kind.kind(path, data)
    found, notes = _CHECKS[kind](path, data, texts) if kind in _CHECKS else ([], [])
    hits = sorted([*_conflicts(path, texts), *found], key=lambda hit: (hit.start, hit.title))
    return Look(tuple(hits), tuple(notes))


_Found = tuple[list[Hit], list[str]]


def _python(path: str, data: bytes, texts: Sequence[str]) -> _Found:
    import ast

    from pyflakes import checker  # type: ignore[import-untyped]

    try:
        tree = ast.parse(data, filename=path)
        messages = checker.Checker(tree, filename=path).messages
    except SyntaxError as err:
        return [_broken(path, err.lineno, texts, "pyflakes", err.msg, "Python")], []
    except ValueError as err:  # a NUL
        return [_broken(path, 1, texts, "pyflakes", str(err), "Python")], []
    except (RecursionError, MemoryError):
        return [], [f"{path}: nested too deeply"]
    ends = _import_ends(tree)
    telling = [one for one in messages if type(one).__name__ not in _BLIND]
    hits = [_message(path, one, texts, ends) for one in telling if 0 < one.lineno <= len(texts)]
    blind = [f"{path}: pyflakes cannot see what its star imports bind"]
    return list(dict.fromkeys(hits)), blind if len(telling) < len(messages) else []


def _message(path: str, message: Any, texts: Sequence[str], ends: dict[int, int]) -> Hit:
    name = type(message).__name__
    said = line_text.shown(str(message.message % message.message_args))
    args = [one for one in message.message_args if isinstance(one, str)]
    names = re.findall(r"\w+(?:\.\w+)*", args[0]) if args else []
    parts = [part for one in names for part in (one, *one.split("."))]
    severity, kind = "info", "improvement"
    if _MAJOR.fullmatch(name):
        severity, kind = "major", "defect"
    elif _MINOR.fullmatch(name):
        severity, kind = "minor", "defect"
    topic = _TOPICS.get(name, "")
    end = ends.get(message.lineno, message.lineno) if name == "UnusedImport" else message.lineno
    advice = {
        UNDEFINED: "Bind the name, or correct its spelling.",
        UNUSED: "Take it out, or use it.",
    }.get(topic, "Correct what pyflakes names.")
    return Hit(
        path,
        message.lineno,
        min(end, len(texts)),
        topic,
        tuple(dict.fromkeys(parts)),
        f"pyflakes: {said}",
        f"pyflakes reports: {said}.{line_text.reads(texts, message.lineno)}",
        severity,
        kind,
        advice,
    )


def _import_ends(tree: Any) -> dict[int, int]:
    """Return the last line of each import by its first: an import may take several."""
    import ast

    nodes = (one for one in ast.walk(tree) if isinstance(one, (ast.Import, ast.ImportFrom)))
    return {node.lineno: node.end_lineno or node.lineno for node in nodes}


def _json(path: str, data: bytes, texts: Sequence[str]) -> _Found:
    import json

    try:
        json.JSONDecoder().decode(data.decode("utf-8-sig"))
    except json.JSONDecodeError as err:
        return [_broken(path, err.lineno, texts, "a JSON parser", err.msg, "JSON")], []
    except UnicodeDecodeError as err:
        line = data.count(b"\n", 0, err.start) + 1
        return [_broken(path, line, texts, "a JSON parser", "not UTF-8", "JSON")], []
    except (RecursionError, ValueError):  # also a number of too many digits
        return [], [f"{path}: nested too deeply, or a number too long"]
    return [], []


def _yaml(path: str, data: bytes, texts: Sequence[str]) -> _Found:
    """Parse its events alone: no tag is known, no alias is followed, nothing is built."""
    import yaml

    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    try:
        for _ in yaml.parse(data, Loader=loader):
            pass
    except yaml.YAMLError as err:
        mark = getattr(err, "problem_mark", None)
        said = getattr(err, "problem", None) or getattr(err, "reason", None) or "not readable"
        line = mark.line + 1 if mark else 1
        return [_broken(path, line, texts, "a YAML parser", str(said), "YAML")], []
    except (RecursionError, ValueError):
        return [], [f"{path}: nested too deeply"]
    return [], []


def _toml(path: str, data: bytes, texts: Sequence[str]) -> _Found:
    if sys.version_info < (3, 11):
        return [], [NO_TOML]
    import importlib

    tomllib = importlib.import_module("tomllib")  # not in Python 3.10
    try:
        tomllib.loads(data.decode("utf-8"))
    except tomllib.TOMLDecodeError as err:
        found = re.search(r"\(at line (\d+)", str(err))
        said = str(err).partition(" (at ")[0]
        line = int(found[1]) if found else len(texts)
        return [_broken(path, line, texts, "a TOML parser", said, "TOML")], []
    except UnicodeDecodeError as err:
        line = data.count(b"\n", 0, err.start) + 1
        return [_broken(path, line, texts, "a TOML parser", "not UTF-8", "TOML")], []
    except (RecursionError, ValueError):
        return [], [f"{path}: nested too deeply"]
    return [], []


def _broken(
    path: str, line: int | None, texts: Sequence[str], who: str, said: str, what: str
) -> Hit:
    number = line_text.clamped(line, texts)
    said = line_text.shown(said)
    return Hit(
        path,
        number,
        number,
        SYNTAX,
        (),
        f"Not {what}: {said}",
        f"{who[0].upper() if who[0] == 'a' else who[0]}{who[1:]} cannot read the file as {what}: "
        f"{said}.{line_text.reads(texts, number)}",
        "major",
        "defect",
        f"Make the file {what} again.",
    )


def _conflicts(path: str, texts: Sequence[str]) -> list[Hit]:
    """Return a hit for each three marks that stand in their order."""
    hits = []
    seen: list[int] = []
    for number, text in enumerate(texts, 1):
        text = text[:80].rstrip("\r")
        if _CONFLICT[0].match(text):
            seen = [number]
        elif seen and len(seen) < 3 and _CONFLICT[len(seen)].match(text):
            seen.append(number)
            if len(seen) == 3:
                hits.append(_conflict(path, seen[0], number))
                seen = []
    return hits


def _conflict(path: str, start: int, end: int) -> Hit:
    return Hit(
        path,
        start,
        end,
        SYNTAX,
        (),
        "A merge left its conflict marks",
        "These lines begin and end with the marks that git writes around what it could not merge.",
        "major",
        "defect",
        "Decide between the two sides and take the marks out.",
    )


_CHECKS = {
    file_kind.PYTHON: _python,
    file_kind.JSON: _json,
    file_kind.YAML: _yaml,
    file_kind.TOML: _toml,
}
