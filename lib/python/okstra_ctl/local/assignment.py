"""What a worker of `local` is asked to do: its prompt, read (D-039, H-012). Pure.

Headers say who and where. Inputs to confirm are lines `` - `<path>` sha256:<12 hex> ``. Findings of
others stand in a data fence, as data (Z-050): a heading `### F-001`, then items `Title`, `Claim`,
`Evidence`.
"""

from __future__ import annotations

import re
from typing import Mapping, NamedTuple, Sequence

from okstra_ctl.dispatch import prompt_contract
from okstra_ctl.evidence import citation, own_lines, reverify
from okstra_ctl.evidence.citation import Citation
from okstra_ctl.evidence.front_matter import Identity
from okstra_kernel import UserError, fence

LARGEST = 16 << 20  # bytes of a prompt
ANALYSER, VERIFIER, CRITIC, WRITER = "analyser", "verifier", "critic", "report-writer"
ROLES = (ANALYSER, VERIFIER, CRITIC, WRITER)
ADVERSARIAL, COLLABORATIVE = "adversarial", "collaborative"
SECONDS = "Local Seconds"

_INPUT = re.compile(r" ?[-*+] +`([^`\n]+)` +sha256:([0-9a-f]{12})\s*")
_HEAD = re.compile(r"#{3} +([A-Za-z0-9][\w.-]{0,99})(?: — .*)?\s*")
_ITEM = re.compile(r" ?[-*+] +\**(Title|Claim|Evidence)\**:\**[ \t]*(.*)")


class Claim(NamedTuple):
    """A finding of somebody, to be verified or looked over."""

    id: str
    title: str
    claim: str
    evidence: tuple[Citation, ...]


class Input(NamedTuple):
    path: str  # as it stands in the prompt
    sha256: str  # the first twelve hexadecimal digits that the prompt gives


class Assignment(NamedTuple):
    identity: Identity
    role: str
    root: str  # of the project
    result: str  # where the answer goes; absolute
    audit: str
    brief: str  # empty: none
    mode: str
    seconds: str  # as written; empty: not said
    inputs: tuple[Input, ...]
    claims: tuple[Claim, ...]
    headers: Mapping[str, str]

    @property
    def reverifies(self) -> bool:
        return bool(reverify.KIND.fullmatch(self.identity.dispatchKind))


def read(prompt: str) -> Assignment:
    """Return what a prompt asks for. Raises UserError for one that lacks what is needed."""
    head = _headers(prompt)
    needed = ("Worker", "Project Root", "Result Path", "Audit Path", "Task Key", "Task Type")
    missing = [name for name in (*needed, "Seq", "Dispatch Kind", "Role") if not head.get(name)]
    if missing:
        raise UserError(f"the prompt lacks headers: {', '.join(missing)}")
    mode = head.get("Mode", ADVERSARIAL).lower()
    if mode not in (ADVERSARIAL, COLLABORATIVE):
        raise UserError(f"not a mode: {mode}")
    identity = Identity(
        workerId=head["Worker"],
        provider=head.get("Provider", "local"),
        model=head.get("Model", ""),
        taskKey=head["Task Key"],
        taskType=head["Task Type"],
        seq=head["Seq"],
        dispatchKind=head["Dispatch Kind"],
    )
    return Assignment(
        identity,
        head["Role"].strip("`").lower(),
        head["Project Root"],
        head["Result Path"],
        head["Audit Path"],
        head.get("Brief", ""),
        mode,
        head.get(SECONDS, ""),
        _inputs(prompt),
        claims(prompt),
        head,
    )


def _headers(prompt: str) -> dict[str, str]:
    """Return the headers; those within fenced text are data and say nothing."""
    return prompt_contract.headers("\n".join(line.text for line in own_lines.own(prompt)))


def _inputs(prompt: str) -> tuple[Input, ...]:
    found = (_INPUT.fullmatch(line.text) for line in own_lines.own(prompt))
    return tuple(dict.fromkeys(Input(one[1], one[2]) for one in found if one))


def claims(prompt: str) -> tuple[Claim, ...]:
    """Return the findings of the one data fence that holds some. Raises UserError for two."""
    held = [found for found in map(_blocks, _fenced(prompt)) if found]
    if len(held) > 1:
        raise UserError("findings stand in more than one fence of the prompt")
    return tuple(held[0]) if held else ()


def _fenced(prompt: str) -> list[list[str]]:
    """Return the lines of each data fence."""
    fences: list[list[str]] = []
    token = ""
    for line in own_lines.split(prompt):
        if token and fence.ended(line) == token:
            token = ""
        elif token:
            fences[-1].append(line)
        elif fence.begun(line):
            token = fence.begun(line)
            fences.append([])
    return fences


def _blocks(lines: Sequence[str]) -> list[Claim]:
    found: list[Claim] = []
    for line in lines:
        head, item = _HEAD.fullmatch(line), _ITEM.fullmatch(line)
        if head:
            found.append(Claim(head[1], "", "", ()))
        elif item and found:
            found[-1] = _filled(found[-1], item[1], item[2].strip())
    return found


def _filled(claim: Claim, key: str, value: str) -> Claim:
    if key == "Title":
        return claim._replace(title=value)
    if key == "Claim":
        return claim._replace(claim=value)
    places, _, wrong = citation.evidence(value)
    if wrong:
        return claim._replace(evidence=citation.mentioned(value))
    return claim._replace(evidence=places)
