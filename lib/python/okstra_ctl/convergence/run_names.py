"""How the files of a convergence are called in a run's folder (C-006, C-067).

`replay` and `show` find them by these names; whoever drives a run writes them under these names.
"""

from __future__ import annotations

import os
import re

from okstra_kernel import UserError

_WORK = re.compile(r"convergence-work-(.+)-([0-9]{3,9})\.json")


def work_state(task_type: str, seq: str) -> str:
    return f"state/convergence-work-{task_type}-{seq}.json"


def final_state(task_type: str, seq: str) -> str:
    return f"state/convergence-{task_type}-{seq}.json"


def groups(task_type: str, seq: str) -> str:
    return f"state/convergence-groups-{task_type}-{seq}.json"


def plan(number: int, task_type: str, seq: str) -> str:
    return f"state/round-plan-r{number}-{task_type}-{seq}.json"


def results(number: int, task_type: str, seq: str) -> str:
    return f"state/round-results-r{number}-{task_type}-{seq}.json"


def batch(task_type: str, seq: str) -> str:
    return f"state/coverage-batch-{task_type}-{seq}.json"


def gap_plan(task_type: str, seq: str) -> str:
    return f"state/gap-plan-{task_type}-{seq}.json"


def gap_results(task_type: str, seq: str) -> str:
    return f"state/gap-results-{task_type}-{seq}.json"


def jobs(number: int, task_type: str, seq: str) -> str:
    return f"state/reverify-jobs-r{number}-{task_type}-{seq}.json"


def newest(run_dir: str, seq: str) -> tuple[str, str]:
    """Return task type and number of the newest convergence of a run's folder, or of that number.

    Raises UserError where there is none.
    """
    folder = os.path.join(run_dir, "state")
    if not os.path.isdir(folder):
        raise UserError(f"not the folder of a run: {run_dir}: it has no state/")
    found = [match for match in map(_WORK.fullmatch, os.listdir(folder)) if match]
    found = [match for match in found if seq in ("", match[2])]
    if not found:
        of = f" with the number {seq}" if seq else ""
        raise UserError(f"no convergence{of} in {folder}")
    last = max(found, key=lambda match: int(match[2]))
    return last[1], last[2]
