"""Codex as a worker: its rights, and what its stream tells (Z-092, 80 §7)."""

from __future__ import annotations

import re
import time
from typing import Any

from okstra_ctl.providers.turn import AUTH, QUOTA, Turn, complaint, events, plain_lines
from okstra_ctl.providers.worker_launch import EXECUTOR, WorkerTask


def words(task: WorkerTask) -> list[str]:
    """Return the words that give a worker no more than its role needs.

    Its sandbox writes to the folder it stands in: readers stand in their outbox.
    """
    argv = ["-s", "workspace-write"]
    if not task.edits_code:
        argv += ["-C", task.outbox, "--skip-git-repo-check"]
        return argv
    folders = [task.outbox, *(task.executor_folders if task.role == EXECUTOR else ())]
    argv += [word for folder in folders for word in ("--add-dir", folder)]
    return argv if task.is_git else [*argv, "--skip-git-repo-check"]


def read(transcript: str, now: int) -> Turn:
    """Return what `turn.completed` or `turn.failed` says, whichever comes last.

    It names a model only when the service answered as another one (80 §7).
    """
    finished, ok, said, model = False, False, "", ""
    for event in events(transcript):
        kind = event.get("type")
        if kind == "turn.completed":
            finished, ok = True, True
        elif kind in ("turn.failed", "error"):
            said = _message(event) or said
            finished, ok = (True, False) if kind == "turn.failed" else (finished, ok)
        elif kind == "item.completed":
            model = _rerouted(event.get("item")) or model
    plain = plain_lines(transcript)
    if ok:
        refused = ("apply_patch",) if re.search(_REFUSED, plain, re.MULTILINE) else ()
        return Turn(True, ok=True, refused=refused, model=model)
    said = said or plain[-600:]
    failed = complaint(said, _status(said), now)
    if re.match(_NO_KEY, said):
        failed = failed._replace(failure=AUTH)
    if failed.failure == QUOTA and not failed.reset_at:
        failed = failed._replace(reset_at=_clock(said, now))
    return failed._replace(finished=finished, model=model)


# Of what its sandbox forbids, codex tells only a patch, and that outside its stream (80 §7).
_REFUSED = r"^\S+ ERROR codex_core::tools::router: error=patch rejected: "
_NO_KEY = r"Missing environment variable: `\w*(?:KEY|TOKEN)\w*`"
_CLOCK = r"again at (?:([A-Z][a-z]{2} \d{1,2})[a-z]{2}, (\d{4}) )?(\d{1,2}:\d\d [AP]M)"


def _message(event: dict[str, Any]) -> str:
    error = event.get("error")
    return str((error if isinstance(error, dict) else event).get("message") or "")


def _rerouted(item: Any) -> str:
    """Return the model that answered in place of the one asked for, if an item tells of it."""
    said = item.get("message") if isinstance(item, dict) and item.get("type") == "error" else None
    found = re.match(r"model rerouted: \S+ -> (\S+)", said) if isinstance(said, str) else None
    return found[1] if found else ""


def _status(said: str) -> int | None:
    found = re.search(r"(?:unexpected|last) status:? (\d{3})\b", said)
    return int(found[1]) if found else None


def _clock(said: str, now: int) -> int:
    """Return when a quota comes back, in seconds since 1970; 0 if codex does not say.

    It writes `3:05 PM`, before it the date unless that is the day of `now`: the time of where it
    ran, which is ours, and with the seconds cut off, so the end of that minute is meant.
    """
    found = re.search(_CLOCK, said)
    if found is None:
        return 0
    day = f"{found[1]} {found[2]}" if found[1] else time.strftime("%b %d %Y", time.localtime(now))
    try:
        at = time.strptime(f"{day} {found[3]}", "%b %d %Y %I:%M %p")
        return int(time.mktime(at)) + 60
    except (ValueError, OverflowError):
        return 0
