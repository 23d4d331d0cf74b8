"""What a run used: every start counts, and what is not known is not 0 (R-095 to R-102, Z-097)."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import finished_run
import pytest
from finished_run import Finished

from okstra_ctl.dispatch.run_files import RunFiles
from okstra_ctl.providers.usage import Spent, Usage
from okstra_ctl.reports import usage_files
from okstra_ctl.reports.usage_files import Turns
from okstra_ctl.runs import team_state_files

SESSION = "4f1c9a4e-8b1c-4f6a-9d57-2f0f6e2b7a11"
CLAUDE = Usage(100, 15, 20, 10)
CODEX = Usage(200, 30, 40, 0)


def change(run: RunFiles, worker: str, kind: str, **members: Any) -> None:
    def edit(state: dict[str, Any]) -> dict[str, Any]:
        rows = [
            {**one, **members} if (one["workerId"], one["dispatchKind"]) == (worker, kind) else one
            for one in state["workerDispatches"]
        ]
        return {**state, "workerDispatches": rows}

    team_state_files.change(run.home, run.root, run.team_state, edit)


def log(run: RunFiles, worker: str) -> Path:
    return Path(run.path(run.file("prompts", worker, ".log")))


def test_each_worker_and_kind(finished: Finished) -> None:
    claude = Turns("claude", Spent((("claude-opus-5-5", CLAUDE),)), 1)
    codex = Turns("codex", Spent((("gpt-6-sol", CODEX),)), 1)
    assert usage_files.of_run(finished.run, {}) == {
        ("claude-analyser", "initial"): claude,
        ("codex-analyser", "initial"): codex,
        ("codex-analyser", "reverify-r1"): codex,
        ("report-writer", "report-writer"): claude,
    }


def test_held_and_repeated_attempts_count(finished: Finished) -> None:
    for number in (1, 2):
        earlier = f"{log(finished.run, 'codex-analyser')}.earlier-{number}"
        Path(earlier).write_text(finished_run.of_codex(f"t-{number}", 1000, 1, 0), "utf-8")
    found = usage_files.of_run(finished.run, {})["codex-analyser", "initial"]
    assert found == Turns("codex", Spent((("gpt-6-sol", Usage(2200, 32, 40)),)), 3)


def test_a_lost_transcript_is_not_nothing(finished: Finished) -> None:
    log(finished.run, "codex-analyser").unlink()
    found = usage_files.of_run(finished.run, {})["codex-analyser", "initial"]
    assert found == Turns("codex", Spent(why="1 of its transcripts are not there"), 0)


def test_what_never_started_used_nothing(finished: Finished) -> None:
    log(finished.run, "codex-analyser").unlink()
    change(finished.run, "codex-analyser", "initial", status="error", pid=None)
    found = usage_files.of_run(finished.run, {})["codex-analyser", "initial"]
    assert found == Turns("codex", Spent(), 0)


def test_a_worker_at_work_is_counted_so_far(finished: Finished) -> None:
    change(finished.run, "claude-analyser", "initial", status="in-progress")
    found = usage_files.of_run(finished.run, {})["claude-analyser", "initial"].spent
    assert (found.usage, found.why) == (CLAUDE, "it is still at work")


@pytest.mark.parametrize("provider", ["grok", "antigravity"])
def test_a_cli_that_tells_nothing(finished: Finished, provider: str) -> None:
    change(finished.run, "codex-analyser", "initial", provider=provider)
    found = usage_files.of_run(finished.run, {})["codex-analyser", "initial"].spent
    assert found == Spent(why="this CLI does not tell what it used")


def test_an_engine_of_ours_is_free(finished: Finished) -> None:
    change(finished.run, "codex-analyser", "initial", provider="local")
    log(finished.run, "codex-analyser").unlink()
    assert usage_files.of_run(finished.run, {})["codex-analyser", "initial"].spent == Spent()


def test_another_model_than_was_asked_for_has_no_price_of_that(finished: Finished) -> None:
    """Claude keeps its totals under the model asked for (80 §4)."""
    told = {"modelMismatch": True, "modelUsed": "claude-haiku-5-5"}
    change(finished.run, "claude-analyser", "initial", **told)
    found = usage_files.of_run(finished.run, {})["claude-analyser", "initial"].spent
    assert found == Spent((("claude-haiku-5-5", CLAUDE),))


def claude_log(home: Path, name: str, *rows: tuple[str, str, int]) -> None:
    """Write a session log: a line for each (time, message id, input tokens)."""
    path = home / ".claude/projects/-p" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    told = [
        {
            "type": "assistant",
            "timestamp": when,
            "message": {"id": name, "model": "m", "usage": {"input_tokens": tokens}},
        }
        for when, name, tokens in rows
    ]
    path.write_text("".join(f"{json.dumps(one)}\n" for one in told), "utf-8")


def test_a_killed_turn_is_looked_up_in_its_session_log(finished: Finished) -> None:
    head = {"type": "system", "subtype": "init", "session_id": SESSION}
    log(finished.run, "claude-analyser").write_text(f"{json.dumps(head)}\n", "utf-8")
    key = ("claude-analyser", "initial")
    environment = {"HOME": str(finished.place.home)}
    lost = usage_files.of_run(finished.run, environment)[key].spent
    assert lost == Spent(why="ended before claude told its totals")
    claude_log(finished.place.home, f"{SESSION}.jsonl", ("2026-03-01T10:00:30Z", "a", 70))
    claude_log(finished.place.home, f"{SESSION}/subagents/agent-1.jsonl", ("", "b", 5))
    found = usage_files.of_run(finished.run, environment)[key].spent
    assert found == Spent((("m", Usage(75)),))


def lead(finished: Finished, **members: Any) -> RunFiles:
    manifest = {**finished.run.manifest, "startedAt": "2026-03-01T10:00:00Z", **members}
    return finished.run._replace(manifest=manifest)


UNTIL = 1_772_359_800  # 2026-03-01T10:10:00Z


def test_the_lead_of_a_host_counts_within_the_run(finished: Finished) -> None:
    """A session goes on before and after a run (80 §5, R-098)."""
    run = lead(finished, leadRuntime="claude-code", leadSessionId=SESSION)
    environment = {"HOME": str(finished.place.home)}
    assert usage_files.of_lead(run, UNTIL, environment) == Spent(
        why=f"no log of the session {SESSION}"
    )
    rows = [("2026-03-01T09:59:59Z", "a", 1), ("2026-03-01T10:00:00Z", "b", 10)]
    rows += [("2026-03-01T10:10:00Z", "c", 100), ("2026-03-01T10:10:01Z", "d", 1000)]
    claude_log(finished.place.home, f"{SESSION}.jsonl", *rows)
    assert usage_files.of_lead(run, UNTIL, environment) == Spent((("m", Usage(110)),))


@pytest.mark.parametrize(
    ("runtime", "session", "expected"),
    [
        ("external", "", Spent()),
        ("claude-code", "", Spent(why="the run's manifest has no session id of its lead")),
        ("codex", SESSION, Spent(why=f"no log of the thread {SESSION}")),
        ("antigravity", SESSION, Spent(why="Antigravity keeps no log that tells it")),
    ],
)
def test_other_leads(finished: Finished, runtime: str, session: str, expected: Spent) -> None:
    """A lead is never counted by another host's log (R-098); an external one has none."""
    run = lead(finished, leadRuntime=runtime, leadSessionId=session)
    claude_log(finished.place.home, f"{SESSION}.jsonl", ("2026-03-01T10:00:30Z", "a", 70))
    environment = {"HOME": str(finished.place.home)}
    assert usage_files.of_lead(run, UNTIL, environment) == expected


def test_a_rotated_run_is_counted_in_its_archive(finished: Finished) -> None:
    """P-223."""
    folder = Path(finished.run.path(finished.run.run_dir))
    (folder / "archive/run-001").mkdir(parents=True)
    before = usage_files.of_run(finished.run, {})
    shutil.move(folder / "prompts", folder / "archive/run-001/prompts")
    assert usage_files.of_run(finished.run, {}) == before
