"""The tasks that a run is given as context (`--related-tasks`)."""

from __future__ import annotations

from okstra_kernel import UserError
from okstra_project import task_key, task_manifest


def related(project_root: str, project_id: str, text: str) -> list[tuple[str, str]]:
    """Return (task key, its latest run's manifest) for a comma list of keys. Raises UserError."""
    found = {}
    for word in filter(None, (item.strip() for item in text.split(","))):
        key = task_key.parse(word)
        record = None
        if key.project == project_id:
            record = task_manifest.read(project_root, key.group, key.id)
        if record is None:
            raise UserError(
                f"no such task in this project: --related-tasks: {word}",
                next_step="okstra task-list",
            )
        found[key.text] = record.text("latestRunPath", "")
    return list(found.items())
