"""The errors that a worker wrote down itself: the `errors.json` of its outbox (D-180). Pure."""

from __future__ import annotations

from okstra_ctl.runs import error_record
from okstra_ctl.runs.error_record import Entry
from okstra_kernel import UserError, strict_json

SCHEMA_VERSION = 1


def entries(sidecar: strict_json.Record) -> list[Entry]:
    """Return all entries, each of which may be recorded.

    Raises UserError for another `schemaVersion`, and for the first entry that may not: then none
    is recorded, so that the dump can be run again when that one is put right (D-181, D-182).
    """
    sidecar.versioned(SCHEMA_VERSION)
    return [_entry(one) for one in sidecar.records("errors")]


def _entry(one: strict_json.Record) -> Entry:
    entry = Entry(
        ts=one.time("ts"),
        error_type=one.text("errorType"),
        message=one.text("message"),
        stderr_excerpt=_text(one, "stderrExcerpt"),
        context=one.record("context").members if _given(one, "context") else None,
        command=_text(one, "command"),
        exit_code=_number(one, "exitCode"),
        duration_ms=_number(one, "durationMs"),
    )
    try:
        error_record.check_entry(entry)
    except UserError as err:
        raise UserError(f"{one.where}: {err}", next_step=err.next_step) from None
    return entry


def _text(one: strict_json.Record, name: str) -> str | None:
    return one.text(name) if _given(one, name) else None


def _number(one: strict_json.Record, name: str) -> int | None:
    return one.integer(name) if _given(one, name) else None


def _given(one: strict_json.Record, name: str) -> bool:
    return one.members.get(name) is not None
