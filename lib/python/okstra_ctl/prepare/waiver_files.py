"""Writes down what the user answered to the sandbox question (Z-006, XS-09)."""

from __future__ import annotations

import os

from okstra_ctl.leads.launch import waiver_record
from okstra_ctl.runs import lead_events
from okstra_kernel import UserError, iso_time, store, strict_json

ANSWERS = ("tty", "--yes", "declined")


def record_answer(words: list[str]) -> None:
    """Record an answer for the run of a manifest: `words` are its path and one of ANSWERS.

    Raises UserError.
    """
    path, answer = words
    if answer not in ANSWERS:
        raise UserError(f"not an answer: {answer}")
    record = strict_json.read(path)
    root = record.text("projectRoot")
    relative = os.path.relpath(path, root)
    now = iso_time.now()
    if answer != "declined":
        provider = record.record("leadAssignment").text("provider")
        waiver = waiver_record(provider, answer, now)
        store.write_json(root, relative, {**record.members, "sandboxWaiver": waiver})
    details = {"answer": answer, "runId": record.text("runId")}
    lead_events.append(root, record.text("leadEventsPath"), EVENT, "okstra.sh", details)


EVENT = "sandbox-waiver"
