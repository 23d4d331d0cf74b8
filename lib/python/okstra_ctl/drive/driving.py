"""Drives a run to its report: looks, does the step that comes next, looks again (H-020, H-024)."""

from __future__ import annotations

from typing import Any, Callable, NamedTuple

from okstra_ctl.dispatch.run_files import RunFiles
from okstra_ctl.drive import facts_files, names, progress, steps, turns_files
from okstra_ctl.drive.progress import DONE, FAILED, HELD, WAITING, Facts, Step
from okstra_ctl.drive.steps import Options
from okstra_ctl.runs import lead_events
from okstra_kernel import Busy, Refusal, UserError, locks, notice
from okstra_project.slug import digest

STATUS = {DONE: 0, FAILED: 1, WAITING: 3, HELD: 4}  # H-027
STEP_EVENT, END_EVENT = "drive-step", "drive-ended"


class Ended(NamedTuple):
    """How a drive ended: one of STATUS, or the step it was told to stop after."""

    word: str
    step: str
    detail: str

    @property
    def status(self) -> int:
        return STATUS.get(self.word, 0)


Allow = Callable[[str, Facts], str]  # why a step must wait, or an empty text


def drive(run: RunFiles, options: Options, *, until: str = "", allow: Allow | None = None) -> Ended:
    """Go on with a run until it is done, held, or waits for a person. Raises Busy, Refusal."""
    with locks.hold(run.home, f"drive-{digest(run.path(run.manifest_path))}.lock", wait=0):
        turns_files.revive(run)
        ended = _loop(run, options, until, allow)
        _tell(run, END_EVENT, ended.word, ": ".join(filter(None, (ended.step, ended.detail))))
        return ended


def _loop(run: RunFiles, options: Options, until: str, allow: Allow | None) -> Ended:
    last = ""
    facts = facts_files.look(run)
    while True:
        step = progress.following(facts)
        if step.name in STATUS:
            return Ended(step.name, last if step.name == DONE else "", step.detail)
        if until and _beyond(step.name, until):
            return Ended(f"until {until}", last, "")
        why = allow(step.name, facts) if allow else ""
        if why:
            return Ended(HELD, step.name, why)
        _tell(run, STEP_EVENT, step.name, step.detail)
        _do(run, step, facts, options)
        last, before = step.name, facts
        facts = facts_files.look(run)
        if facts == before:
            raise Refusal(f"{step.name}: done, and nothing has changed: {step.detail}")


def _do(run: RunFiles, step: Step, facts: Facts, options: Options) -> None:
    try:
        steps.DO[step.name](run, facts, options)
    except Busy:
        raise
    except UserError as err:
        raise Refusal(
            f"{step.name}: {err}", next_step=err.next_step or again(run), details=err.details
        ) from err


def again(run: RunFiles) -> str:
    """Return the command that goes on with a run."""
    import shlex

    words = [f"--project-root={run.root}", f"--run-manifest={run.manifest_path}"]
    return f"okstra drive {shlex.join(words)}"


def _beyond(step: str, until: str) -> bool:
    return progress.STEPS.index(step) > progress.STEPS.index(until)


def _tell(run: RunFiles, kind: str, word: str, detail: str) -> None:
    """Tell whoever watches, and the log of the run (D-152)."""
    notice.tell(notice.printable(f"PROGRESS: {word} {detail}".rstrip()))
    details = {"step": word, "detail": detail}
    lead_events.append(run.root, run.manifest["leadEventsPath"], kind, "drive", details)


def summary(run: RunFiles, ended: Ended) -> dict[str, Any]:
    """Return how a drive ended as one value (H-025)."""
    facts = facts_files.look(run)
    seats = [*facts.analysers, *facts.verifiers, *filter(None, [facts.critic]), facts.writer]
    return {
        "ok": ended.status == 0,
        "status": ended.word,
        "step": ended.step,
        "detail": ended.detail,
        "runId": run.manifest["runId"],
        "report": names.report(run) if facts.finished else "",
        "workers": [
            {"workerId": one.worker_id, "state": one.state, "reason": one.reason} for one in seats
        ],
    }
