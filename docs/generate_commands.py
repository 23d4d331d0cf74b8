"""Write docs/commands.md from the usage texts in bin/; with --check, only say whether it is fresh.

venv/bin/python3 docs/generate_commands.py [--check]
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs/commands.md"
GROUPS = ("Start work", "Inspect", "Maintain", "Plumbing")
HEAD = """# Commands

Written by `make docs` from the usage texts in `bin/`: what `okstra help <command>` prints.
"""


def commands() -> list[Path]:
    """Return the command files; worker wrappers are started by okstra alone."""
    found = [*ROOT.glob("bin/okstra.sh"), *ROOT.glob("bin/okstra-*")]
    return sorted(path for path in found if not path.name.endswith("-exec.sh"))


def shown(path: Path) -> str:
    return path.name if path.name.endswith(".sh") else path.name.replace("okstra-", "okstra ", 1)


def comment(path: Path, name: str) -> str:
    """Return what a command file's opening says after `# <name>: `."""
    found = re.search(rf"^# {name}: (.+)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    if not found:
        raise SystemExit(f"{path.relative_to(ROOT)}: no line `# {name}: …`")
    return found[1]


def usage(path: Path) -> str:
    """Return the help as a user sees it; nothing of whoever builds this page is in it."""
    env = {"PATH": os.environ.get("PATH", ""), "HOME": "/nonexistent"}
    run = subprocess.run(
        ["/bin/bash", "-p", path, "--help"], env=env, capture_output=True, encoding="utf-8"
    )
    if run.returncode != 0:
        raise SystemExit(f"{path.name} --help: {run.stderr}")
    return run.stdout.rstrip("\n")


def page() -> str:
    """Return the whole page: a table of rows for each group, then the texts."""
    parts = [HEAD]
    for group in GROUPS:
        members = [path for path in commands() if comment(path, "Group") == group]
        if members:
            rows = [f"| [`{shown(p)}`](#{_anchor(p)}) | {comment(p, 'Summary')} |" for p in members]
            parts.append("\n".join([f"## {group}\n", "| command | |", "|---|---|", *rows, ""]))
    for path in commands():
        parts.append(f"### {shown(path)}\n\n```text\n{usage(path)}\n```\n")
    return "\n".join(parts)


def _anchor(path: Path) -> str:
    return re.sub(r"[^a-z0-9 -]", "", shown(path)).replace(" ", "-")


def main(words: list[str]) -> int:
    text = page()
    if words != ["--check"]:
        PAGE.write_text(text, encoding="utf-8")
        return 0
    if PAGE.is_file() and PAGE.read_text(encoding="utf-8") == text:
        return 0
    print("docs/commands.md is not what the usage texts say; next: make docs", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
