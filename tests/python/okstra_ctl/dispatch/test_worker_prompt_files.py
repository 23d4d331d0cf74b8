"""The prompts of a first round: what they name, and what is left alone (H-015, D-039)."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from prepare_place import BRIEF, Place

from okstra_ctl.dispatch import dispatch_plan, prompt_contract, worker_prompt_files
from okstra_ctl.dispatch.jobs import Job
from okstra_ctl.dispatch.run_files import RunFiles
from okstra_ctl.evidence import audit
from okstra_kernel import Refusal, UserError, fence

WORKERS = ("claude-analyser", "codex-analyser")


def jobs(run: RunFiles) -> list[Job]:
    return dispatch_plan.first_round(run, [])[0]


def written(run: RunFiles) -> dict[str, str]:
    """Return the prompts that are there, by the path from the project."""
    return {
        job.prompt_path: Path(run.path(job.prompt_path)).read_text("utf-8") for job in jobs(run)
    }


def rows(text: str) -> dict[str, str]:
    """Return the inputs that a prompt names, as its reader would confirm them."""
    section = text[text.index("## Inputs") : text.index("## Instruction and data")]
    sidecar = audit.read(section.replace("## Inputs", "## 0. Reading Confirmation"))
    assert sidecar.violations == ()
    return {one.path: one.sha256 for one in sidecar.confirmed}


def test_each_worker_gets_a_prompt_that_dispatch_accepts(run: RunFiles) -> None:
    paths = worker_prompt_files.write_initial(run, [])
    base = f"{run.run_dir}/prompts"
    assert paths == [f"{base}/{worker}-error-analysis-001.md" for worker in WORKERS]
    for job in jobs(run):
        prompt_contract.check(run, job)
    assert all(map(audit.asks_for_ledger, written(run).values()))
    assert all("{{" not in text for text in written(run).values())


def test_headers_hold_what_the_front_matter_repeats(run: RunFiles) -> None:
    worker_prompt_files.write_initial(run, ["codex-analyser"])
    path = run.path(f"{run.run_dir}/prompts/codex-analyser-error-analysis-001.md")
    found = prompt_contract.headers(Path(path).read_text("utf-8"))
    box = f"{run.root}/{run.run_dir}/outbox/codex-analyser-initial-001"
    assert found == {
        "Worker": "codex-analyser",
        "Provider": "codex",
        "Model": jobs(run)[1].model or "default",
        "Task Key": "shop:Checkout:DEV-1",
        "Task Type": "error-analysis",
        "Seq": "001",
        "Dispatch Kind": "initial",
        "Role": "analyser",
        "Brief": f"{run.root}/{run.manifest['instructionSetPath']}task-brief.md",
        "Project Root": run.root,
        "Result Path": f"{box}/result.md",
        "Audit Path": f"{box}/audit.md",
        "Errors log path": f"{box}/errors.json",
        "Evidence ledger": "required-v1",
    }


def test_inputs_are_named_with_their_digests_and_not_quoted(run: RunFiles) -> None:
    worker_prompt_files.write_initial(run, [])
    folder = run.manifest["instructionSetPath"]
    names = ["analysis-profile.md", "analysis-packet.md", "task-brief.md"]
    names += ["analysis-material.md", "reference-expectations.md"]
    digests = [hashlib.sha256(Path(run.path(folder + name)).read_bytes()) for name in names]
    for text in written(run).values():
        assert rows(text) == {
            folder + name: digest.hexdigest()[:12]
            for name, digest in zip(names, digests, strict=True)
        }
        assert "KeyError" in BRIEF and "KeyError" not in text
        assert not any(map(fence.begun, text.splitlines()))  # Z-050: there is nothing to fence


def test_a_critic_reads_the_results(run: RunFiles, place: Place) -> None:
    place.put(f"{run.run_dir}/worker-results/x.md", "found")
    job = jobs(run)[0]._replace(role="critic", worker_id="codex-critic")
    text = worker_prompt_files.of_job(run, job, [f"{run.run_dir}/worker-results/x.md"])
    digest = hashlib.sha256(b"found").hexdigest()[:12]
    assert rows(text)[f"{run.run_dir}/worker-results/x.md"] == digest


def test_the_same_run_gives_the_same_bytes_and_a_draft_is_replaced(run: RunFiles) -> None:
    first = worker_prompt_files.write_initial(run, [])[0]
    before = written(run)
    Path(run.path(first)).write_text("a draft", encoding="utf-8")
    worker_prompt_files.write_initial(run, [])
    assert written(run) == before


def test_what_a_worker_was_started_on_stays(run: RunFiles, place: Place) -> None:
    """Also when the texts of okstra are other ones by then."""
    first, second = worker_prompt_files.write_initial(run, [])
    state = place.json(run.team_state)
    place.put(run.team_state, {**state, "workerDispatches": [{"workerId": "claude-analyser"}]})
    assert worker_prompt_files.write_initial(run, []) == [first, second]
    for path in (first, second):
        Path(run.path(path)).write_text("another", encoding="utf-8")
    with pytest.raises(Refusal, match="claude-analyser was started on another prompt"):
        worker_prompt_files.write_initial(run, [])
    assert [Path(run.path(path)).read_text("utf-8") for path in (first, second)] == ["another"] * 2


@pytest.mark.parametrize(
    ("worker", "message"),
    [
        ("nobody", "not in this run's roster: nobody"),
        ("report-writer", "this worker cannot be dispatched: report-writer"),
    ],
)
def test_a_worker_without_a_first_round_is_named(run: RunFiles, worker: str, message: str) -> None:
    with pytest.raises(UserError, match=message):
        worker_prompt_files.write_initial(run, [worker])


def test_a_role_without_a_text_is_named(run: RunFiles) -> None:
    with pytest.raises(UserError, match="not available yet: a prompt for a verifier: claude-ana"):
        worker_prompt_files.of_job(run, jobs(run)[0]._replace(role="verifier"))


def test_a_worker_reads_little_beyond_the_brief(run: RunFiles) -> None:
    """A quarter of the bytes are tokens (G-030)."""
    worker_prompt_files.write_initial(run, [])
    folder = Path(run.path(run.manifest["instructionSetPath"]))
    read = [
        (folder / name).read_text("utf-8") for name in ("analysis-profile.md", "analysis-packet.md")
    ]
    for text in written(run).values():
        tokens = sum(len(one.encode()) for one in (text, *read)) - len(BRIEF.encode())
        assert tokens / 4 <= 3000
