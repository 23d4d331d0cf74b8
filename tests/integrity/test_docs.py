"""Every command has a test and its place in the pages; the pages are fresh."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
COMMANDS = sorted({*ROOT.glob("bin/okstra-*"), *ROOT.glob("bin/okstra.sh")})
# Those whose tests go through all commands at once.
TESTED_TOGETHER = {"okstra-help": "usage", "okstra-version": "usage"}


def test_the_page_of_commands_is_fresh() -> None:
    run = subprocess.run(
        [sys.executable, ROOT / "docs/generate_commands.py", "--check"],
        capture_output=True,
        encoding="utf-8",
    )
    assert (run.returncode, run.stderr) == (0, "")


@pytest.mark.parametrize("path", COMMANDS, ids=lambda path: path.name)
def test_a_command_has_a_test_and_a_row(path: Path) -> None:
    page = (ROOT / "docs/commands.md").read_text(encoding="utf-8")
    if not path.name.endswith("-exec.sh"):
        shown = path.name if path.suffix else path.name.replace("okstra-", "okstra ", 1)
        assert f"| [`{shown}`](#" in page and f"\n### {shown}\n" in page
    name = TESTED_TOGETHER.get(path.name, path.name.removeprefix("okstra-"))
    if name.endswith("-exec.sh"):
        name = "worker-exec"
    assert (ROOT / f"tests/bats/{name}.bats").is_file()


@pytest.mark.parametrize(
    "name", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "LICENSE", "docs/architecture.md"]
)
def test_a_page_leads_nowhere_that_is_not_there(name: str) -> None:
    import re

    page = ROOT / name
    text = page.read_text(encoding="utf-8")
    assert len(text) > 500
    for target in re.findall(r"\]\((?!https?:|#)([^)#]+)", text):
        assert (page.parent / target).exists(), f"{name}: {target}"
