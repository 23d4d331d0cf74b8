"""A run whose votes are done and whose report is written: what finalization begins with.

    python3 tests/support/finished_run.py <project> <home>

prepares one there, in a project that is a folder with `brief.md` and `report.py`, and prints the
paths of its manifest, its team state and its report, relative to the project.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from pathlib import Path
from typing import Any, Callable, NamedTuple

sys.path.insert(0, str(Path(__file__).parents[2] / "lib/python"))

from prepare_place import Place

from okstra_ctl.convergence import answers, answers_files, run_names, seeding, stepping
from okstra_ctl.dispatch import dispatch_plan, prompt_contract, records, run_files, sidecars
from okstra_ctl.dispatch.jobs import Job
from okstra_ctl.dispatch.outcome import Outcome
from okstra_ctl.dispatch.run_files import RunFiles
from okstra_ctl.reportdata import draft, report
from okstra_ctl.reports import renderings
from okstra_ctl.runs import team_state, team_state_files
from okstra_kernel import store

BEGUN, ENDED = "2026-03-01T10:00:00Z", "2026-03-01T10:01:30Z"
MARKER = "<!-- okstra:result-complete -->"
SECTIONS = ("2. Evidence", "3. Risks", "4. Recommendations")
LAST = "5. Missing Information or Assumptions"
FOLLOW_UP = {
    "id": "FU-001",
    "taskId": "결제-2",
    "title": "index the column",
    "taskType": "requirements-discovery",
    "reason": "it is slow, too",
    "ticketId": "DEV-1",
}


class Finished(NamedTuple):
    """A run that `finish` was called for."""

    place: Place
    run: RunFiles
    markdown: str  # of its report, absolute

    @property
    def data(self) -> Path:
        return Path(report.data_path(self.markdown))

    @property
    def folder(self) -> Path:
        return Path(self.run.path(self.run.run_dir))

    def change(self, path: Path, edit: Callable[[Any], object]) -> None:
        """Let `edit` change the JSON value of a file in place."""
        value = json.loads(path.read_text("utf-8"))
        edit(value)
        path.write_bytes(store.json_bytes(value))


def of_claude(session: str, model: str, *counts: int) -> str:
    """Return the stream of a claude turn that ends well; counts: in, out, cache read, written."""
    names = ("inputTokens", "outputTokens", "cacheReadInputTokens", "cacheCreationInputTokens")
    begun = {"input_tokens": counts[0], "output_tokens": 1}
    message = {"id": f"msg-{session}", "model": model, "usage": begun, "content": []}
    return _lines(
        {"session_id": session, "type": "system", "subtype": "init", "model": model},
        {"type": "assistant", "message": message, "session_id": session},
        {"type": "assistant", "message": message, "session_id": session},
        {
            "session_id": session,
            "type": "result",
            "is_error": False,
            "modelUsage": {model: dict(zip(names, counts, strict=True))},
        },
    )


def of_codex(thread: str, *counts: int) -> str:
    """Return the stream of a codex turn that ends well; counts: in with cached, out, cached."""
    names = ("input_tokens", "output_tokens", "cached_input_tokens")
    return _lines(
        {"type": "thread.started", "thread_id": thread},
        {"type": "turn.started"},
        {"type": "turn.completed", "usage": dict(zip(names, counts, strict=True))},
    )


def stream(provider: str, name: str) -> str:
    """Return a transcript of a worker whose counts differ by provider alone."""
    if provider == "claude":
        return of_claude(name, "claude-opus-5-5", 100, 15, 20, 10)
    return of_codex(name, 240, 30, 40) if provider == "codex" else ""


def finish(run: RunFiles) -> str:
    """Let the workers of a prepared run answer, vote, and write; return the report's path."""
    found, _ = dispatch_plan.first_round(run, [])
    texts = {"claude": "The rows are missing", "codex": "The ROWS are missing!"}
    for job in found:
        title = texts.get(job.provider, "The import is late")
        _answer(run, job, _first(run, job, title, "report.py:1"), _audit(run, "report.py:1-1"))
    _votes(run, found)
    data = _data(run)
    path = run.file("reports", "final-report", report.DATA)
    _put(run, path, report.file_bytes(data).decode())
    renderings.write_markdown(run.path(path), {})
    _writer(run, path)
    return report.sibling(path, report.MARKDOWN)


def _votes(run: RunFiles, jobs: list[Job]) -> None:
    places = [getattr(run_names, name) for name in ("groups", "work_state", "final_state")]
    groups, work, final = (
        run.path(f"{run.run_dir}/{place(run.task_type, run.seq)}") for place in places
    )
    results = {job.worker_id: run.path(job.result_path) for job in jobs}
    answers_files.groups(results, groups, adversarial=True)
    seeding.seed(groups, work, final, run.path(f"{run.run_dir}/state/old"), restart=False)
    number = 1
    while True:
        plan = run.path(f"{run.run_dir}/{run_names.plan(number, run.task_type, run.seq)}")
        if stepping.plan_round(work, plan)["done"]:
            break
        _round(run, jobs, number, plan, work)
        number += 1
    stepping.finalize(work, final)


