"""What a run has used so far, settled from what its CLIs left behind (R-095 to R-099, H-026).

Every start of a worker counts: retries, votes, held attempts, whose transcripts lie aside as
`.earlier-N`. A turn that did not get to tell its totals is looked up in the session log of its CLI.
"""

from __future__ import annotations

import os
from typing import Any, Mapping, NamedTuple

from okstra_ctl.convergence.replaying import found_path
from okstra_ctl.dispatch import sidecars
from okstra_ctl.dispatch.run_files import RunFiles
from okstra_ctl.leads import runtimes, session_logs_files
from okstra_ctl.providers import claude_usage, codex_usage, registry, usage
from okstra_ctl.providers.claude_usage import Replies
from okstra_ctl.providers.usage import Spent
from okstra_ctl.runs import team_state, team_state_files
from okstra_kernel import UserError, iso_time, jsonl

LONGEST = 4 << 20  # bytes of a line: memory is a few of them, however long a transcript is
ALWAYS = (0, 1 << 53)  # seconds since 1970: a worker's session is its own, from end to end

Environment = Mapping[str, str]
Key = tuple[str, str]  # worker id, dispatch kind


class Turns(NamedTuple):
    """What the starts of a worker for one purpose used together."""

    provider: str
    spent: Spent
    transcripts: int


def of_run(run: RunFiles, environment: Environment) -> dict[Key, Turns]:
    """Return what each worker of a run has used, by worker and kind. Raises UserError.

    It can be asked while workers run: theirs then is not exact.
    """
    grouped: dict[Key, list[team_state.Members]] = {}
    for record in team_state_files.read(run.path(run.team_state))["workerDispatches"]:
        grouped.setdefault((record["workerId"], record["dispatchKind"]), []).append(record)
    return {key: _turns(run, records, environment) for key, records in grouped.items()}


def of_lead(run: RunFiles, until: int, environment: Environment) -> Spent:
    """Return what the lead used from the start of the run until then, in seconds since 1970.

    An external lead has no model behind it. A lead of a host is looked up by its session's id in
    its own host's logs alone (R-098).
    """
    info = runtimes.lead_runtime_info(str(run.manifest["leadRuntime"]))
    if not info.provider:
        return usage.NOTHING
    session = str(run.manifest.get("leadSessionId") or "")
    if info.provider not in _SESSIONS:
        return Spent(why=f"{info.label} keeps no log that tells it")
    if not session:
        return Spent(why="the run's manifest has no session id of its lead")
    since = iso_time.parse(str(run.manifest["startedAt"]))
    return _named(_session(info.provider, session, since, until, environment), _lead_model(run))


def _turns(run: RunFiles, records: list[team_state.Members], environment: Environment) -> Turns:
    """Return what the attempts of one dispatch used, from the transcripts of its prompt."""
    provider = str(records[-1]["provider"])
    read = registry.provider_spec(provider).read_usage
    if read is usage.free:
        return Turns(provider, usage.NOTHING, 0)
    paths = [path for prompt in _prompts(records) for path in transcripts(run, prompt)]
    parts = []
    for path in paths:
        told = read(jsonl.lines(path, longest=LONGEST))
        spent = told.spent
        if told.session:
            logged = _session(provider, told.session, *ALWAYS, environment)
            spent = logged if logged.exact else spent
        parts.append(spent)
    begun = sum(1 for record in records if record["pid"] is not None)
    if begun > len(paths):
        parts.append(Spent(why=f"{begun - len(paths)} of its transcripts are not there"))
    if any(record["status"] == team_state.IN_PROGRESS for record in records):
        parts.append(Spent(why="it is still at work"))
    return Turns(provider, _named(usage.together(parts), _model(records)), len(paths))


def transcripts(run: RunFiles, prompt: str) -> list[str]:
    """Return the transcripts of every start on a prompt, the earlier ones first; absolute paths."""
    log = os.path.relpath(sidecars.transcript(prompt), run.run_dir)
    place = found_path(run.path(run.run_dir), log)
    if place is None:
        place = run.path(os.path.join(run.run_dir, log))
    found, number = [], 1
    while os.path.isfile(f"{place}.earlier-{number}"):
        found.append(f"{place}.earlier-{number}")
        number += 1
    return [*found, *([place] if os.path.isfile(place) else [])]


def _prompts(records: list[team_state.Members]) -> list[str]:
    return list(dict.fromkeys(str(record["promptPath"]) for record in records))


def _session(
    provider: str, session: str, since: int, until: int, environment: Environment
) -> Spent:
    try:
        return _SESSIONS[provider](session, since, until, environment)
    except UserError as err:
        return Spent(why=str(err))


def _claude(session: str, since: int, until: int, environment: Environment) -> Spent:
    paths = session_logs_files.claude(session, environment)
    if not paths:
        return Spent(why=f"no log of the session {session}")
    replies = Replies()
    faults = [
        claude_usage.of_session(jsonl.lines(path, longest=LONGEST), since, until, replies)
        for path in paths
    ]
    return replies.spent("; ".join(filter(None, dict.fromkeys(faults))))


def _codex(session: str, since: int, until: int, environment: Environment) -> Spent:
    paths = session_logs_files.codex(session, environment)
    if not paths:
        return Spent(why=f"no log of the thread {session}")
    return codex_usage.of_rollout(jsonl.lines(paths[-1], longest=LONGEST), since, until)


_SESSIONS = {"claude": _claude, "codex": _codex}


def _model(records: list[team_state.Members]) -> tuple[str, bool]:
    """Return the model that the counts are of, and whether it is another than was asked for."""
    last = records[-1]
    mismatch = any(record["modelMismatch"] for record in records)
    return str(last["modelUsed"] or last["modelExecutionValue"]), mismatch


def _lead_model(run: RunFiles) -> tuple[str, bool]:
    assignment: dict[str, Any] = run.manifest["leadAssignment"]
    return str(assignment.get("modelExecutionValue") or ""), False


def _named(spent: Spent, about: tuple[str, bool]) -> Spent:
    """Name the model of counts that a CLI keeps under none, or under one that did not answer.

    Of several names, with another model behind one of them, none can be told: no price fits.
    """
    model, mismatch = about
    alone = len(spent.by_model) == 1
    told = [(model if alone else "") if mismatch else name or model for name, _ in spent.by_model]
    parts = [Spent(((name, one[1]),)) for name, one in zip(told, spent.by_model, strict=True)]
    return usage.together([*parts, Spent(why=spent.why)])
