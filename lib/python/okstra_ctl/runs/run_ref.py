"""A run's name, and the name of each of its files (P-008, P-021 to P-024).

Paths are relative to the project's root, with `/`. A stage's run has a folder of its own below its
task type's, so that two stages running at once cannot mix files (P-022).
"""

from __future__ import annotations

from typing import NamedTuple

from okstra_project.dirs import task_relative
from okstra_project.slug import slugify
from okstra_project.task_key import TaskKey

# Category, as the manifest's `runSequencesByCategory` names it -> folder of the run (P-181).
CATEGORIES = {
    "instructionSet": "instruction-set",
    "manifests": "manifests",
    "state": "state",
    "prompts": "prompts",
    "outbox": "outbox",
    "workerResults": "worker-results",
    "reports": "reports",
    "status": "status",
    "sessions": "sessions",
    "logs": "logs",
    "carry": "carry",
    "userResponses": "user-responses",
}
ARCHIVE = "archive"


class RunRef(NamedTuple):
    key: TaskKey
    task_type: str
    stage: int | None
    seq: str  # three digits or more

    @property
    def run_id(self) -> str:
        stage = f"/stage-{self.stage}" if self.stage else ""
        return f"{self.key.text}/{self.task_type}{stage}/{self.seq}"

    @property
    def segment(self) -> str:
        return slugify(self.task_type)

    @property
    def run_dir(self) -> str:
        return run_dir(self.key, self.task_type, self.stage)

    @property
    def instruction_set(self) -> str:
        return f"{self.run_dir}/{CATEGORIES['instructionSet']}/{self.seq}"

    def path(self, category: str, stem: str, suffix: str) -> str:
        """Return where a file lies: `<run-dir>/<folder>/<stem>-<type>-<seq><suffix>`."""
        name = f"{stem}-{self.segment}-{self.seq}{suffix}"
        return f"{self.run_dir}/{CATEGORIES[category]}/{name}"

    @property
    def run_context(self) -> str:
        return self.path("state", "run-context", ".json")

    @property
    def active_run_context(self) -> str:
        return self.path("state", "active-run-context", ".json")

    @property
    def team_state(self) -> str:
        return self.path("state", "team-state", ".json")

    @property
    def manifest(self) -> str:
        return self.path("manifests", MANIFEST_STEM, ".json")

    @property
    def final_report(self) -> str:
        return self.path("reports", "final-report", ".md")

    @property
    def status(self) -> str:
        return self.path("status", "final", ".status")

    @property
    def error_log(self) -> str:
        return self.path("logs", ERROR_LOG_STEM, ".jsonl")

    @property
    def lead_events(self) -> str:
        return self.path("logs", "lead-events", ".jsonl")

    @property
    def resume_command(self) -> str:
        return self.path("sessions", "resume-command", ".sh")

    @property
    def lead_prompt(self) -> str:
        return f"{self.instruction_set}/lead-execution-prompt.md"


MANIFEST_STEM = "run-manifest"
ERROR_LOG_STEM = "errors"


def run_dir(key: TaskKey, task_type: str, stage: int | None) -> str:
    """Return the folder of a phase's runs, or of a stage's."""
    base = f"{task_relative(key.group, key.id)}/runs/{slugify(task_type)}"
    return f"{base}/stage-{stage}" if stage else base
