"""The state of a task (P-038 to P-042, XI-10, XI-15)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from okstra_kernel import Refusal, UserError
from okstra_project import task_manifest
from okstra_project.task_key import TaskKey

KEY = TaskKey("shop", "Epic 1", "DEV-1")


def test_members_stand_in_their_order_and_unknown_ones_last() -> None:
    mixed = {"later": 1, "workStatus": "todo", "taskKey": "k", "schemaVersion": 1, "also": 2}
    assert list(task_manifest.ordered(mixed)) == [
        *("schemaVersion", "taskKey", "workStatus", "later", "also")
    ]


def test_a_manifest_is_made_changed_and_kept_as_it_is(tmp_path: Path) -> None:
    home, root = str(tmp_path), str(tmp_path / "p")
    os.mkdir(root)
    assert task_manifest.read(root, KEY.group, KEY.id) is None
    seen = []

    def edit(before: dict[str, object]) -> dict[str, object]:
        seen.append(before)
        return {"later": 1, "taskKey": KEY.text, "schemaVersion": 1}

    task_manifest.change(home, root, KEY, edit)
    file = tmp_path / "p/.okstra/tasks/epic-1/dev-1/task-manifest.json"
    assert file.read_text(encoding="utf-8") == (
        '{\n  "schemaVersion": 1,\n  "taskKey": "shop:Epic 1:DEV-1",\n  "later": 1\n}\n'
    )
    before = file.stat().st_ino
    task_manifest.change(home, root, KEY, edit)
    assert file.stat().st_ino == before, "nothing changed, so nothing is written"
    assert seen == [{}, {"schemaVersion": 1, "taskKey": KEY.text, "later": 1}]
    assert (tmp_path / ".locks/task-shop-epic-1-dev-1.lock").is_file()


@pytest.mark.parametrize("data", ["", "[]", '{"schemaVersion": 2}', "{}", '{"schemaVersion": 1,'])
def test_a_broken_one_is_named_and_left_alone(data: str, tmp_path: Path) -> None:
    file = tmp_path / "p/.okstra/tasks/epic-1/dev-1/task-manifest.json"
    file.parent.mkdir(parents=True)
    file.write_text(data, encoding="utf-8")
    with pytest.raises(UserError, match=r"task-manifest\.json"):
        task_manifest.change(str(tmp_path), str(tmp_path / "p"), KEY, lambda before: before)
    assert file.read_text(encoding="utf-8") == data


def test_a_folder_in_its_place_is_named(tmp_path: Path) -> None:
    (tmp_path / ".okstra/tasks/epic-1/dev-1/task-manifest.json").mkdir(parents=True)
    with pytest.raises(UserError, match="Is a directory"):
        task_manifest.read(str(tmp_path), KEY.group, KEY.id)


def test_a_task_that_is_a_link_is_not_written_through(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.mkdir()
    (tmp_path / ".okstra/tasks/epic-1").mkdir(parents=True)
    (tmp_path / ".okstra/tasks/epic-1/dev-1").symlink_to(victim)
    with pytest.raises(Refusal, match="links"):
        task_manifest.change(str(tmp_path), str(tmp_path), KEY, lambda _: {"schemaVersion": 1})
    assert list(victim.iterdir()) == []


def test_of_changes_at_once_none_is_lost(tmp_path: Path) -> None:
    program = """
import sys
sys.path.insert(0, sys.argv[1])
from okstra_project import task_key, task_manifest
def edit(before):
    return {"schemaVersion": 1, **before, f"x{sys.argv[3]}": 1}
task_manifest.change(sys.argv[2], sys.argv[2], task_key.parse("shop:g:i"), edit)
"""
    lib = str(Path(task_manifest.__file__).parents[1])
    words = [sys.executable, "-I", "-c", program, lib, str(tmp_path)]
    racers = [subprocess.Popen([*words, str(n)]) for n in range(12)]
    assert [racer.wait() for racer in racers] == [0] * 12
    found = json.loads((tmp_path / ".okstra/tasks/g/i/task-manifest.json").read_bytes())
    assert set(found) == {"schemaVersion", *(f"x{n}" for n in range(12))}
