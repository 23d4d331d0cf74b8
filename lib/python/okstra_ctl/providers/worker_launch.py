"""The least that a worker's CLI is allowed, by role, as words of its command line (Z-092, Z-015).

What each CLI takes stands in its own module; here is what all have in common. Pure.
"""

from __future__ import annotations

from typing import NamedTuple

EXECUTOR, VERIFIER = "executor", "verifier"  # in the registry's words; others only read


class WorkerTask(NamedTuple):
    """What a worker is to do, as far as it decides its rights. Paths are absolute."""

    role: str  # the registry's word
    outbox: str  # the only folder it may write to, unless it is an executor
    executor_folders: tuple[str, ...] = ()  # besides its worktree: scripts, decisions
    is_git: bool = True

    @property
    def edits_code(self) -> bool:
        """Executors work in their worktree, verifiers of code in a throwaway checkout."""
        return self.role in (EXECUTOR, VERIFIER)
