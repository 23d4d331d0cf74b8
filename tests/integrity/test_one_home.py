"""A fact has one home: its spelling stands in one module, and the others ask that module."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PYTHON = ROOT / "lib/python"

# What a text in the code must not look like, the modules that may hold it, and an example. Grow it.
HOMES = [
    (r"\.okstra(/.*)?", ["okstra_project/dirs.py"], ".okstra"),
    (r"OKSTRA_HOME", ["okstra_project/dirs.py"], "OKSTRA_HOME"),
    (
        r"(.*/)?project\.json",
        ["okstra_project/dirs.py", "okstra_project/trust_files.py"],
        ".okstra/project.json",
    ),
    (r"(.*/)?task-manifest\.json", ["okstra_project/dirs.py"], "task-manifest.json"),
    (r"\.locks", ["okstra_kernel/locks.py"], ".locks"),
    (r".*%Y-%m-%dT.*", ["okstra_kernel/iso_time.py"], "%Y-%m-%dT%H:%M:%SZ"),
    (r".*\[\^a-z0-9\._-\].*", ["okstra_project/slug.py"], "[^a-z0-9._-]+"),
    (r"BUILD\.json", ["okstra_ctl/install/layout.py"], "BUILD.json"),
    (r"install-manifest\.json", ["okstra_ctl/install/layout.py"], "install-manifest.json"),
    (r"capabilities\.json", ["okstra_ctl/providers/capabilities.py"], "capabilities.json"),
    (r"core\.(fsmonitor|hooksPath)=.*", ["okstra_kernel/git_process.py"], "core.fsmonitor=false"),
    (
        r".*okstra:result-complete.*",
        ["okstra_ctl/evidence/own_lines.py"],
        "<!-- okstra:result-complete -->",
    ),
    (r"- PROGRESS.*", ["okstra_ctl/evidence/heartbeat.py"], "- PROGRESS: "),
    (r".*Evidence ledger.*", ["okstra_ctl/evidence/audit.py"], "**Evidence ledger:** required-v1"),
    (
        r"(?i).*\d\. Reading Confirmation",
        ["okstra_ctl/evidence/document.py"],
        "0. Reading Confirmation",
    ),
    (r".*\bDATA \{token\}.*", ["okstra_kernel/fence.py"], "{edge} DATA {token} {what}"),
    (r"/dev/tty", ["okstra_kernel/terminal.py"], "/dev/tty"),
]


@cache
def texts() -> list[tuple[str, int, str]]:
    """Return module, line and value of every text in the code that is no docstring."""
    found = []
    for path in sorted(PYTHON.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        told = {
            id(node.value)
            for node in ast.walk(tree)
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        }
        for node in ast.walk(tree):
            if not isinstance(node, ast.Constant) or id(node) in told:
                continue
            if isinstance(node.value, str):
                found.append((str(path.relative_to(PYTHON)), node.lineno, node.value))
    return found


@pytest.mark.parametrize(("pattern", "homes", "example"), HOMES, ids=[row[2] for row in HOMES])
def test_a_fact_has_one_home(pattern: str, homes: list[str], example: str) -> None:
    assert re.fullmatch(pattern, example), "the row catches nothing"
    held = [(module, line) for module, line, text in texts() if re.fullmatch(pattern, text)]
    elsewhere = [f"{module}:{line}" for module, line in held if module not in homes]
    assert not elsewhere, f"ask {homes[0]} instead"
    assert held, "its home no longer holds it: the row is out of date"
