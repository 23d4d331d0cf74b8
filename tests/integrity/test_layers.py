"""A folder imports only from the rows above it: the table in docs/architecture.md, held."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Iterator

import pytest

ROOT = Path(__file__).parents[2]
PYTHON = ROOT / "lib/python"
MODULES = sorted(path for path in PYTHON.rglob("*.py") if path.parent != PYTHON)


def rows() -> dict[str, int]:
    """Return the row of each folder, as the table in docs/architecture.md has it."""
    text = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    found = re.findall(r"^\| (\d+) \| (`.*?) \|", text, re.MULTILINE)
    return {name: int(row) for row, names in found for name in re.findall(r"`(\w+)/`", names)}


ROWS = rows()


def folder(name: str) -> str:
    """Return what the table calls the folder of a dotted module name."""
    parts = name.split(".")
    if parts[0] == "okstra_ctl":
        return parts[1] if len(parts) > 1 else "okstra_ctl"
    return parts[0]


def imports(path: Path) -> Iterator[tuple[int, str]]:
    """Yield line and name of each of our modules that a module imports, wherever in it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: a relative import"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            names = [node.value] if re.fullmatch(r"okstra_\w+(\.\w+)+", node.value) else []
        else:
            continue
        yield from ((node.lineno, name) for name in names if name.startswith("okstra_"))


def test_the_table_has_every_folder() -> None:
    found = {folder(".".join(p.relative_to(PYTHON).with_suffix("").parts)) for p in MODULES} - {
        "__init__",
        "cli",
    }
    assert found <= set(ROWS)
    assert len(ROWS) >= 25


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(PYTHON)))
def test_a_module_imports_from_rows_above_alone(path: Path) -> None:
    parts = path.relative_to(PYTHON).with_suffix("").parts
    own = folder(".".join(parts))
    for line, name in imports(path):
        other = folder(name)
        if parts[:2] == ("okstra_ctl", "cli"):
            assert other == "okstra_kernel", f"{path}:{line}: cli.py stands on the kernel alone"
        elif other != own:
            assert other in ROWS, f"{path}:{line}: {name} is for the files in bin/"
            assert ROWS[other] < ROWS[own], f"{path}:{line}: {own} imports {name}, not above it"


def test_the_bootstrap_imports_nothing_of_okstra() -> None:
    assert list(imports(PYTHON / "okstra_boot.py")) == []
