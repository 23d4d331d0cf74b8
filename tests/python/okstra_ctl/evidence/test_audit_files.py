from __future__ import annotations

import json
from pathlib import Path

import pytest

from okstra_ctl.evidence import audit_files, result_files
from okstra_kernel import UserError

NAME = "codex-analyser-error-analysis-001"
AUDIT = "codex-analyser-audit-error-analysis-001"


@pytest.fixture
def run_dir(tmp_path: Path, good_result: str, good_audit: str) -> Path:
    folder = tmp_path / "빈 run"
    (folder / "worker-results").mkdir(parents=True)
    (folder / "prompts").mkdir()
    put(folder, f"worker-results/{NAME}.md", good_result)
    put(folder, f"worker-results/{AUDIT}.md", good_audit)
    put(folder, f"prompts/{NAME}.md", "**Evidence ledger:** required-v1\n")
    return folder


def put(folder: Path, name: str, text: str) -> None:
    (folder / name).write_text(text, encoding="utf-8")


def check(folder: Path, worker: str = "") -> tuple[int, list[tuple[str, str, str]]]:
    status, text = audit_files.report(str(folder), "error-analysis", "001", worker)
    found = json.loads(text)
    assert found["ok"] == (found["failures"] == []) == (status == 0)
    return status, [(one["worker"], one["rule"], one["citation"]) for one in found["failures"]]


def test_a_run_whose_workers_read_what_they_cite(run_dir: Path) -> None:
    """D-160, D-161, D-164; other numbers and the sidecars themselves do not count (D-162)."""
    put(run_dir, f"worker-results/{NAME.replace('001', '002')}.md", "no result")
    put(run_dir, "worker-results/codex-analyser-final-verification-001.md", "no result")
    put(run_dir, "worker-results/report-writer-audit-error-analysis-001.md", "no sidecar")
    assert check(run_dir) == (0, [])
    assert check(run_dir, "codex-analyser") == (0, [])


def test_a_place_that_was_not_read(run_dir: Path, good_audit: str) -> None:
    """D-161, D-163: rule (c)."""
    put(run_dir, f"worker-results/{AUDIT}.md", good_audit.replace("30-60", "42-60"))
    failure = ("codex-analyser", "evidence-row", "src/cache.py:41")
    assert check(run_dir) == (2, [failure])
    prompt = (run_dir / f"prompts/{NAME}.md").rename(run_dir / "prompts/old")
    assert check(run_dir) == (0, [])  # D-165
    prompt.rename(run_dir / "prompts/codex-analyser-initial-error-analysis-001.md")
    assert check(run_dir) == (2, [failure])


def test_the_sidecar_is_missing(run_dir: Path) -> None:
    """D-134, D-161: rule (b)."""
    (run_dir / f"worker-results/{AUDIT}.md").unlink()
    assert check(run_dir) == (2, [("codex-analyser", "audit-sidecar", "")])


@pytest.mark.parametrize(
    ("old", "new", "rule"),
    [
        ("## 3.", "## 0. Reading Confirmation\n\n## 3.", "reading-confirmation-in-result"),
        ("workerId: codex-analyser", "workerId: claude-analyser", "identity"),
        ("seq: 001", "seq: 002", "identity"),
        ("- Kind: defect", "- Kind: bug", "finding"),
        ("<!--", "<!-", "closing-marker"),
    ],
)
def test_a_result_at_fault(old: str, new: str, rule: str, run_dir: Path, good_result: str) -> None:
    """D-161 rule (a), D-163, XI-16."""
    put(run_dir, f"worker-results/{NAME}.md", good_result.replace(old, new, 1))
    status, failures = check(run_dir)
    assert (status, ("codex-analyser", rule, "") in failures) == (2, True)


def test_a_reverification_belongs_to_its_worker(
    run_dir: Path, good_reverification: str, good_audit: str
) -> None:
    """H-012: its name holds the round."""
    stem = "worker-results/codex-analyser-reverify-r1"
    put(run_dir, f"{stem}-error-analysis-001.md", good_reverification)
    assert check(run_dir, "codex-analyser") == (
        2,
        [("codex-analyser-reverify-r1", "audit-sidecar", "")],
    )
    put(run_dir, f"{stem}-audit-error-analysis-001.md", good_audit)
    assert check(run_dir) == (0, [])


@pytest.mark.parametrize("worker", ["codex", "codex-analyser-2", "claude-analyser"])
def test_no_result_of_a_worker(worker: str, run_dir: Path) -> None:
    """D-164, XI-16."""
    assert check(run_dir, worker) == (2, [(worker, "result-file", "")])


def test_links_are_not_followed(run_dir: Path) -> None:
    """XS-06, Z-101."""
    result = run_dir / f"worker-results/{NAME}.md"
    result.rename(run_dir / "elsewhere.md")
    result.symlink_to(run_dir / "elsewhere.md")
    assert check(run_dir) == (2, [("codex-analyser", "result-file", "")])


def test_words_that_name_no_run(run_dir: Path) -> None:
    """D-164: wrong usage has no JSON."""
    with pytest.raises(UserError, match="not a folder: /nowhere"):
        audit_files.report("/nowhere", "error-analysis", "001")
    with pytest.raises(UserError, match="not a run number of three digits or more: 1"):
        audit_files.report(str(run_dir), "error-analysis", "1")


def test_a_folder_without_results_has_no_failure(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert check(tmp_path) == (0, [])
    assert capfd.readouterr().err == "worker-audit-check: no result of error-analysis 001 yet\n"


def test_a_result_that_is_missing_is_told(tmp_path: Path) -> None:
    """Z-013, XI-16, D-133."""
    reason, (only,) = result_files.judge(str(tmp_path / "no.md"))
    assert (reason, only.rule) == ("missing-result", "result-file")
