"""Trust shown, asked for and revoked (Z-102, G-020, U-15)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from okstra_ctl.inspect import trusting
from okstra_kernel import Refusal, UserError
from okstra_project import trust_files


def rows(tmp_path: Path) -> list[tuple[bool, str]]:
    return [(row.trusted, row.via) for row in trust_files.rows(str(tmp_path / "빈 home"))]


def test_trust_is_shown_granted_and_revoked(project: Path, tmp_path: Path) -> None:
    status, text = trusting.show("", as_json=False)
    assert (status, json.loads(text)) == (
        1,
        {
            **{"schemaVersion": 1, "ok": False, "projectRoot": str(project), "present": True},
            **{"trusted": False, "changed": False},
            "holdings": ["settings and commands: .okstra/project.json"],
        },
    )
    assert rows(tmp_path) == []
    assert trusting.revoke("", as_json=False) == (0, f"not trusted already: {project}")
    assert trusting.grant("", yes=True, as_json=False) == (0, f"trusted: {project}")
    assert trusting.grant("", yes=True, as_json=False) == (0, f"trusted already: {project}")
    assert trusting.show(str(project), as_json=True)[0] == 0
    found = json.loads(trusting.revoke(str(project), as_json=True)[1])
    assert (found["trusted"], found["changed"]) == (False, True)
    assert rows(tmp_path) == [(True, "okstra trust"), (False, "revoked")]


def test_it_is_asked_for_with_what_it_holds(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def confirm(question: str, *, flag: str) -> bool:
        asked.append((question, flag))
        return len(asked) > 1

    monkeypatch.setattr("okstra_kernel.terminal.confirm", confirm)
    monkeypatch.setenv("OKSTRA_LANG", "ko")
    with pytest.raises(Refusal, match="the answer was no") as caught:
        trusting.grant("", yes=False, as_json=False)
    assert caught.value.status == 1 and rows(tmp_path) == []
    assert trusting.grant("", yes=False, as_json=False)[0] == 0
    question, flag = asked[0]
    assert flag == "--yes" and str(project) in question
    assert "settings and commands: .okstra/project.json" in question


def test_nobody_to_ask_is_told_the_flag(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("okstra_kernel.terminal.DEVICE", "/none")
    with pytest.raises(UserError) as caught:
        trusting.grant("", yes=False, as_json=False)
    assert (caught.value.status, caught.value.next_step) == (2, "pass --yes")
    assert not (tmp_path / "빈 home").exists()


def test_a_project_without_the_folder_says_so(project: Path, tmp_path: Path) -> None:
    bare = tmp_path / "bare"
    bare.mkdir()
    with pytest.raises(Refusal, match=r"nothing to trust yet: no \.okstra/ in "):
        trusting.grant(str(bare), yes=True, as_json=False)
    found = json.loads(trusting.show(str(bare), as_json=True)[1])
    assert (found["present"], found["trusted"], found["holdings"]) == (False, False, [])


def test_a_link_in_place_of_the_folder_is_refused(project: Path, tmp_path: Path) -> None:
    (tmp_path / "q").mkdir()
    (tmp_path / "q/.okstra").symlink_to(project / ".okstra")
    with pytest.raises(Refusal, match="links"):
        trusting.grant(str(tmp_path / "q"), yes=True, as_json=False)


@pytest.mark.usefixtures("terminal")
def test_on_a_terminal(project: Path, tmp_path: Path) -> None:
    (project / ".okstra/a\x1b[2J").touch(0o755)
    (project / ".okstra/a\x1b[2J").chmod(0o755)
    assert trusting.show("", as_json=False)[1].splitlines() == [
        f"not trusted: {project}",
        "  program: .okstra/a\\x1b[2J",
        "  settings and commands: .okstra/project.json",
    ]
    (tmp_path / "bare").mkdir()
    told = trusting.show(str(tmp_path / "bare"), as_json=False)
    assert told == (1, f"nothing to trust yet: no .okstra/ in {tmp_path}/bare")
