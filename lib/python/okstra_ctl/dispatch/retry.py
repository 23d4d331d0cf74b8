"""Who is started once more after a failure, and with which prompt (D-062, D-134, D-135). Pure.

A worker has one retry in a run, whatever it is spent on. What would fail again for the same cause
is not tried again: a missing login, a denied tool, a quota, a changed checkout, the user's word.
"""

from __future__ import annotations

from okstra_ctl.dispatch import outcome
from okstra_ctl.dispatch.jobs import Job
from okstra_ctl.dispatch.records import Record
from okstra_ctl.providers.turn import RATE

SUFFIX = "-retry1"
RETRIED = (
    *(outcome.LAUNCH_FAILED, RATE, outcome.IDLE_TIMEOUT, outcome.DEADLINE),
    *(outcome.INCOMPLETE, outcome.INVALID, outcome.MISSING, outcome.CRASHED),
)


def due(found: list[Record]) -> list[Record]:
    """Return the dispatches that have a retry coming; `found` is in the order of their starts."""
    newest = {record["workerId"]: record for record in found}
    spent = {record["workerId"] for record in found if record["dispatchKind"].endswith(SUFFIX)}
    return [
        record
        for worker, record in newest.items()
        if worker not in spent
        and record["status"] in ("error", "timeout")
        and record["reason"] in RETRIED
    ]


def job(failed: Job, prompt_path: str) -> Job:
    """Return the job of the retry: another kind and prompt, the same products (D-038)."""
    return failed._replace(dispatch_kind=f"{failed.dispatch_kind}{SUFFIX}", prompt_path=prompt_path)


def prompt(text: str, headers: dict[str, str], note: str) -> str:
    """Return the prompt of the retry: the failed one's with these headers, and a note after it.

    A header that the failed one lacks is left out; `prompt_contract.check` tells of it.
    """
    lines = text.rstrip().split("\n")
    for name, value in headers.items():
        start = f"**{name}:**"
        at = next((n for n, line in enumerate(lines) if line.startswith(start)), None)
        if at is not None:  # the first of a name counts
            lines[at] = f"{start} {value}"
    return "\n".join([*lines, "", note.strip(), ""])
