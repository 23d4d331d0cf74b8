"""Tasks found by key or by bare id (P-002, P-032, P-319, L-022, XI-15, XS-06)."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from okstra_kernel import Refusal, UserError
from okstra_project import catalog, task_target
from okstra_project.dirs import task_dir


def put(root: Path, group: str, id: str, **members: object) -> Path:
    place = Path(task_dir(str(root), group, id))
    place.mkdir(parents=True)
    names = {"taskKey": f"shop:{group}:{id}", "projectId": "shop", "taskGroup": group, "taskId": id}
    text = json.dumps({"schemaVersion": 1, **names, **members})
    (place / "task-manifest.json").write_text(text, encoding="utf-8")
    return place


def keys(root: Path) -> list[str]:
    return [t.manifest.text("taskKey") if t.manifest else t.fault for t in catalog.tasks(str(root))]


def test_the_folders_are_the_list(tmp_path: Path) -> None:
    assert keys(tmp_path) == []
    put(tmp_path, "b", "DEV-2")
    put(tmp_path, "b", "DEV-10")
    put(tmp_path, "a b", "결제-1")
    (tmp_path / ".okstra/tasks/b/empty").mkdir()
    (tmp_path / ".okstra/tasks/file").touch()
    assert keys(tmp_path) == ["shop:a b:결제-1", "shop:b:DEV-10", "shop:b:DEV-2"]


@pytest.mark.parametrize(
    ("members", "fault"),
    [
        ({"schemaVersion": 2}, "this okstra reads 1, found 2"),
        ({"taskId": None}, r"\$\.taskId: expected text, found null"),
        ({"taskKey": "shop:b:DEV-9"}, "not the key of its ids"),
        ({"taskId": "DEV-9", "taskKey": "shop:b:DEV-9"}, "another task's, 'shop:b:DEV-9'"),
        ({"taskId": "..", "taskKey": "shop:b:.."}, "out of its folder"),
    ],
)
def test_a_manifest_that_is_not_its_own_shows_as_such_and_hides_no_other(
    members: dict[str, object], fault: str, tmp_path: Path
) -> None:
    place = put(tmp_path, "b", "DEV-1", **members)
    put(tmp_path, "c", "DEV-2")
    first, second = catalog.tasks(str(tmp_path))
    assert (first.root, first.manifest) == (str(place), None)
    with pytest.raises(UserError, match=fault):
        raise UserError(first.fault)
    assert second.manifest is not None


def test_a_repair_is_a_command_that_works(tmp_path: Path) -> None:
    root = tmp_path / "it's 결제"
    place = put(root, "b", "DEV-1")
    (place / "task-manifest.json").write_text("", encoding="utf-8")
    with pytest.raises(Refusal, match="Expecting value") as caught:
        task_target.resolve(str(root), "shop:b:DEV-1")
    subprocess.run(caught.value.next_step, shell=True, check=True)
    assert keys(root) == [] and (place / "task-manifest.json.broken").is_file()


def test_links_are_passed_over_or_named(tmp_path: Path) -> None:
    elsewhere = put(tmp_path / "other", "b", "DEV-1")
    place = put(tmp_path / "p", "b", "DEV-2")
    (place.parent / "dev-1").symlink_to(elsewhere)
    assert keys(tmp_path / "p") == ["shop:b:DEV-2"]
    (place / "task-manifest.json").unlink()
    (place / "task-manifest.json").symlink_to(elsewhere / "task-manifest.json")
    assert keys(tmp_path / "p") == [f"a link: {place}/task-manifest.json"]
    (tmp_path / "q").mkdir()
    (tmp_path / "q/.okstra").symlink_to(tmp_path / "other/.okstra")
    with pytest.raises(Refusal, match=r"links: .*/q/\.okstra"):
        list(catalog.tasks(str(tmp_path / "q")))


def test_a_manifest_that_is_a_folder_is_a_fault(tmp_path: Path) -> None:
    (tmp_path / ".okstra/tasks/b/x/task-manifest.json").mkdir(parents=True)
    assert keys(tmp_path)[0].endswith("Is a directory")


def test_a_file_in_place_of_the_tasks_is_told(tmp_path: Path) -> None:
    (tmp_path / ".okstra").mkdir()
    (tmp_path / ".okstra/tasks").touch()
    with pytest.raises(UserError, match="tasks: Not a directory"):
        keys(tmp_path)


def test_a_bare_id_matches_in_any_letter_case(tmp_path: Path) -> None:
    root = str(tmp_path)
    put(tmp_path, "a", "DEV-1")
    put(tmp_path, "b", "dev-1")
    put(tmp_path, "b", "DEV-2")
    put(tmp_path, "c", "broken", schemaVersion=9)
    assert catalog.matches(root, " Dev-1 ") == ["shop:a:DEV-1", "shop:b:dev-1"]
    assert catalog.matches(root, "DEV-1", "b") == ["shop:b:dev-1"]
    assert catalog.matches(root, "broken") == []


def test_one_task_is_resolved_by_key_or_by_id(tmp_path: Path) -> None:
    root = str(tmp_path)
    place = put(tmp_path, "a", "DEV-1")
    put(tmp_path, "b", "DEV-1")
    put(tmp_path, "b", "DEV-2")
    for token, group in (("shop:a:DEV-1", ""), ("DEV-1", "a")):
        found = task_target.resolve(root, token, group)
        assert (found.key.text, found.root) == ("shop:a:DEV-1", str(place))
        assert found.manifest.text("taskId") == "DEV-1"
    assert task_target.resolve(root, "dev-2").key.id == "DEV-2"
    assert task_target.keys(root, "dev-1") == ["shop:a:DEV-1", "shop:b:DEV-1"]
    assert task_target.keys(root, "shop:b:DEV-2") == ["shop:b:DEV-2"]
    assert task_target.keys(root, "none") == []


@pytest.mark.parametrize(
    ("token", "kind", "message"),
    [
        ("dev-1", task_target.Ambiguous, "several tasks have the id 'dev-1': shop:a:DEV-1, shop:b"),
        ("none", task_target.NotFound, "no task with the id 'none'"),
        ("shop:a:none", task_target.NotFound, "no such task: 'shop:a:none'; tried /"),
        ("other:a:DEV-1", task_target.NotFound, "that folder is 'shop:a:DEV-1'"),
        ("shop:a:dev-1", task_target.NotFound, "that folder is 'shop:a:DEV-1'"),
        ("a:b", UserError, "not a task key"),
        ("shop:..:x", UserError, "out of its folder"),
        ("", task_target.NotFound, "no task with the id ''"),
    ],
)
def test_what_means_no_one_task_is_told(
    token: str, kind: type[UserError], message: str, tmp_path: Path
) -> None:
    put(tmp_path, "a", "DEV-1")
    put(tmp_path, "b", "DEV-1")
    with pytest.raises(kind) as caught:
        task_target.resolve(str(tmp_path), token)
    assert message in str(caught.value) and caught.value.next_step is not None