def _round(run: RunFiles, jobs: list[Job], number: int, plan: str, work: str) -> None:
    answered, ended = {}, {}
    kind = f"reverify-r{number}"
    for batch in json.loads(Path(plan).read_text("utf-8"))["batches"]:
        first = next(job for job in jobs if job.worker_id == batch["workerId"])
        stem = f"{first.worker_id}-{kind}"
        job = first._replace(
            dispatch_kind=kind,
            prompt_path=run.file("prompts", stem, ".md"),
            result_path=run.file("worker-results", stem, ".md"),
            worker_result_path=run.file("worker-results", f"{stem}-audit", ".md"),
        )
        job = job._replace(completion_paths=(job.result_path, job.worker_result_path))
        verdicts = "".join(
            f"### {name}\n**Verdict**: SURVIVES\n**Basis**: opened `report.py:1`, it raises\n\n"
            for name in batch["findingIds"]
        )
        _answer(run, job, f"{_front(run, job)}\n{verdicts}{MARKER}\n", _audit(run, "report.py:1-1"))
        answered[job.worker_id] = run.path(job.result_path)
        ended[job.worker_id] = "completed:90000"
    results = run.path(f"{run.run_dir}/{run_names.results(number, run.task_type, run.seq)}")
    answers_files.collect(plan, answers.ADVERSARIAL, answered, ended, results)
    stepping.apply_round(work, plan, results)


def _writer(run: RunFiles, path: str) -> None:
    row = next(r for r in run.manifest["workerAssignments"] if r["role"] == "report-writer")
    worker = row["workerId"]
    audit = run.file("worker-results", f"{worker}-audit", ".md")
    job = Job(
        worker_id=worker,
        provider=row["provider"],
        role="report-writer",
        model=row["modelExecutionValue"],
        prompt_path=run.file("prompts", f"{worker}-report-writer", ".md"),
        result_path=path,
        worker_result_path=audit,
        completion_paths=(path, audit),
        dispatch_kind="report-writer",
    )
    _answer(run, job, "", _audit(run, "report.py:1-1"))


def _data(run: RunFiles) -> dict[str, Any]:
    state_path = f"{run.run_dir}/{run_names.final_state(run.task_type, run.seq)}"
    raw = Path(run.path(state_path)).read_bytes()
    made = draft.draft(
        run.manifest,
        json.loads(raw),
        team_state_files.read(run.path(run.team_state)),
        language="en",
        state_path=state_path,
        state_sha256=hashlib.sha256(raw).hexdigest(),
    )
    return {**made, "followUpTasks": [FOLLOW_UP]}


def _answer(run: RunFiles, job: Job, text: str, audit: str) -> None:
    """Write what a worker leaves, and the record and the row of its dispatch."""
    headers = prompt_contract.expected(run, job)
    _put(run, job.prompt_path, "\n".join(f"**{n}:** {v}" for n, v in headers.items()) + "\n")
    told = stream(job.provider, f"{job.worker_id}-{job.dispatch_kind}")
    _put(run, sidecars.transcript(job.prompt_path), told)
    if text:
        _put(run, job.result_path, text)
    _put(run, job.worker_result_path, audit)
    box = prompt_contract.outbox(run, job)
    fresh = records.new(job, attempt=1, outbox=box, work_dir=run.root, digest="")
    begun = {**records.started(fresh, BEGUN), "pid": 1, "processGroup": 1}
    record = records.ended(begun, Outcome("completed", ""), now=ENDED, exit_code=0, model=job.model)
    with_id = job.worker_id

    def edit(state: dict[str, Any]) -> dict[str, Any]:
        state = team_state.with_dispatch(state, record)
        moved = {"reason": "", "model": ""}
        state = team_state.transition(state, with_id, "in-progress", now=BEGUN, **moved)
        return team_state.transition(state, with_id, "completed", now=ENDED, **moved)

    team_state_files.change(run.home, run.root, run.team_state, edit)


def _front(run: RunFiles, job: Job) -> str:
    return (
        f"---\nworkerId: {job.worker_id}\nprovider: {job.provider}\nmodel: {job.model}\n"
        f'taskKey: {run.key.text}\ntaskType: {run.task_type}\nseq: "{run.seq}"\n'
        f"dispatchKind: {job.dispatch_kind}\n---\n"
    )


def _first(run: RunFiles, job: Job, title: str, place: str) -> str:
    rest = "".join(f"## {name}\nNone.\n\n" for name in (*SECTIONS, LAST))
    return (
        f"{_front(run, job)}## 1. Findings\n\n### F-001 — {title}\n- Severity: major\n"
        f"- Kind: defect\n- Statement: {title}, so it raises.\n- Evidence: `{place}`\n"
        f"- Recommendation: return an empty list.\n\n{rest}{MARKER}\n"
    )


def _audit(run: RunFiles, place: str) -> str:
    brief = hashlib.sha256(Path(run.root, "brief.md").read_bytes()).hexdigest()[:12]
    confirmed = f"## 0. Reading Confirmation\n- `brief.md` sha256:{brief}\n"
    return f"{confirmed}- Evidence read: {place}\n"


def _put(run: RunFiles, relative: str, text: str) -> None:
    place = Path(run.path(relative))
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text, encoding="utf-8")


def _lines(*events: dict[str, Any]) -> str:
    return "".join(f"{json.dumps(event)}\n" for event in events)


def main(project: str, home: str) -> None:
    os.environ["OKSTRA_HOME"] = home
    place = Place(Path(project), Path(home))
    ref = place.prepare(
        task_group="g", task_id="T1", lead_runtime="external", render_only=True
    ).run.ref
    run = run_files.load(project, ref.manifest)
    path = finish(run)
    sys.stdout.write(f"{ref.manifest}\n{run.team_state}\n{path}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
