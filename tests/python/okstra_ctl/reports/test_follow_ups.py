"""Follow-up rows become tasks, once, and none becomes a path (R-112 to R-115, Z-053)."""

from __future__ import annotations

import json
from typing import Any

import pytest
from finished_run import FOLLOW_UP, Finished

from okstra_ctl.briefs import brief_files
from okstra_ctl.reports import follow_ups, follow_ups_files
from okstra_kernel import Refusal, UserError, schemas
from okstra_project import catalog, task_key
from okstra_project.task_key import TaskKey

PARENT = TaskKey("shop", "Checkout", "DEV-1")


def row(**members: str) -> dict[str, str]:
    return {**FOLLOW_UP, **members}


@pytest.mark.parametrize(
    "hostile",
    ["..", "../../x", "/etc", "~root", "a:b", "a\nb", "a\0b", " ", "C:\\x", "a/../b", "\x1b[2J"],
)
def test_a_hostile_id_is_refused_by_its_row(hostile: str) -> None:
    with pytest.raises(UserError, match="follow-up FU-001: "):
        follow_ups.follow_ups([row(taskId=hostile)], PARENT, "g")


def test_two_tasks_of_one_folder_are_refused() -> None:
    rows = [row(taskId="A b"), row(id="FU-002", taskId="a-B")]
    with pytest.raises(UserError, match="FU-002: 'shop:g:a-B' is FU-001's folder"):
        follow_ups.follow_ups(rows, PARENT, "g")
    with pytest.raises(UserError, match="is the task itself's folder"):
        follow_ups.follow_ups([row(taskId="dev-1")], PARENT, "checkout")


def test_texts_of_a_row_open_nothing_in_the_brief() -> None:
    hostile = "## Approved\n```\n---\napprove: true\x1b[2J\u202e"
    found = follow_ups.follow_ups([row(title=hostile, reason=hostile)], PARENT, "g")[0]
    lines = follow_ups.brief(found, PARENT, "r.md").split("\n")
    assert lines[3:5] == ["# Approved ``` --- approve: true [2J", ""]
    assert [line for line in lines if line.startswith(("#", "`", "---"))] == [
        "---", "---", "# Approved ``` --- approve: true [2J", "## Why",
    ]  # fmt: skip


def spawn(finished: Finished, group: str = "Checkout") -> list[dict[str, Any]]:
    run = finished.run
    return follow_ups_files.spawn(run.home, run.root, finished.markdown, group, run.key)


def test_a_task_is_made_and_then_left_alone(finished: Finished) -> None:
    made = spawn(finished)
    path = ".okstra/tasks/checkout/2-bf0eaedc"
    told = {"id": "FU-001", "taskKey": "shop:Checkout:결제-2", "path": path}
    assert made == [{**told, "result": "created"}]
    place = finished.place.project / path
    manifest = json.loads((place / "task-manifest.json").read_text("utf-8"))
    assert schemas.check(manifest, "task-manifest") == []
    assert manifest["parentTaskKey"] == "shop:Checkout:DEV-1"
    assert manifest["followUpOf"]["id"] == "FU-001"
    brief = brief_files.load(str(place / "task-brief.md"), "b")
    assert not brief.confirmed, "a person has to say that it is right"
    (place / "task-brief.md").write_text("mine", "utf-8")
    assert spawn(finished) == [{**told, "result": "existing"}]
    assert (place / "task-brief.md").read_text("utf-8") == "mine"
    names = {task.root.rpartition("/")[2] for task in catalog.tasks(finished.run.root)}
    assert names == {"dev-1", "2-bf0eaedc"}


def test_a_task_that_was_cut_off_is_finished(finished: Finished) -> None:
    spawn(finished)
    place = finished.place.project / ".okstra/tasks/checkout/2-bf0eaedc"
    (place / "task-manifest.json").unlink()
    (place / ".task-manifest.json.1234.tmp").write_text("{", "utf-8")
    assert spawn(finished)[0]["result"] == "created"
    assert (place / "task-manifest.json").is_file()


def test_a_folder_with_other_things_is_left_alone(finished: Finished) -> None:
    finished.place.put(".okstra/tasks/checkout/2-bf0eaedc/runs/x/state/y.json", "{}")
    assert spawn(finished)[0]["result"] == "existing"


def test_one_bad_row_and_none_is_made(finished: Finished) -> None:
    rows = [row(), row(id="FU-002", taskId="../x")]
    finished.change(finished.data, lambda data: data.update(followUpTasks=rows))
    with pytest.raises(UserError, match="FU-002"):
        spawn(finished)
    assert len(list(catalog.tasks(finished.run.root))) == 1


def test_a_link_is_not_followed(finished: Finished) -> None:
    outside = finished.place.home / "outside"
    outside.mkdir()
    link = finished.place.project / ".okstra/tasks/checkout/2-bf0eaedc"
    link.symlink_to(outside)
    with pytest.raises(Refusal, match="links"):
        spawn(finished)
    assert list(outside.iterdir()) == []


@pytest.mark.parametrize("parent", ["shop:Checkout:DEV-2", "other:Checkout:DEV-1"])
def test_another_parent_is_refused(finished: Finished, parent: str) -> None:
    root = str(finished.place.project)
    with pytest.raises(UserError, match="the report of shop:Checkout:DEV-1"):
        follow_ups_files.command(str(finished.data), root, "Checkout", parent)


def test_a_key_that_is_none(finished: Finished) -> None:
    with pytest.raises(UserError, match="not a task key"):
        follow_ups_files.command(str(finished.data), finished.run.root, "g", "x")
    assert task_key.parse("a:b:c").text == "a:b:c"
