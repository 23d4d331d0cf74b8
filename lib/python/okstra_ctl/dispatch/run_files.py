"""One prepared run, read from its manifest: what dispatch, await and teardown work on (D-030)."""

from __future__ import annotations

import os
from typing import Any, NamedTuple

from okstra_kernel import UserError, strict_json
from okstra_project import dirs, task_key
from okstra_project.task_key import TaskKey

DEADLINE_FACTOR = 2  # of the profile's expected minutes (D-129)

Members = dict[str, Any]


class RunFiles(NamedTuple):
    """Paths of the run are relative to the project's root."""

    home: str
    root: str  # of the project, real
    manifest: Members
    key: TaskKey
    team_state: str
    run_dir: str
    task_type: str
    seq: str
    manifest_path: str = ""

    def path(self, relative: str) -> str:
        """Return the absolute path of one of the run's files."""
        return os.path.join(self.root, relative)

    @property
    def deadline(self) -> int:
        """How long a worker may take, in seconds (D-129)."""
        return DEADLINE_FACTOR * 60 * int(self.manifest["expectedMinutes"])

    def file(self, folder: str, stem: str, suffix: str) -> str:
        return f"{self.run_dir}/{folder}/{stem}-{self.task_type}-{self.seq}{suffix}"


def load(project_root: str, run_manifest: str) -> RunFiles:
    """Return the run of a manifest, named absolute or from the project's root. Raises UserError."""
    if not os.path.isdir(project_root):
        raise UserError(f"not a folder: --project-root={project_root}")
    root = os.path.realpath(project_root)
    path = os.path.join(root, run_manifest)
    record = strict_json.read(path)
    if record.integer("schemaVersion") != 1:
        raise UserError(
            f"{path}: schemaVersion {record.integer('schemaVersion')} is not known here"
        )
    if os.path.realpath(record.text("projectRoot")) != root:
        raise UserError(f"the manifest is another project's: {record.text('projectRoot')}")
    for name in ("invocationAssignments", "runSequencesByCategory"):
        record.record(name)
    return RunFiles(
        home=dirs.okstra_home(),
        root=root,
        manifest=dict(record.members),
        key=task_key.parse(record.text("taskKey")),
        team_state=record.text("teamStatePath"),
        run_dir=record.text("runDir"),
        task_type=record.text("taskType"),
        seq=record.text("seq"),
        manifest_path=os.path.relpath(os.path.realpath(path), root),
    )
