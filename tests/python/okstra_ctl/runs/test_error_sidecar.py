from __future__ import annotations

import json
from typing import Any

import pytest

from okstra_ctl.runs.error_record import Entry
from okstra_ctl.runs.error_sidecar import entries
from okstra_kernel import UserError, schemas, strict_json

TS = "2026-03-01T10:05:00.5+09:00"
ENTRY = {"ts": TS, "errorType": "cli-failure", "message": "HTTP 429"}


def sidecar(*items: Any, **more: Any) -> dict[str, Any]:
    return {"schemaVersion": 1, "errors": [*items], **more}


def read(value: dict[str, Any]) -> list[Entry]:
    return entries(strict_json.parse(json.dumps(value), "errors.json"))


def test_entries() -> None:
    """(D-180): what is null or not there is not given."""
    more = {"stderrExcerpt": "e", "context": {"cause": "unknown"}, "command": "c", "exitCode": 7}
    empty = dict.fromkeys(("stderrExcerpt", "context", "command", "exitCode", "durationMs"))
    assert read(sidecar(ENTRY, {**ENTRY, **more, "durationMs": 5}, {**ENTRY, **empty})) == [
        Entry(1772327100, "cli-failure", "HTTP 429"),
        Entry(1772327100, "cli-failure", "HTTP 429", "e", {"cause": "unknown"}, "c", 7, 5),
        Entry(1772327100, "cli-failure", "HTTP 429"),
    ]
    assert read(sidecar()) == []


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (sidecar(schemaVersion=2), "$.schemaVersion: this okstra reads 1, found 2"),  # D-266
        ({"errors": []}, "$.schemaVersion: expected a whole number, found nothing"),
        ({"schemaVersion": 1}, "$.errors: expected a list, found nothing"),
        (sidecar("x"), "$.errors[0]: expected an object, found text"),
        (sidecar({**ENTRY, "ts": "now"}), "$.errors[0].ts: not a time like"),
        (sidecar({**ENTRY, "message": 5}), "$.errors[0].message: expected text, found a number"),
        (
            sidecar(ENTRY, {**ENTRY, "errorType": "bug"}),
            "$.errors[1]: not an error type: 'bug'; allowed: ",
        ),
        (
            sidecar(ENTRY, {**ENTRY, "message": "EPERM"}),
            "$.errors[1]: the message claims 'eperm' without a cause",
        ),
        (
            sidecar({**ENTRY, "exitCode": "1"}),
            "$.errors[0].exitCode: expected a whole number, found text",
        ),
    ],
)
def test_an_entry_that_is_refused_is_named(value: dict[str, Any], message: str) -> None:
    """(D-181, D-266, D-267). What the schema can tell, it tells, too."""
    with pytest.raises(UserError) as caught:
        read(value)
    assert str(caught.value).startswith(f"errors.json: {message}")
    assert caught.value.status == 2
    assert bool(schemas.check(value, "worker-errors")) == ("EPERM" not in str(value))
