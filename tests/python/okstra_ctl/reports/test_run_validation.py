"""Every breach of a finished run is named with its file and line (R-120 to R-126)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Callable

import pytest
from finished_run import Finished

from okstra_ctl.reports import breach, finalize, run_validation
from okstra_ctl.reports.breach import Breach

ENV = {"HOME": "/nobody"}
TYPE = "error-analysis-001"


@pytest.fixture
def final(finished: Finished) -> Finished:
    """Return a run that was finalized, and keeps its contracts."""
    status, told = finalize.finalize(finished.run, finished.markdown, ENV)
    assert (status, told["ok"]) == (0, True), told
    assert run_validation.check(finished.run, ENV) == []
    return finished


def found(final: Finished) -> list[tuple[str, str, int]]:
    """Return contract, file below the run's folder, and line of each breach."""
    base = f"{final.run.run_dir}/"
    return [
        (one.contract, one.file.removeprefix(base).rstrip("/"), one.line)
        for one in run_validation.check(final.run, ENV)
    ]


def edit_data(final: Finished, edit: Callable[[dict[str, Any]], object]) -> None:
    final.change(final.data, edit)


def contracts(final: Finished) -> set[str]:
    return {one.contract for one in run_validation.check(final.run, ENV)}


DATA = f"reports/final-report-{TYPE}.data.json"


def line_of(final: Finished, text: str) -> int:
    lines = final.data.read_text("utf-8").split("\n")
    return next(n for n, line in enumerate(lines, 1) if text in line)


def test_a_class_the_votes_did_not_make(final: Finished) -> None:
    """A writer cannot promote a finding: that is the state's (Z-020)."""

    def edit(data: dict[str, Any]) -> None:
        data["findings"][0]["class"] = "contested"
        data["consensus"] = []
        data["convergence"]["classes"].update(consensus=0, contested=1)

    edit_data(final, edit)
    assert (breach.ROWS, DATA, line_of(final, '"class": "contested"')) in found(final)
    assert contracts(final) == {breach.ROWS, breach.MARKDOWN, breach.VIEWS}


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (lambda d: d["findings"][0].update(confidence="low"), "$.findings[0].confidence: "),
        (lambda d: d["findings"][0]["votes"].clear(), "$.findings[0].votes: "),
        (lambda d: d["findings"][0]["votes"][0].update(basis="x"), "$.findings[0].votes: "),
        (lambda d: d["findings"][0]["raisedBy"].append("me"), "$.findings[0].raisedBy: "),
        (lambda d: d["convergence"].update(rounds=9), "$.convergence.rounds: "),
        (lambda d: d["convergence"].update(stateSha256="0" * 64), "$.convergence.stateSha256: "),
        (lambda d: d.update(runId="another"), "$.runId: "),
        (lambda d: d["executionStatus"][0].update(modelUsed="x"), "$.executionStatus[0].modelU"),
        (lambda d: d["executionStatus"].pop(), "$.executionStatus: report-writer"),
    ],
)
def test_what_differs_from_the_records(
    final: Finished, edit: Callable[[dict[str, Any]], object], message: str
) -> None:
    edit_data(final, edit)
    rows = [one for one in run_validation.check(final.run, ENV) if one.contract == breach.ROWS]
    assert [one.message.startswith(message) for one in rows] == [True]
    assert rows[0].line > 1


def test_the_schema_names_the_line(final: Finished) -> None:
    edit_data(final, lambda data: data["verdictCard"].update(confidence="absolute"))
    line = line_of(final, '"confidence": "absolute"')
    assert (breach.SCHEMA, DATA, line) in found(final)


def test_another_generation_is_refused_by_name(final: Finished) -> None:
    """Z-112."""
    edit_data(final, lambda data: data.update(schemaVersion="1.0"))
    told = [b for b in run_validation.check(final.run, ENV) if b.contract == breach.SCHEMA]
    assert "schemaVersion" in told[0].message


def test_any_changed_byte_of_the_votes(final: Finished) -> None:
    state = final.folder / f"state/convergence-{TYPE}.json"
    state.write_bytes(state.read_bytes().replace(b"opened", b"closed", 1))
    assert breach.CONVERGENCE in contracts(final)


def test_a_changed_answer_of_a_worker(final: Finished) -> None:
    result = final.folder / f"worker-results/claude-analyser-{TYPE}.md"
    result.write_bytes(result.read_bytes().replace(b"Severity: major", b"Severity: minor"))
    told = [b for b in run_validation.check(final.run, ENV) if b.contract == breach.CONVERGENCE]
    assert any("changed since it was read" in one.message for one in told)


def test_a_result_without_its_audit(final: Finished) -> None:
    """R-124."""
    (final.folder / f"worker-results/codex-analyser-audit-{TYPE}.md").unlink()
    names = [(name, contract) for contract, name, _ in found(final)]
    assert (f"worker-results/codex-analyser-{TYPE}.md", breach.WORKERS) in names
    assert (f"worker-results/codex-analyser-audit-{TYPE}.md", breach.WORKERS) in names


def test_a_result_that_confirms_its_own_reading(final: Finished) -> None:
    result = final.folder / f"worker-results/claude-analyser-{TYPE}.md"
    text = result.read_text("utf-8")
    place = text.index("## 1. Findings")
    result.write_text(f"{text[:place]}## 0. Reading Confirmation\n\n{text[place:]}", "utf-8")
    line = text[:place].count("\n") + 1
    assert (breach.WORKERS, f"worker-results/claude-analyser-{TYPE}.md", line) in found(final)


