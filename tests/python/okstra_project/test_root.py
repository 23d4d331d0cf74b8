"""Which folder is the project (L-020, P-045, XI-04)."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from okstra_project import root
from okstra_project.root import ResolverError, resolve_project_root, resolve_project_root_safe


def register(place: Path) -> Path:
    (place / ".okstra").mkdir(parents=True)
    (place / ".okstra/project.json").write_text("{}", encoding="utf-8")
    return place


def checkout(place: Path) -> Path:
    (place / ".git").mkdir(parents=True)
    (place / ".git/HEAD").touch()
    return place


def test_a_folder_that_is_named_wins(tmp_path: Path) -> None:
    register(tmp_path / "a")
    named = tmp_path / "b ' \" 결제"
    named.mkdir()
    assert resolve_project_root("b ' \" 결제", str(tmp_path)) == str(named)
    (tmp_path / "link").symlink_to(named)
    assert resolve_project_root(str(tmp_path / "link"), "/") == str(named)


def test_the_nearest_registered_project_comes_before_a_nearer_checkout(tmp_path: Path) -> None:
    project = register(tmp_path / "p")
    inner = checkout(project / "vendor/lib") / "src"
    inner.mkdir()
    assert resolve_project_root("", str(inner)) == str(project)


def test_without_one_it_is_the_nearest_checkout(tmp_path: Path) -> None:
    outer = checkout(tmp_path / "p")
    inner = checkout(outer / "sub") / "src"
    inner.mkdir()
    assert resolve_project_root("", str(inner)) == str(outer / "sub")
    (outer / "tree").mkdir()
    (outer / "tree/.git").write_text("gitdir: elsewhere", encoding="utf-8")  # a linked worktree
    assert resolve_project_root("", str(outer / "tree")) == str(outer / "tree")


def test_an_empty_git_folder_is_no_checkout(tmp_path: Path) -> None:
    (tmp_path / "p/.git").mkdir(parents=True)
    assert not root.is_checkout(str(tmp_path / "p"))


def test_neither_is_an_error_that_the_safe_form_swallows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(root, "_parents", lambda place: [])
    with pytest.raises(ResolverError, match=f"no project around {tmp_path}") as caught:
        resolve_project_root("", str(tmp_path))
    assert caught.value.status == 2 and "--project-root" in caught.value.next_step
    assert resolve_project_root_safe("", str(tmp_path)) == ""
    with pytest.raises(ResolverError, match="not a folder: --project-root=none"):
        resolve_project_root("none", str(tmp_path))
    assert resolve_project_root_safe("none", str(tmp_path)) == ""


def test_parents_end_at_the_top() -> None:
    assert root._parents("/a/b") == ["/a", "/"]


@pytest.mark.parametrize(
    ("name", "why"), [(b"caf\xe9", "not UTF-8"), (b"a\nb", "control"), (b"a\x7fb", "control")]
)
def test_a_path_that_no_file_could_hold_is_refused(name: bytes, why: str, tmp_path: Path) -> None:
    place = os.fsdecode(os.fsencode(tmp_path) + b"/" + name)
    os.mkdir(place)
    with pytest.raises(ResolverError, match=why):
        resolve_project_root(place, "/")
