"""What a report writer may word, and what it may not touch (H-021)."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any, Callable

import pytest
import report_samples as samples

from okstra_ctl.dispatch import report_files
from okstra_ctl.dispatch.outcome import Product
from okstra_ctl.dispatch.run_files import RunFiles
from okstra_ctl.reportdata import draft, report
from okstra_project import task_key

Members = dict[str, Any]


@pytest.fixture
def drafted() -> Members:
    return draft.draft(
        samples.manifest(),
        samples.state(),
        samples.team_state(),
        language="en",
        state_path=samples.STATE_PATH,
        state_sha256="0" * 64,
    )


@pytest.fixture
def run(tmp_path: Path, drafted: Members) -> RunFiles:
    key = task_key.parse("shop:g:T1")
    found = RunFiles(str(tmp_path), str(tmp_path), {}, key, "s", "run", "error-analysis", "001")
    path = Path(found.path(report_files.draft_path(found)))
    path.parent.mkdir(parents=True)
    path.write_bytes(report.file_bytes(drafted))
    return found


def _says(name: str, key: str, value: Any) -> Callable[[Members], None]:
    def edit(data: Members) -> None:
        data[name][key] = value

    return edit


def _row(name: str, key: str, value: Any) -> Callable[[Members], None]:
    def edit(data: Members) -> None:
        data[name][0][key] = value

    return edit


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        (_says("humanSummary", "headline", "In better words."), ""),
        (_says("verdictCard", "verdict", "It is the key."), ""),
        (_says("verdictCard", "confidence", "low"), ""),
        (_says("verdictCard", "confidence", "sure"), "$.verdictCard.confidence"),
        (_row("findings", "class", "rejected"), "$."),
        (_row("findings", "claim", "something else"), "$.findings: not as in the draft"),
        (_row("findings", "votes", []), "$.findings: not as in the draft"),
        (_says("convergence", "rounds", 9), "$.convergence: not as in the draft"),
        (lambda data: data.pop("limits"), "$.limits: missing"),
    ],
)
def test_what_was_counted_stays(
    run: RunFiles, drafted: Members, edit: Callable[[Members], None], said: str
) -> None:
    data = copy.deepcopy(drafted)
    edit(data)
    found = report_files.check(run, json.dumps(data).encode(), "x.json")
    if said:
        assert found.fault == "invalid-result" and said in found.detail
    else:
        assert found == Product("")


def test_nobody_is_surer_than_the_votes(run: RunFiles, drafted: Members) -> None:
    draft_path = Path(run.path(report_files.draft_path(run)))
    drafted["verdictCard"]["confidence"] = "low"
    draft_path.write_bytes(report.file_bytes(drafted))
    drafted["verdictCard"]["confidence"] = "medium"
    found = report_files.check(run, report.file_bytes(drafted), "x.json")
    assert found.detail == "$.verdictCard.confidence: medium; the votes carry low at most"
