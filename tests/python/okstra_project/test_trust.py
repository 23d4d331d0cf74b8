"""Whose .okstra is honoured (Z-102, G-020, XS-05)."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from okstra_kernel import UserError
from okstra_project import trust, trust_files, trust_question

ID = trust.Identity("/p", 1000, "c")


@pytest.mark.parametrize(
    ("row", "path", "uid", "same", "answer"),
    [
        (trust.Row(ID, True, "asked", ""), "/p", 1000, True, True),
        (trust.Row(ID, False, "revoked", ""), "/p", 1000, True, False),
        (trust.Row(ID, True, "asked", ""), "/q", 1000, True, False),
        (trust.Row(ID, True, "asked", ""), "/p", 0, True, False),
        (trust.Row(ID, True, "asked", ""), "/p", 1000, False, False),
        (None, "/p", 1000, True, False),
    ],
)
def test_what_a_row_speaks_for(
    row: trust.Row | None, path: str, uid: int, same: bool, answer: bool
) -> None:
    assert trust.holds(row, path, uid, same) is answer


def test_the_last_row_of_a_path_counts() -> None:
    rows = [trust.Row(ID, True, "asked", "1"), trust.Row(ID, False, "revoked", "2")]
    other = trust.Row(trust.Identity("/q", 1, ""), True, "asked", "3")
    assert trust.newest([*rows, other], "/p") == rows[1]
    assert trust.newest(rows, "/none") is None


def git(folder: Path, *words: str) -> None:
    who = ["-c", "user.name=t", "-c", "user.email=t@t", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", "-C", str(folder), *who, *words], check=True, capture_output=True)


def repository(folder: Path, first: str = "first") -> Path:
    folder.mkdir()
    git(folder, "init", "-q")
    git(folder, "commit", "-q", "--allow-empty", "-m", first)
    return folder


def test_trust_is_recorded_revoked_and_bound_to_the_repository(tmp_path: Path) -> None:
    home, project = tmp_path / "home", repository(tmp_path / "p")
    home.mkdir()
    assert not trust_files.is_trusted(str(home), str(project))
    trust_files.record(str(home), str(project), "asked")
    assert trust_files.is_trusted(str(home), str(project))
    trust_files.record(str(home), str(project), "revoked", trusted=False)
    assert not trust_files.is_trusted(str(home), str(project))
    trust_files.record(str(home), str(project), "--trust")
    git(project, "commit", "-q", "--allow-empty", "-m", "later")
    assert trust_files.is_trusted(str(home), str(project))

    project.rename(tmp_path / "moved")
    assert not trust_files.is_trusted(str(home), str(tmp_path / "moved"))
    repository(tmp_path / "p", "another history")
    assert not trust_files.is_trusted(str(home), str(project))
    assert (home / "trust.jsonl").stat().st_mode & 0o777 == 0o600


def test_without_git_the_path_and_the_owner_tell(tmp_path: Path) -> None:
    (tmp_path / "p").mkdir()
    trust_files.record(str(tmp_path), str(tmp_path / "p"), "registered")
    (row,) = trust_files.rows(str(tmp_path))
    assert row.identity == (str(tmp_path / "p"), os.geteuid(), "")
    assert trust_files.is_trusted(str(tmp_path), str(tmp_path / "p"))


def test_a_line_that_is_no_row_trusts_nothing(tmp_path: Path) -> None:
    (tmp_path / "p").mkdir()
    trust_files.record(str(tmp_path), str(tmp_path / "p"), "registered")
    with open(tmp_path / "trust.jsonl", "a", encoding="utf-8") as stream:
        stream.write(f'{{"path": "{tmp_path}/p", "trusted": "yes"}}\n{{\n')
    assert len(trust_files.rows(str(tmp_path))) == 1
    assert trust_files.is_trusted(str(tmp_path), str(tmp_path / "p"))


def test_what_could_take_effect_is_named(tmp_path: Path) -> None:
    base = tmp_path / ".okstra"
    for place in (
        *("project.json", "tasks/g/i/task-manifest.json", "tasks/g/i/qa/scripts/stage-1.sh"),
        *("tasks/g/i/runs/implementation-planning/approvals/a.json", "tasks/g/i/notes/n.md"),
        *("tasks/g/i/runs/x/manifests/run-manifest-x-001.json", "tasks/g/i/tool"),
    ):
        (base / place).parent.mkdir(parents=True, exist_ok=True)
        (base / place).touch(0o644)
    (base / "tasks/g/i/tool").chmod(0o755)
    (base / "tasks/g/i/link").symlink_to("/etc")
    (base / "file-link").symlink_to("/etc/passwd")
    assert trust_files.holdings(str(tmp_path)) == [
        "link: .okstra/file-link",
        "settings and commands: .okstra/project.json",
        "link: .okstra/tasks/g/i/link",
        "program: .okstra/tasks/g/i/tool",
        "check script: .okstra/tasks/g/i/qa/scripts/stage-1.sh",
        "approval: .okstra/tasks/g/i/runs/implementation-planning/approvals/a.json",
        "recorded command line: .okstra/tasks/g/i/runs/x/manifests/run-manifest-x-001.json",
    ]
    with pytest.raises(UserError, match=r"\.okstra: No such file"):
        trust_files.holdings(str(tmp_path / "none"))


def test_the_question_shows_names_that_drive_no_terminal() -> None:
    shown = trust_question.question("/p\x1b[2J", ["link: a\x1b]0;x\x07\u202e"] * 50, "en")
    assert "\x1b" not in shown and "\u202e" not in shown
    assert "/p\\x1b[2J" in shown and "  … +10" in shown
    assert shown.endswith("[y/N] ")
    assert "no commands, scripts or approvals" in trust_question.question("/p", [], "en")
    assert trust_question.question("/p", [], "ko") != trust_question.question("/p", [], "en")


def test_the_answer_is_asked_on_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def confirm(question: str, *, flag: str) -> bool:
        asked.append((question, flag))
        return True

    monkeypatch.setattr("okstra_kernel.terminal.confirm", confirm)
    assert trust_question.ask("/p", ["x: y"], "en")
    assert asked == [(trust_question.question("/p", ["x: y"], "en"), "--trust")]


def test_the_records_of_many_runs_hide_nothing_else() -> None:
    records = [f"recorded command line: .okstra/m-{n:03d}.json" for n in range(60)]
    shown = trust_question.question("/p", [*records, "program: .okstra/x"], "en")
    assert (
        "  program: .okstra/x\n  recorded command line: 60, such as .okstra/m-000.json\n" in shown
    )
