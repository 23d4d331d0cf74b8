"""Workers' answers turned into the results of a round (C-030 to C-038, Z-117). Pure.

All that is wrong is named at once, a line each, with worker and finding. Nothing is skipped.
"""

from __future__ import annotations

import re
from typing import Callable, Mapping, NamedTuple, Sequence

from okstra_ctl.convergence.ballot import (
    AGREE,
    COMPLETED,
    DISAGREE,
    SCHEMA,
    STATUSES,
    SUPPLEMENT,
    UNVERIFIABLE,
    Members,
    Outcome,
    Vote,
)
from okstra_ctl.evidence import reverify
from okstra_ctl.evidence.citation import Citation
from okstra_ctl.evidence.front_matter import Identity
from okstra_ctl.evidence.reverify import Answer
from okstra_kernel import UserError

ADVERSARIAL, COLLABORATIVE = "adversarial", "collaborative"
WORDS: dict[str, dict[str, str]] = {
    ADVERSARIAL: {
        "REFUTED": DISAGREE,
        "SURVIVES": AGREE,
        "SURVIVES-WITH-CAVEAT": SUPPLEMENT,
        "UNVERIFIABLE": UNVERIFIABLE,
    },
    COLLABORATIVE: {word.upper(): word for word in (AGREE, DISAGREE, SUPPLEMENT, UNVERIFIABLE)},
}
_COMMAND = re.compile(r"^[ \t>`]*\$ +\S.*\n+(?![ \t>`]*\$ )[ \t>]*[^\s`]", re.MULTILINE)


class Response(NamedTuple):
    """What a worker left: the file's content, its path relative to the run's folder, its hash."""

    data: bytes
    path: str
    sha256: str


Exists = Callable[[Citation], bool]


def dispatch(text: str) -> tuple[str, int]:
    """Return status and milliseconds of `<status>:<durationMs>`. Raises UserError (C-033)."""
    status, _, spent = text.partition(":")
    if status not in STATUSES:
        raise UserError(f"not the status of an ended dispatch: {text!r}: {', '.join(STATUSES)}")
    if not (spent.isascii() and spent.isdigit() and len(spent) < 16):
        raise UserError(f"not a number of milliseconds: {text!r}")
    return status, int(spent)


def results(
    number: int,
    batches: Sequence[tuple[str, tuple[str, ...]]],
    mode: str,
    responses: Mapping[str, Response],
    dispatches: Mapping[str, tuple[str, int]],
    exists: Exists,
) -> Members:
    """Return what `apply-round` takes. `exists` looks up a cited place. Raises UserError."""
    planned = [worker for worker, _ in batches]
    faults = [f"{who}: not in the plan" for who in (*dispatches, *responses) if who not in planned]
    outcomes = []
    for worker, names in batches:
        if worker not in dispatches:
            faults.append(f"{worker}: no --dispatch")
            continue
        status, spent = dispatches[worker]
        response = responses.get(worker)
        if (status == COMPLETED) != (response is not None):
            what = "has no --result" if response is None else "cannot have a --result"
            faults.append(f"{worker}: a dispatch that ended {status} {what}")
        elif response is None:
            outcomes.append(Outcome(worker, status, spent, (), "", ""))
        else:
            votes, wrong = _votes(worker, number, names, WORDS[mode], response, exists)
            faults += wrong
            told = Outcome(worker, status, spent, votes, response.path, response.sha256)
            outcomes.append(told)
    if faults:
        raise UserError(f"{len(faults)} faults in round {number}", details=faults)
    members = [outcome.members() for outcome in outcomes]
    return {"schemaVersion": SCHEMA, "round": number, "outcomes": members}


def _votes(
    worker: str,
    number: int,
    names: Sequence[str],
    words: Mapping[str, str],
    response: Response,
    exists: Exists,
) -> tuple[tuple[Vote, ...], list[str]]:
    read = reverify.read(response.data, Identity(workerId=worker), words, names)
    faults = [f"{worker}: {response.path}:{one.line}: {one.message}" for one in read.violations]
    kind = read.identity.dispatchKind
    if kind and not re.fullmatch(rf"reverify-r{number}(-retry[0-9]+)?", kind):
        faults.append(
            f"{worker}: {response.path}: its dispatchKind is {kind}, not round {number}'s"
        )
    if read.cut:
        faults.append(f"{worker}: {response.path}: cut: it lacks its closing line")
    return tuple(_vote(answer, words, exists) for answer in read.answers), faults


def _vote(answer: Answer, words: Mapping[str, str], exists: Exists) -> Vote:
    verified = has_command(answer.basis) or any(exists(place) for place in answer.cited)
    cited = tuple(map(str, answer.cited))
    return Vote(answer.finding, words[answer.verdict], answer.basis, cited, verified)


def has_command(basis: str) -> bool:
    """Tell whether a basis shows a command, after `$ `, and what it printed (Z-117)."""
    return bool(_COMMAND.search(basis))
