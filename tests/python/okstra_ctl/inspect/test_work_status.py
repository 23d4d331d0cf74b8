"""The user's own mark (P-322, P-323, R-203)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Callable

import pytest

from okstra_ctl.inspect import work_status
from okstra_kernel import UserError

Put = Callable[..., Path]


@pytest.mark.parametrize(
    ("note", "after"), [(None, "old"), ("new", "new"), ("", None), ("두 줄\nx", "두 줄\nx")]
)
def test_a_status_is_set_and_a_note_kept_changed_or_dropped(
    note: str | None, after: str | None
) -> None:
    before = {"workStatus": "todo", "workStatusNote": "old", "updatedAt": "u", "later": 1}
    found = work_status.with_status(before, "done", note, "now")
    assert found.get("workStatusNote") == after
    assert (found["workStatus"], found["workStatusUpdatedAt"]) == ("done", "now")
    assert (found["updatedAt"], found["later"], before["workStatus"]) == ("u", 1, "todo")


def test_dropping_a_note_that_is_not_there() -> None:
    assert "workStatusNote" not in work_status.with_status({}, "done", "", "now")


def change(token: str, status: str, note: str | None = None, group: str = "") -> dict[str, Any]:
    found = json.loads(work_status.change(token, status, note, "", group, as_json=False)[1])
    assert isinstance(found, dict)
    return found


def test_the_manifest_changes_in_its_lines_only(put: Put) -> None:
    file = put("a", "DEV-1", later=[1], workStatus="todo") / "task-manifest.json"
    change("DEV-1", "todo")
    before = file.read_text(encoding="utf-8").splitlines()
    found = change("dev-1", "blocked", "키")
    after = file.read_text(encoding="utf-8").splitlines()
    assert found == {
        **{"schemaVersion": 1, "ok": True, "taskKey": "shop:a:DEV-1", "workStatus": "blocked"},
        **{"workStatusUpdatedAt": found["workStatusUpdatedAt"], "workStatusNote": "키"},
    }
    new = [line for line in after if line not in before]
    assert new[0] == '  "workStatus": "blocked",' and len(new) <= 3 and '"키"' in new[-1]


def test_nothing_is_written_where_it_is_not_one_task_or_no_status(put: Put) -> None:
    files = [put(group, "DEV-1") / "task-manifest.json" for group in "ab"]
    before = [file.read_bytes() for file in files]
    assert change("DEV-1", "done")["stage"] == "ambiguous"
    assert change("x", "done")["stage"] == "not-found"
    with pytest.raises(UserError, match="'finished'; known: todo, in-progress, blocked, done"):
        change("DEV-1", "finished", group="a")
    assert [file.read_bytes() for file in files] == before


@pytest.mark.usefixtures("terminal")
def test_on_a_terminal(put: Put) -> None:
    put("a", "DEV-1")
    told = work_status.change("DEV-1", "in-progress", None, "", "", as_json=False)
    assert told == (0, "shop:a:DEV-1: in-progress")
