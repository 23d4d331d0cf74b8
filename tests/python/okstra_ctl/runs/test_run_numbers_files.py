from __future__ import annotations

from pathlib import Path

import pytest

from okstra_ctl.runs import index_files
from okstra_ctl.runs.run_numbers_files import next_run_seq, override
from okstra_kernel import UserError, jsonl
from okstra_project.task_key import TaskKey

KEY = TaskKey("shop", "g", "t")
RUN = ".okstra/tasks/g/t/runs/error-analysis"


@pytest.mark.parametrize(
    ("paths", "indexed", "number"),
    [
        ([], [], "001"),
        (["reports/final-report-error-analysis-002.md"], [], "003"),
        (["reports/final-report-error-analysis-002.md", "archive/run-007/x"], [], "008"),
        (["instruction-set/004/task-brief.md", "logs/x"], [], "005"),
        (["worker-results/a-error-analysis-009.json"], ["011"], "012"),
        ([], ["002"], "003"),
        (["../error-analysis-2/reports/final-report-error-analysis-050.md"], [], "001"),
        (["elsewhere/final-report-error-analysis-050.md"], [], "001"),
    ],
)
def test_next_run_seq(tmp_path: Path, paths: list[str], indexed: list[str], number: str) -> None:
    """P-176, Z-116: folders of the run, archive and index count."""
    home = tmp_path / "home"
    index_files.open_home(str(home))
    for path in paths:
        place = tmp_path / RUN / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.touch()
    other = [{"runId": "shop:g:t2/error-analysis/900"}, {"runId": "shop:g:t/error-analysis/x"}]
    rows = [{"runId": f"shop:g:t/error-analysis/{seq}"} for seq in indexed]
    jsonl.append(str(home), index_files.RECENT, [*other, *rows])
    assert next_run_seq(str(home), str(tmp_path), KEY, "error-analysis") == number


@pytest.mark.parametrize(("text", "number"), [("", ""), (" ", ""), ("7", "007"), (" 0012 ", "012")])
def test_override(text: str, number: str) -> None:
    """L-094, P-182."""
    assert override(text) == number


@pytest.mark.parametrize("text", ["abc", "0", "-1", "1.0", "1e3", "٣", "9" * 10, "1 2"])
def test_an_override_that_is_no_number_is_named(text: str) -> None:
    with pytest.raises(UserError) as caught:
        override(text)
    assert str(caught.value) == f"not a run number: OKSTRA_RUN_SEQ_OVERRIDE={text}"
