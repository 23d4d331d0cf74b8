"""Projects to measure on: one small git checkout, with as many tasks as asked for."""

from __future__ import annotations

import json
from pathlib import Path

from measure import OKSTRA, Place

BRIEF = """# Checkout fails

## Reproduction
Order two items, then pay.

## Evidence
Traceback (most recent call last):
  File "shop.py", line 3, in pay
KeyError: 'total'
"""
IDENTITY = ("-c", "user.name=Bench", "-c", "user.email=bench@example.invalid")


def project(place: Place, name: str) -> Place:
    """Make a git checkout with a brief; return it as the place to run in."""
    folder = place.folder / name
    folder.mkdir()
    (folder / "brief.md").write_text(BRIEF, encoding="utf-8")
    here = place._replace(folder=folder)
    here.run(["git", "init", "-q"])
    here.run(["git", "add", "brief.md"])
    here.run(["git", *IDENTITY, "commit", "-q", "-m", "a brief"])
    return here


def prepare(task_id: str) -> list[str]:
    """Return the words that prepare a run of this task."""
    return [
        *(OKSTRA, "render-bundle", "--project-id=shop", "--task-group=checkout"),
        *(f"--task-id={task_id}", "--task-type=error-analysis", "--task-brief=brief.md"),
        "--lead-runtime=claude-code",
    ]


def with_tasks(place: Place, name: str, count: int) -> Place:
    """Make a project of `count` tasks: one that was prepared, and copies of its manifest."""
    here = project(place, name)
    here.run(prepare("T-1"))
    group = here.folder / ".okstra/tasks/checkout"
    first = json.loads((group / "t-1/task-manifest.json").read_text(encoding="utf-8"))
    for number in range(2, count + 1):
        _copy(group / f"t-{number}", first, f"T-{number}")
    return here


def _copy(root: Path, first: dict[str, object], id: str) -> None:
    root.mkdir()
    members = {**first, "taskId": id, "taskKey": f"shop:checkout:{id}"}
    text = json.dumps(members, ensure_ascii=False, indent=2)
    (root / "task-manifest.json").write_text(f"{text}\n", encoding="utf-8")
