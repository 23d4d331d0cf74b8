"""A project and a home of its own, to prepare runs in within the process of a test."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, NamedTuple

from okstra_ctl.prepare.bundle import PrepareOutputs, prepare_task_bundle
from okstra_ctl.prepare.environment import Environment
from okstra_ctl.prepare.inputs import PrepareInputs

BRIEF = "# 결제 fails\n\nKeyError: 'total'\n\n## Expected\n\nIt is 3.\n"


class Place(NamedTuple):
    """A project and a home; `prepare` makes a run with these fields in place of the usual ones."""

    project: Path
    home: Path

    def inputs(self, **fields: Any) -> PrepareInputs:
        usual: dict[str, Any] = {
            "workspace_root": "/assets",
            "project_root": str(self.project),
            "cwd": str(self.project),
            "project_id": "shop",
            "task_group": "Checkout",
            "task_id": "DEV-1",
            "task_type": "error-analysis",
            "brief_path": "brief.md",
            "lead_runtime": "codex",
        }
        return PrepareInputs(**{**usual, **fields})

    def prepare(
        self,
        variables: dict[str, str] | None = None,
        answer: bool | None = None,
        **fields: Any,
    ) -> PrepareOutputs:
        around = Environment(str(self.project), variables or {})
        return prepare_task_bundle(
            self.inputs(**fields), str(self.home), around, lambda *about: answer
        )

    def tree(self) -> dict[str, bytes | None]:
        """Return every file with its bytes, and every folder, of the project and the home."""
        found: dict[str, bytes | None] = {}
        for root in (self.project, self.home):
            for folder, folders, files in os.walk(root):
                places = [Path(folder, name) for name in (*folders, *files)]
                for place in places:
                    inner = place.is_dir() or place.is_symlink()
                    name = str(place.relative_to(root.parent))
                    found[name] = None if inner else place.read_bytes()
        return found

    def json(self, relative: str) -> dict[str, Any]:
        value: dict[str, Any] = json.loads((self.project / relative).read_text(encoding="utf-8"))
        return value

    def put(self, relative: str, value: object) -> Path:
        place = self.project / relative
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
        return place
