from __future__ import annotations

import os
from pathlib import Path

import pytest

from okstra_ctl.clarifications.carry_in_files import LIMIT, carry_in, sidecars
from okstra_kernel import Refusal, UserError


@pytest.fixture
def report(tmp_path: Path) -> Path:
    run = tmp_path / "run 하나"
    for folder in ("reports", "user-responses"):
        (run / folder).mkdir(parents=True)
    path = run / "reports" / "final-report-error-analysis-002.md"
    path.write_text("# Report\n\nQ?\n\n", encoding="utf-8")
    for name, text in (
        ("user-response-error-analysis-010.md", "\nlate\n\n"),
        ("user-response-error-analysis-002.md", "답\n"),
        ("user-response-error-analysis-2.md", "too short a number"),
        ("note.md", "not an answer"),
        (".user-response-error-analysis-003.md.1.tmp", "half"),
    ):
        (run / "user-responses" / name).write_text(text, encoding="utf-8")
    return path


def test_a_report_comes_with_its_answers_in_order(report: Path) -> None:
    """L-031, P-146: the report unedited, and after it every answer file."""
    assert carry_in(str(report), "r") == (
        "# Report\n\nQ?\n\n"
        "## Answers: user-response-error-analysis-002.md\n\n답\n\n"
        "## Answers: user-response-error-analysis-010.md\n\nlate\n"
    )


def test_a_note_has_no_answers(tmp_path: Path) -> None:
    """P-152."""
    (tmp_path / "user-responses").mkdir()
    (tmp_path / "user-responses" / "user-response-x-001.md").write_text("other")
    note = tmp_path / "notes" / "n.md"
    note.parent.mkdir()
    note.write_bytes(b"\xef\xbb\xbfyes")
    assert carry_in(str(note), "n") == "yes\n"


def test_a_report_without_answers_stands_alone(report: Path, tmp_path: Path) -> None:
    path = tmp_path / "other" / "reports" / "r.md"
    path.parent.mkdir(parents=True)
    path.write_text("r")
    assert sidecars(str(path)) == []
    (tmp_path / "other" / "user-responses").touch()  # not even a folder
    assert sidecars(str(path)) == []


def test_what_cannot_be_carried_in_is_named(report: Path, tmp_path: Path) -> None:
    """L-086, P-102."""
    with pytest.raises(UserError, match=r"^clarification response file not found: given$"):
        carry_in(str(tmp_path / "none"), "given")
    with pytest.raises(UserError, match=r"^clarification response file not found: given$"):
        carry_in(str(tmp_path), "given")
    answer = report.parents[1] / "user-responses" / "user-response-error-analysis-002.md"
    answer.write_bytes(b"ok\xff")
    with pytest.raises(UserError, match=r"-002.md: byte 2 is not UTF-8$"):
        carry_in(str(report), "given")
    os.truncate(answer, LIMIT + 1)
    with pytest.raises(UserError, match=r"^larger than 8 MiB: .*-002.md$"):
        carry_in(str(report), "given")
    answer.unlink()
    os.mkfifo(answer)
    with pytest.raises(UserError, match=r"^not a file: .*-002.md$"):
        carry_in(str(report), "given")


def test_a_link_among_the_answers_is_not_read(report: Path, tmp_path: Path) -> None:
    """Z-101: what it leads to would stand in the bundle."""
    victim = tmp_path / "victim"
    victim.write_text("secret", encoding="utf-8")
    folder = report.parent.parent / "user-responses"
    (folder / "user-response-error-analysis-011.md").symlink_to(victim)
    with pytest.raises(Refusal, match="reads no links among answers"):
        carry_in(str(report), "x")
