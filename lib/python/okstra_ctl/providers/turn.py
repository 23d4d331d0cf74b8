"""What a CLI's own output tells of one turn, before its result is looked at (Z-014, Z-016, Z-093).

Each provider reads its own stream into a `Turn`. What several of them print alike is here: the
words of a used-up quota, a limited rate, a missing login, and the time a quota comes back.
"""

from __future__ import annotations

import re
from typing import NamedTuple

AUTH, QUOTA, RATE = "auth-required", "quota-exhausted", "rate-limited"

_QUOTA = r"usage limit|limit reached|quota (?:exceeded|exhausted)|out of (?:credits|quota)"
_RATE = r"rate.?limit|too many requests|\b429\b|overloaded"
_AUTH = r"not logged in|/login|log ?in again|invalid (?:api )?key|unauthori[sz]ed|\b401\b|\b403\b"
_LONGEST = 600  # characters of a complaint; a longer text is somebody's answer


class Turn(NamedTuple):
    finished: bool | None  # its final event is there; None: this CLI has none
    ok: bool = False  # that event says the turn went well
    denied: tuple[str, ...] = ()  # tools that were not permitted
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
    elif status == 429 or (status is None and re.search(_RATE, words, re.IGNORECASE)):
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
    span = r"(?:again|resets?|retry.?after)\D{0,12}((?:\d+(?:\.\d+)?\s*[a-z]*\W*(?:and )?)+)"
    if found := re.search(span, text, re.IGNORECASE):
        return now + seconds if (seconds := _seconds(found[1])) else 0
    return 0


_UNITS = {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86400}


def _seconds(text: str) -> int:
    """Return the length of a span like `3 days 2 hours`, `1h 30m` or `45`, in seconds."""
    total = 0.0
    for amount, unit in re.findall(r"(\d+(?:\.\d+)?)\s*([a-z]*)", text.lower()):
        if unit == "ms":
            continue
        if unit[:1] not in _UNITS:
            return 0
        total += float(amount) * _UNITS[unit[:1]]
    return int(total)


def plain_lines(text: str) -> str:
    """Return the lines that are no JSON events: what the CLI said outside its stream."""
    return "\n".join(line for line in text.splitlines() if not line.lstrip().startswith("{"))
