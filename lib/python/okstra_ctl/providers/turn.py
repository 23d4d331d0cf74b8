"""What a CLI's own output tells of one turn, before its result is looked at (Z-014, Z-016, Z-093).

Each provider reads its own stream into a `Turn`. What several of them print alike is here: the
words of a used-up quota, a limited rate, a missing login, and the time a quota comes back.
"""

from __future__ import annotations

import re
from typing import Any, Iterator, NamedTuple

from okstra_kernel import UserError, strict_json

AUTH, QUOTA, RATE = "auth-required", "quota-exhausted", "rate-limited"

_QUOTA = (
    r"(?<!not your )usage limit|(?<!rate )limit reached|(?:hit|reached) your [\w' -]{1,40}limit|"
    r"quota (?:exceeded|exhausted)|out of (?:credits|quota|usage)|credit balance is too low"
)
_RATE = r"rate.?limit|too many requests|\b429\b|overloaded|at capacity"
_AUTH = r"not logged in|/login|log ?in again|invalid (?:api )?key|unauthori[sz]ed|\b401\b|\b403\b"
_LONGEST = 600  # characters of a complaint; a longer text is somebody's answer


class Turn(NamedTuple):
    finished: bool | None  # its final event is there; None: this CLI has none
    ok: bool = False  # that event says the turn went well
    denied: tuple[str, ...] = ()  # tools that were not permitted: the turn does not count
    refused: tuple[str, ...] = ()  # the same, of a CLI that may have gone on another way
    model: str = ""  # that really answered
    failure: str = ""  # AUTH, QUOTA or RATE
    reset_at: int = 0  # when a quota comes back, in seconds since 1970; 0: not said
    message: str = ""  # what the CLI said of the failure, shortened


def complaint(text: str, status: int | None, now: int) -> Turn:
    """Read a CLI's own words, or its HTTP status, of why it gave up.

    An empty `failure` means that they name none of the three. `now` is in seconds since 1970.
    """
    words = text[:_LONGEST]
    kind = ""
    if re.search(_QUOTA, words, re.IGNORECASE):
        kind = QUOTA
    elif status in (429, 529) or (status is None and re.search(_RATE, words, re.IGNORECASE)):
        kind = RATE
    elif status in (401, 403) or (status is None and re.search(_AUTH, words, re.IGNORECASE)):
        kind = AUTH
    reset = reset_time(words, now) if kind in (QUOTA, RATE) else 0
    if kind == RATE and reset:
        kind = QUOTA  # a limit with a stated end can be waited for
    return Turn(None, failure=kind, reset_at=reset, message=words[:200])


def reset_time(text: str, now: int) -> int:
    """Return when a quota comes back, in seconds since 1970; 0 if the text does not say."""
    from okstra_kernel import iso_time

    if found := re.search(r"\|(\d{10})\b", text):
        return int(found[1])
    if found := re.search(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)", text):
        try:
            return iso_time.parse(found[0])
        except ValueError:
            return 0
    if found := re.search(rf"{_RESETS}({_SPAN}(?:[\s,]*(?:and\s+)?{_SPAN})*)", text, re.IGNORECASE):
        return now + _seconds(found[1])
    if found := re.search(r"retry.?after\D{0,3}(\d{1,7})(?![\d:.-])", text, re.IGNORECASE):
        return now + int(found[1])  # the header's unit is the second
    return 0


# A clock time such as `resets 3pm` is no span, and does not say of which zone it is.
_RESETS = r"(?:again|resets?|retry.?after)\D{0,12}"
_UNIT = r"(ms|s(?:ec(?:ond)?s?)?|m(?:in(?:ute)?s?)?|h(?:(?:ou)?rs?)?|d(?:ays?)?)(?![a-z])"
_SPAN = rf"\d{{1,7}}(?:\.\d+)?\s*(?:{_UNIT.replace('(ms', '(?:ms', 1)})"
_UNITS = {"ms": 0.001, "s": 1, "m": 60, "h": 3600, "d": 86400}


def _seconds(text: str) -> int:
    """Return the length of a span like `3 days 2 hours` or `1h 30m`, in seconds, at least 1."""
    total = 0.0
    for amount, unit in re.findall(rf"(\d+(?:\.\d+)?)\s*{_UNIT}", text.lower()):
        total += float(amount) * _UNITS[unit if unit == "ms" else unit[0]]
    return max(1, round(total))


def events(transcript: str) -> Iterator[dict[str, Any]]:
    """Yield the JSON events of a transcript; what is none, or was cut, is passed over.

    Lines end at a newline only: a text may hold what else Python takes for the end of a line.
    """
    for line in transcript.split("\n"):
        if line.startswith("{"):
            try:
                event = strict_json.parse(line, "event").members
            except UserError:
                continue
            yield event


def plain_lines(text: str) -> str:
    """Return the lines that are no JSON events: what the CLI said outside its stream.

    The wrapper's own line is not the CLI's: it holds a time, which would be taken for a reset.
    """
    kept = [ln for ln in text.split("\n") if not ln.lstrip().startswith(("{", "--- okstra: "))]
    return "\n".join(kept).strip()
