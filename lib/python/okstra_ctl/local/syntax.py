"""The engine `local/syntax`: what the languages' own front ends say of a file (H-030).

Python is parsed and its names are resolved by `symbols`; JSON is parsed. What `bash -n` and
`node --check` say comes in from `syntax_process`. It shares no judgement with `local/lint`, so that
two that agree are two. Pure: it starts nothing and opens nothing.
"""

from __future__ import annotations

import sys

from okstra_ctl.local import file_kind, line_text, symbols
from okstra_ctl.local.hit import SYNTAX, UNDEFINED, UNUSED, Hit, Look


def look(path: str, data: bytes) -> Look:
    """Return what stands wrong in a file, in the order of its lines. Never raises."""
    texts = line_text.lines(data)
    kind = file_kind.kind(path, data) if texts else ""
    if kind == file_kind.PYTHON:
        return _python(path, data, texts)
    if kind == file_kind.JSON:
        return _json(path, data, texts)
    return Look()


def rejected(path: str, line: int | None, texts: list[str], who: str, said: str) -> Hit:
    """Return what a front end said of the line at which it gave up."""
    number = line_text.clamped(line, texts)
    said = line_text.shown(said).rstrip(".").removeprefix("syntax error: ")
    return Hit(
        path,
        number,
        number,
        SYNTAX,
        (),
        f"Syntax error: {said}",
        f"{who} gives up here: {said}.{line_text.reads(texts, number)}",
        "major",
        "defect",
        "Correct the syntax at this line or just before it.",
    )


def _python(path: str, data: bytes, texts: list[str]) -> Look:
    import ast
    import symtable

    who = f"Python {sys.version_info[0]}.{sys.version_info[1]}"
    try:
        tree = compile(data, path, "exec", ast.PyCF_ONLY_AST, dont_inherit=True)
        assert isinstance(tree, ast.Module)
        compile(tree, path, "exec", dont_inherit=True)  # what no tree shows; it is not run
        found = symbols.resolve(tree, symtable.symtable(_text(data), path, "exec"))
    except SyntaxError as err:
        return Look((rejected(path, err.lineno, texts, who, err.msg or "invalid syntax"),))
    except (ValueError, UnicodeError) as err:  # a NUL
        return Look((rejected(path, 1, texts, who, str(err)),))
    except (RecursionError, MemoryError):
        return Look(notes=(f"{path}: nested too deeply",))
    hits = [_name(path, one, texts) for one in found.problems if one.end <= len(texts)]
    against = {f"{topic} {name} {line}": by for topic, name, line, by in found.settled}
    return Look(tuple(hits), (), against)


def _text(data: bytes) -> str:
    """Return Python source as text, in the encoding that it declares. Raises SyntaxError."""
    import io
    import tokenize

    encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
    return data.decode(encoding)


def _name(path: str, found: symbols.Problem, texts: list[str]) -> Hit:
    reads = line_text.reads(texts, found.line)
    name, place = found.name, (path, found.line, found.end)
    if found.topic == UNDEFINED:
        title = f"Nothing binds the name '{name}'"
        said = f"The symbol table has no binding of '{name}' that this use could mean, so it is "
        said += f"not defined when the line runs: NameError.{reads}"
        advice = "Bind the name, or write the one that was meant."
        return Hit(*place, UNDEFINED, (name,), title, said, "major", "defect", advice)
    if found.imported:
        title = f"The import of '{name}' serves nothing"
        said = f"The symbol table shows '{name}' imported and never used in its scope.{reads}"
    else:
        title = f"'{name}' is assigned and never read"
        said = f"The symbol table shows the local '{name}' unused: assigned, never read.{reads}"
    advice = "Remove it, or use it."
    return Hit(*place, UNUSED, (name,), title, said, "info", "improvement", advice)


def _json(path: str, data: bytes, texts: list[str]) -> Look:
    import json

    def refuse(word: str) -> float:
        raise ValueError(f"{word} is no JSON number")

    try:
        json.JSONDecoder(parse_constant=refuse).decode(str(data, "utf-8"))
    except json.JSONDecodeError as err:
        return Look((rejected(path, err.lineno, texts, "Parsing it as JSON", err.msg),))
    except UnicodeDecodeError as err:
        line = data[: err.start].count(b"\n") + 1
        return Look((rejected(path, line, texts, "Parsing it as JSON", "a byte is not UTF-8"),))
    except (RecursionError, ValueError) as err:
        return Look(notes=(f"{path}: {line_text.shown(str(err))}",))
    return Look()