@pytest.mark.parametrize(
    ("text", "contract", "at"),
    [
        ("\n## User Approval Request\n\nx\n", breach.DEPRECATED, 2),
        ("\n## 0. Clarification Response Carried In\n\nNone.\n", breach.SECTION_0, 2),
    ],
)
def test_markdown_by_hand(final: Finished, text: str, contract: str, at: int) -> None:
    path = Path(final.markdown)
    before = path.read_text("utf-8")
    path.write_text(before + text, "utf-8")
    name = f"reports/final-report-{TYPE}.md"
    line = before.count("\n") + at
    assert (contract, name, line) in found(final)
    assert (breach.MARKDOWN, name, line) in found(final)


@pytest.mark.parametrize("name", ["md", "html", "data.json"])
def test_a_missing_form(final: Finished, name: str) -> None:
    """R-135: a missing page is caught here."""
    (final.folder / f"reports/final-report-{TYPE}.{name}").unlink()
    expected = {"md": {breach.MARKDOWN}, "html": {breach.VIEWS}}
    wanted = expected.get(name, {breach.SCHEMA})
    assert wanted <= contracts(final)


def test_a_stale_page_and_one_that_loads(final: Finished) -> None:
    page = final.folder / f"reports/final-report-{TYPE}.html"
    page.write_text(page.read_text("utf-8").replace("</body>", '<img src="//x/y"></body>'), "utf-8")
    place = (breach.VIEWS, f"reports/final-report-{TYPE}.html", 0)
    before = found(final)
    assert set(before) == {place}
    data = final.data.read_bytes()
    final.data.write_bytes(data + b"\n")
    assert found(final) == [*before, place]


def test_counts_that_were_not_collected(final: Finished) -> None:
    """R-084: the cells of a wrong order."""
    edit_data(final, lambda data: data["tokenUsage"]["grand"].update(costUsd="--"))
    told = [b for b in run_validation.check(final.run, ENV) if b.contract == breach.TOKENS]
    assert [one.message for one in told] == ["$.tokenUsage.grand.costUsd: not collected"]


def test_a_row_that_never_became_a_task(final: Finished) -> None:
    path = final.place.project / ".okstra/tasks/checkout/2-bf0eaedc/task-manifest.json"
    path.rename(path.with_suffix(".gone"))
    assert breach.FOLLOW_UPS in contracts(final)


def test_a_worker_that_is_still_at_work(final: Finished) -> None:
    state = final.folder / f"state/team-state-{TYPE}.json"
    final.change(state, lambda s: s["workerDispatches"][0].update(status="in-progress"))
    told = [b for b in run_validation.check(final.run, ENV) if b.contract == breach.WORKERS]
    assert told[0].message == "claude-analyser initial is in-progress"


def test_a_host_without_a_session_id_or_heartbeats(final: Finished) -> None:
    """R-098, R-126."""
    manifest = {**final.run.manifest, "leadRuntime": "claude-code", "leadSessionId": ""}
    run = final.run._replace(manifest=manifest)
    state = final.folder / f"state/team-state-{TYPE}.json"

    def edit(told: dict[str, Any]) -> None:
        seat = {"runner": "native-session", "endedAt": "2026-03-01T11:00:00Z"}
        told["workers"][0].update(seat)

    final.change(state, edit)
    told = [b for b in run_validation.check(run, ENV) if b.contract == breach.SESSION]
    assert [one.message[:38] for one in told] == [
        "no session id of its lead: what it use",
        "claude-analyser: no heartbeat for 3600",
    ]


@pytest.mark.parametrize("junk", [b"", b"{", b"\xff", b"[]", b'{"a": NaN}', b'{"a":1,"a":2}'])
@pytest.mark.parametrize(
    "name",
    [
        *(DATA, f"state/team-state-{TYPE}.json", f"state/convergence-{TYPE}.json"),
        *(f"state/convergence-work-{TYPE}.json", f"reports/final-report-{TYPE}.html"),
        *(f"worker-results/codex-analyser-{TYPE}.md", f"reports/final-report-{TYPE}.md"),
    ],
)
def test_what_cannot_be_read_is_a_breach_and_no_crash(
    final: Finished, name: str, junk: bytes
) -> None:
    """R-125."""
    (final.folder / name).write_bytes(junk)
    assert found(final) != []


def test_a_pipe_and_a_folder_are_breaches(final: Finished) -> None:
    import os

    final.data.unlink()
    os.mkfifo(final.data)
    Path(final.markdown).unlink()
    Path(final.markdown).mkdir()
    assert {breach.SCHEMA, breach.MARKDOWN} <= contracts(final)


def test_the_answer(final: Finished, capfd: pytest.CaptureFixture[str]) -> None:
    manifest = str(final.folder / f"manifests/run-manifest-{TYPE}.json")
    status, text = run_validation.command(manifest, ENV)
    good = {"schemaVersion": 1, "ok": True, "result": "valid", "breaches": []}
    assert (status, json.loads(text)) == (0, good)
    Path(final.markdown).unlink()
    status, text = run_validation.command(manifest, ENV)
    told = json.loads(text)
    assert (status, told["ok"], told["result"]) == (1, False, "contract-violated")
    assert told["breaches"][0]["contract"] == breach.MARKDOWN


def test_order_and_text() -> None:
    one, two = Breach("b", "f", 2, "m"), Breach("a", "f", 0, "n")
    assert breach.in_order([one, two, one]) == [two, one]
    assert (one.text(), two.text()) == ("f:2: b: m", "f: a: n")
