"""What a project says of itself (P-043, P-044, L-024, XI-10)."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from okstra_kernel import Refusal, UserError
from okstra_project import project_json


@pytest.fixture
def home(tmp_path: Path) -> str:
    (tmp_path / "home").mkdir()
    return str(tmp_path / "home")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "p").mkdir()
    return tmp_path / "p"


def held(root: Path) -> object:
    return json.loads((root / ".okstra/project.json").read_bytes())


def test_a_project_is_registered_once(home: str, root: Path) -> None:
    assert project_json.read(str(root)) is None
    assert project_json.project_id(str(root)) == ""
    assert project_json.upsert_project_json(home, str(root), "결제")
    assert held(root) == {"schemaVersion": 1, "projectId": "결제"}
    before = (root / ".okstra/project.json").stat().st_ino
    assert not project_json.upsert_project_json(home, str(root), "결제")
    assert (root / ".okstra/project.json").stat().st_ino == before
    assert project_json.project_id(str(root)) == "결제"


def test_what_others_wrote_stays_and_none_drops(home: str, root: Path) -> None:
    (root / ".okstra").mkdir()
    text = '{"schemaVersion": 1, "qaCommands": [], "later": {"x": 1}, "prTemplatePath": "a"}'
    (root / ".okstra/project.json").write_text(text, encoding="utf-8")
    assert project_json.change(home, str(root), {"prTemplatePath": None, "projectId": "shop"})
    assert held(root) == {
        **{"schemaVersion": 1, "qaCommands": [], "later": {"x": 1}},
        "projectId": "shop",
    }


def test_another_id_is_refused_with_both(home: str, root: Path) -> None:
    project_json.check_id(str(root), "shop")  # not registered yet
    project_json.upsert_project_json(home, str(root), "shop")
    project_json.check_id(str(root), "shop")
    with pytest.raises(Refusal, match="registered as 'shop', not 'other'") as caught:
        project_json.check_id(str(root), "other")
    assert caught.value.next_step == "pass --project-id=shop"


@pytest.mark.parametrize(
    "data",
    [b"", b"null", b"[]", b'{"schemaVersion": 2}', b'{"projectId": "x"}', b'{"a": NaN}', b"\xff"],
)
def test_a_broken_record_is_named_and_left_alone(data: bytes, home: str, root: Path) -> None:
    (root / ".okstra").mkdir()
    file = root / ".okstra/project.json"
    file.write_bytes(data)
    for act in (
        lambda: project_json.project_id(str(root)),
        lambda: project_json.change(home, str(root), {"projectId": "x"}),
    ):
        with pytest.raises(UserError, match=r"project\.json"):
            act()
    assert file.read_bytes() == data


def test_of_changes_at_once_none_is_lost(home: str, root: Path) -> None:
    program = """
import sys
sys.path.insert(0, sys.argv[1])
from okstra_project import project_json
project_json.change(sys.argv[2], sys.argv[3], {f"x{sys.argv[4]}": 1})
"""
    lib = str(Path(project_json.__file__).parents[1])
    words = [sys.executable, "-I", "-c", program, lib, home, str(root)]
    racers = [subprocess.Popen([*words, str(n)]) for n in range(12)]
    assert [racer.wait() for racer in racers] == [0] * 12
    found = held(root)
    assert isinstance(found, dict) and set(found) == {
        "schemaVersion",
        *(f"x{n}" for n in range(12)),
    }
