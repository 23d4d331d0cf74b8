from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from okstra_ctl.runs import team_state_files
from okstra_kernel import UserError

STATE = ".okstra/team-state.json"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / ".okstra").mkdir()
    (tmp_path / "home").mkdir()
    text = '{"workers": [{"workerId": "w", "n": 0}], "workerDispatches": []}'
    (tmp_path / STATE).write_text(text, encoding="utf-8")
    return tmp_path


def put(root: Path, number: int) -> None:
    def edit(state: dict[str, Any]) -> dict[str, Any]:
        return {**state, "workers": [{"workerId": "w", "n": number}]}

    team_state_files.change(str(root / "home"), str(root), STATE, edit)


def test_a_glance_sees_each_change_and_reads_nothing_twice(root: Path) -> None:
    """(D-069, Q-13)"""
    path = str(root / STATE)
    assert team_state_files.glance(path)["workers"][0]["n"] == 0
    for number in range(1, 50):  # the same size, within one tick of the file system's clock
        put(root, number % 10)
        found = team_state_files.glance(path)
        assert found["workers"][0]["n"] == number % 10
        assert team_state_files.glance(path) is found
        assert found == team_state_files.read(path)


def test_a_glance_at_what_is_none_names_it(root: Path) -> None:
    (root / STATE).write_text("{}", encoding="utf-8")
    with pytest.raises(UserError, match="workers: expected a list"):
        team_state_files.glance(str(root / STATE))
    with pytest.raises(UserError, match="No such file"):
        team_state_files.glance(str(root / "nothing.json"))
