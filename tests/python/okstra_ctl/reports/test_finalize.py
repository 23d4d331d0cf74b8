"""The one order of finalization, its stop rule, and that it can be done again (R-080 to R-088)."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from finished_run import Finished

from okstra_ctl.inspect import task_runs
from okstra_ctl.reports import finalize, renderings, report_index_files, token_usage
from okstra_kernel import UserError, schemas

ENV = {"HOME": "/nobody"}
ALL = ["token-usage", "render-views", "spawn-followups", "validate-run"]


def run(finished: Finished) -> tuple[int, dict[str, Any]]:
    return finalize.finalize(finished.run, finished.markdown, ENV)


def tree(finished: Finished) -> dict[str, bytes | None]:
    return {n: b for n, b in finished.place.tree().items() if ".locks/" not in n}


def test_all_steps_and_again_the_same_bytes(finished: Finished) -> None:
    status, told = run(finished)
    assert (status, told["ok"], told["steps"]) == (0, True, ALL)
    data = json.loads(finished.data.read_text("utf-8"))
    assert data["tokenUsage"]["worker"] == {
        **{"totalTokens": 145 + 270 + 270 + 145, "billableTokens": "unknown"},
        "costUsd": "unknown",
    }
    assert data["tokenUsage"]["lead"] == {"totalTokens": 0, "billableTokens": 0, "costUsd": 0.0}
    assert "| worker | 830 | unknown | unknown |" in Path(finished.markdown).read_text("utf-8")
    state = finished.folder / "state/team-state-error-analysis-001.json"
    assert schemas.check(json.loads(state.read_text("utf-8")), "team-state") == []
    status_file = finished.folder / "status/final-error-analysis-001.status"
    assert status_file.read_text("utf-8").split("\n")[0] == "completed"
    assert finalize.is_final(finished.run)
    before = tree(finished)
    assert run(finished)[0] == 0
    assert tree(finished) == before


def test_task_views_say_how_it_went(finished: Finished) -> None:
    """R-007."""
    assert [r["status"] for r in runs(finished)] == ["prepared"]
    run(finished)
    assert [r["status"] for r in runs(finished)] == ["completed"]


def runs(finished: Finished) -> list[dict[str, Any]]:
    return task_runs.read(finished.run.root, finished.run.key)[0]


def test_the_first_step_that_fails_is_named_and_the_last(
    finished: Finished, monkeypatch: pytest.MonkeyPatch
) -> None:
    """R-081: later steps are not run, and the repaired run goes on to the end."""

    def fail(*words: object) -> None:
        raise UserError("no room", next_step="make some")

    monkeypatch.setattr(renderings, "write_page", fail)
    status, told = run(finished)
    assert (status, told) == (
        2,
        {
            **{"schemaVersion": 1, "ok": False, "failedStep": "render-views", "exitCode": 2},
            **{"completed": ["token-usage"], "message": "no room", "details": []},
            "nextStep": "make some",
        },
    )
    assert not finalize.is_final(finished.run)
    assert len(os.listdir(finished.place.project / ".okstra/tasks/checkout")) == 1
    monkeypatch.undo()
    monkeypatch.setenv("OKSTRA_HOME", str(finished.place.home))
    assert run(finished)[0] == 0


def test_a_breach_stops_before_the_run_is_called_completed(finished: Finished) -> None:
    def edit(data: dict[str, Any]) -> None:
        data["findings"][0]["confidence"] = "high" if is_low(data) else "low"

    def is_low(data: dict[str, Any]) -> bool:
        return bool(data["findings"][0]["confidence"] == "low")

    finished.change(finished.data, edit)
    status, told = run(finished)
    assert (status, told["failedStep"], told["completed"]) == (1, "validate-run", ALL[:3])
    assert told["breaches"][0]["contract"] == "finding-rows"
    assert told["breaches"][0]["line"] > 1
    assert not finalize.is_final(finished.run)
    finished.change(finished.data, edit)
    assert run(finished)[0] == 0


@pytest.mark.parametrize("name", ["md", "data.json"])
def test_the_report_in_either_form(finished: Finished, name: str) -> None:
    path = finished.markdown.removesuffix("md") + name
    assert finalize.finalize(finished.run, path, ENV)[0] == 0


def test_refused_before_the_first_step(finished: Finished) -> None:
    before = tree(finished)
    other = finished.markdown.replace("-001.", "-002.")
    with pytest.raises(UserError, match="not the report of this run"):
        finalize.finalize(finished.run, other, ENV)
    with pytest.raises(UserError, match="neither a report's"):
        finalize.finalize(finished.run, "x.txt", ENV)
    finished.data.rename(finished.data.with_suffix(".gone"))
    with pytest.raises(UserError, match="no such file"):
        run(finished)
    finished.data.with_suffix(".gone").rename(finished.data)
    assert tree(finished) == before


IMPROVEMENT = "# Improvements\n\n## 5.9 Improvement Candidates\n\n### I-001 — cache it\n\nx\n"


@pytest.mark.parametrize("asks", [False, True])
def test_a_report_without_data(finished: Finished, asks: bool) -> None:
    """Z-103: counts into the team state, an index, a page only where something is asked."""
    name = f"{finished.run.run_dir}/reports/final-report-improvement-discovery-001.md"
    manifest = {**finished.run.manifest, "finalReportPath": name}
    run_ = finished.run._replace(task_type="improvement-discovery", manifest=manifest)
    path = Path(finished.run.path(name))
    path.write_text(IMPROVEMENT + ("\n| C-001 | which? |\n" if asks else ""), "utf-8")
    status, told = finalize.finalize(run_, str(path), ENV)
    assert (status, told["failedStep"]) == (1, "validate-run")
    assert "index-anchor" in {one["contract"] for one in told["breaches"]}
    report_index_files.inject(str(path), "ko")
    _, told = finalize.finalize(run_, str(path), ENV)
    found = [one["contract"] for one in told.get("breaches", [])]
    assert [one for one in found if one in ("index-anchor", "report-views", "token-usage")] == []
    assert path.with_suffix(".html").exists() == asks


def test_counts_are_replaced(finished: Finished) -> None:
    """R-110."""
    state = finished.folder / "state/team-state-error-analysis-001.json"
    asked = token_usage.Asked(True, False, str(finished.data))
    first = token_usage.command(str(state), asked, ENV)
    before = tree(finished)
    assert token_usage.command(str(state), asked, ENV) == first
    assert tree(finished) == before
    told = json.loads(first[1])
    assert told["grand"]["totalTokens"] == 830
    assert told["unknown"] == [
        f"{name}: no price of its model is known"
        for name in ("claude-analyser", "codex-analyser", "report-writer")
    ]


def test_the_end_of_a_leads_session_stays_once_the_run_has_ended(finished: Finished) -> None:
    """The session goes on with other work (R-098)."""
    manifest = {**finished.run.manifest, "leadRuntime": "claude-code", "leadSessionId": ""}
    run_ = finished.run._replace(manifest=manifest)
    found = token_usage.collect(run_, ENV)
    assert found.until is not None
    token_usage.write(run_, found._replace(until="2026-03-01T10:10:00Z"))
    assert token_usage.collect(run_, ENV).until != "2026-03-01T10:10:00Z"
    status = finished.folder / "status/final-error-analysis-001.status"
    status.write_text("completed\n", "utf-8")
    assert token_usage.collect(run_, ENV).until == "2026-03-01T10:10:00Z"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("state/none.json", "not a team state"),
        ("state/team-state-error-analysis-009.json", "no such file"),
        ("../../../../../../outside.json", "not in a project"),
    ],
)
def test_token_usage_of_what_is_none(finished: Finished, name: str, message: str) -> None:
    with pytest.raises(UserError, match=message):
        token_usage.of_state(os.path.normpath(finished.folder / name))


def test_token_usage_of_another_runs_report(finished: Finished) -> None:
    finished.change(finished.data, lambda data: data.update(runId="another"))
    with pytest.raises(UserError, match="the report of another run"):
        token_usage.check_data(finished.run, str(finished.data))
    with pytest.raises(UserError, match=r"none\.data\.json"):
        token_usage.check_data(finished.run, str(finished.folder / "reports/none.data.json"))
