"""Writes what a retry is started from: a prompt and a jobs file of its own (D-038, D-135)."""

from __future__ import annotations

from okstra_ctl.dispatch import jobs, prompt_contract, retry
from okstra_ctl.dispatch.jobs import Job
from okstra_ctl.dispatch.records import Record
from okstra_ctl.dispatch.run_files import RunFiles
from okstra_ctl.prepare import template
from okstra_kernel import assets, fence, plain_file, store

NOTE = ("prompts", "workers", "_retry.md")


def write(run: RunFiles, failed: Job, record: Record) -> str:
    """Write prompt and jobs file of a retry; return the path of the latter. Raises UserError."""
    stem = f"{failed.worker_id}-{failed.dispatch_kind}{retry.SUFFIX}"
    again = retry.job(failed, run.file("prompts", stem, ".md"))
    data = plain_file.read(
        run.path(failed.prompt_path), failed.prompt_path, limit=prompt_contract.LIMIT
    )
    headers = {
        **prompt_contract.expected(run, again),
        prompt_contract.KIND: again.dispatch_kind,
    }
    text = retry.prompt(data.decode("utf-8", "replace"), headers, _note(record))
    store.write(run.root, again.prompt_path, text.encode())
    path = run.file("state", f"jobs-{stem}", ".json")
    store.write_json(run.root, path, jobs.file_of(again.dispatch_kind, [again]))
    return path


def _note(record: Record) -> str:
    """Return what the retry is told: the reason, fenced, as it may hold foreign words (Z-050)."""
    why = ": ".join(filter(None, (record["reason"], record["detail"])))
    told = fence.fenced(why, "why the earlier answer did not count", fence.new_token())
    return template.fill(assets.text(*NOTE), {"WHY": told}, NOTE[-1])
