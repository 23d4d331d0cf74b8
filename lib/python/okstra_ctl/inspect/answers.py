"""The shape of an answer about one task: found, or which way it was not (20 §30)."""

from __future__ import annotations

from typing import Any, Callable

from okstra_kernel import display
from okstra_project import task_target

Answer = tuple[int, str]
Document = dict[str, Any]


def answer(work: Callable[[], Document], told: Callable[[Document], str], as_json: bool) -> Answer:
    """Return 0 and the document, as JSON or as told; 1 and why, where there is no such task.

    A document that says it is `partial` has 1, too (XI-13).

    On a terminal the why is an error like any other, so it is raised there.
    """
    try:
        found = work()
    except (task_target.NotFound, task_target.Ambiguous) as err:
        if not display.wants_json(as_json):
            raise
        return 1, display.document(_refusal(err))
    status = int(bool(found.get("partial")))
    if display.wants_json(as_json):
        return status, display.document({"schemaVersion": 1, "ok": True, **found})
    return status, told(found)


def _refusal(err: task_target.NotFound | task_target.Ambiguous) -> Document:
    found: Document = {"schemaVersion": 1, "ok": False, "stage": err.stage, "error": str(err)}
    if err.matches:
        found["matches"] = list(err.matches)
    return {**found, "next": err.next_step} if err.next_step else found
