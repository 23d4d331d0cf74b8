"""What prompts/ tells workers and leads is what the code holds them to (H-015)."""

from __future__ import annotations

import json
import re
from pathlib import Path

from okstra_ctl.dispatch import dispatch_plan, worker_prompt
from okstra_ctl.dispatch.run_files import RunFiles
from okstra_ctl.evidence import audit, findings, heartbeat, own_lines, result
from okstra_kernel import schemas

PROMPTS = Path(__file__).parents[4] / "prompts"
WORKERS = PROMPTS / "workers"
LEAD = (PROMPTS / "lead" / "okstra-lead-contract.md").read_text(encoding="utf-8")


def text(name: str) -> str:
    return (WORKERS / name).read_text(encoding="utf-8")


def ticked(line: str) -> list[str]:
    return re.findall(r"`([^`]+)`", line)


def test_the_example_of_a_finding_is_one() -> None:
    """H-011."""
    block = re.search(r"```markdown\n(.*?)```", text("_result-contract.md"), re.DOTALL)
    assert block
    lines = own_lines.scan(own_lines.split(re.sub("^   ", "", block[1], flags=re.MULTILINE)))[0]
    found, faults = findings.read(lines)
    assert (len(found), faults) == (1, [])


def test_the_words_of_the_result_contract_are_those_of_the_check() -> None:
    """H-010, H-011."""
    contract = text("_result-contract.md")
    line = next(one for one in contract.splitlines() if "`Severity` is" in one)
    assert ticked(line) == ["Severity", *findings.SEVERITIES, "Kind", *findings.KINDS]
    assert re.findall(r"`## ([^`]+)`", contract) == list(result.SECTIONS)
    front = next(one for one in contract.splitlines() if "front matter" in one)
    assert [word for word in ticked(front) if word != "---"] == list(result.ANYBODY._fields)
    assert own_lines.is_marker(ticked(contract.rstrip().splitlines()[-1])[0])
    assert f"holds `{findings.NOTHING}`" in contract


def test_the_rows_of_the_audit_file_are_read() -> None:
    """H-013."""
    heading, row = (word for word in ticked(text("_audit.md")) if word.startswith(("##", "-")))
    row = row.replace("<path>:<start>-<end>", "src/pay.py:3-9")
    shown = worker_prompt.Input("a b.md", "0" * 64).row
    sidecar = audit.read(f"{heading}\n{shown}\n{row}\n")
    assert (sidecar.violations, len(sidecar.confirmed), len(sidecar.read)) == ((), 1, 1)


def test_the_example_of_the_errors_file_keeps_to_its_schema() -> None:
    block = re.search(r"```json\n(.*?)```", text("_errors.md"), re.DOTALL)
    assert block
    assert schemas.check(json.loads(block[1]), "worker-errors") == []
    kinds = schemas.schema("worker-errors")["$defs"]["entry"]["properties"]["errorType"]["enum"]
    told = text("_errors.md").split("`errorType` is")[1]
    assert sorted(ticked(f"`errorType` is{told}")[1:]) == sorted(kinds)


def test_the_lead_names_the_first_prompt_as_dispatch_looks_for_it(run: RunFiles) -> None:
    """D-039: phase 2 of the lead contract."""
    phase = next(line for line in LEAD.splitlines() if line.startswith("**2 Worker prompts.**"))
    first, later = ticked(phase)
    for job in dispatch_plan.first_round(run, [])[0]:
        name = first.replace("<workerId>", job.worker_id).replace("<taskType>", run.task_type)
        name = name.replace("<seq>", run.seq)
        assert job.prompt_path == f"{run.run_dir}/prompts/{name}"
    assert later == first.replace("-<task", "-<dispatchKind>-<task")


def test_the_lead_writes_the_headers_that_dispatch_asks_for(run: RunFiles) -> None:
    job = dispatch_plan.first_round(run, [])[0][0]
    names = [*worker_prompt.headers(run, job), "Evidence ledger"]
    assert re.findall(r"`\*\*([A-Za-z ]+):\*\*", LEAD) == names
    assert f"`{audit.LEDGER}`" in LEAD


def test_the_lead_finds_the_texts_that_it_puts_into_prompts() -> None:
    section = LEAD.split("### Result contract")[1]
    names = [word for word in ticked(section) if word.startswith("_")]
    assert all((WORKERS / name).is_file() for name in names)
    for role in ("analyser", "critic"):
        assert re.findall(r"INCLUDE:([^}]+)", text(f"{role}.md")) == names
        assert f"`workers/{role}.md`" in LEAD
    assert not any("{{" in text(name) for name in names)  # a lead has nobody to fill them


def test_the_lead_asks_for_heartbeats_that_count() -> None:
    """D-118, D-119."""
    words = ticked(LEAD.split("### Result contract")[1])
    shape, time = next(word for word in words if heartbeat.is_one(word)), words[-1]
    assert list(heartbeat.times(shape.replace("<time>", time))) != []
    assert heartbeat.EVERY == 5 * 60 and "every five minutes" in LEAD
