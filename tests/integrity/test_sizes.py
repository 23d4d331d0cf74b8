"""Rooms stay small enough to be seen whole (design: style)."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PYTHON = [*ROOT.glob("lib/python/**/*.py"), *ROOT.glob("validators/*.py")]
LONGEST = [(ROOT.glob("bin/*"), 120), (ROOT.glob("lib/okstra/*"), 300), (iter(PYTHON), 300)]


@pytest.mark.parametrize(("files", "longest"), LONGEST, ids=["bin", "lib/okstra", "python"])
def test_files_are_short(files: list[Path], longest: int) -> None:
    counts = {str(p.relative_to(ROOT)): len(p.read_text("utf-8").splitlines()) for p in files}
    assert counts
    assert {name: n for name, n in counts.items() if n > longest} == {}


def test_functions_are_short() -> None:
    long = []
    for path in PYTHON:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                lines = (node.end_lineno or node.lineno) - node.lineno + 1
                if lines > 60:
                    long.append(f"{path.relative_to(ROOT)}:{node.lineno} {node.name}: {lines}")
    assert long == []


def test_no_module_is_named_for_nothing() -> None:
    nothing = {"utils", "util", "helpers", "helper", "common", "manager", "misc"}
    assert [str(path) for path in PYTHON if path.stem in nothing] == []
