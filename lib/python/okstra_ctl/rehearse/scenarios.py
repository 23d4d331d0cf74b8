"""The scenarios that the stand-ins play: `tests/rehearsal/scenarios.tsv` (H-050). Pure."""

from __future__ import annotations

from typing import NamedTuple, Sequence

from okstra_kernel import UserError

NOTHING = "-"  # in the table: no reason
NO, YES, SECOND, MARKED = "no", "yes", "second", "marked"
_WORDS = {"held": (NO, YES), "retry": (NO, YES, SECOND), "counted": (NO, YES, MARKED)}


class Scenario(NamedTuple):
    """What a CLI does, and what okstra makes of its first turn and, with a retry, of the worker."""

    name: str
    providers: tuple[str, ...]
    reason: str  # of a dispatch that did not complete; empty: it did
    exit_code: int
    held: str  # NO; YES: until its quota comes back
    retry: str  # NO; YES: the second attempt went well; SECOND: it failed again, which is final
    counted: str  # NO, YES; MARKED: yes, and as the answer of another model
    what: str  # the CLI does


def parse(text: str) -> list[Scenario]:
    """Return the scenarios of the table. Raises UserError, naming the line at fault."""
    rows = list(enumerate(text.splitlines(), 1))
    return [_scenario(line.split("\t"), number) for number, line in rows if line[:1] not in "#"]


def _scenario(cells: Sequence[str], number: int) -> Scenario:
    if len(cells) != len(Scenario._fields) or not cells[3].isdigit():
        raise UserError(f"scenarios.tsv: line {number} is not a scenario: {cells[0]!r}")
    found = Scenario(
        *(cells[0], tuple(cells[1].split(",")), "" if cells[2] == NOTHING else cells[2]),
        int(cells[3]),
        *cells[4:],
    )
    for name, words in _WORDS.items():
        if getattr(found, name) not in words:
            raise UserError(f"scenarios.tsv: line {number}: {name} is none of {', '.join(words)}")
    return found


def chosen(known: Sequence[Scenario], names: Sequence[str]) -> list[Scenario]:
    """Return the named scenarios in the order of the table, or all. Raises UserError."""
    listed = [one.name for one in known]
    for name in names:
        if name not in listed:
            raise UserError(
                f"no such scenario: {name}{_hint(name, listed)}", next_step="okstra rehearse --list"
            )
    return [one for one in known if not names or one.name in names]


def _hint(name: str, known: Sequence[str]) -> str:
    import difflib

    near = difflib.get_close_matches(name, known, n=1)
    return f"; did you mean {near[0]}?" if near else ""
