"""Makes an error's record fit one line that is written at once (D-174). Pure.

Sizes are bytes of UTF-8; of the line, of its JSON, where a control character takes six.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from okstra_ctl.runs.error_record import PROBES
from okstra_kernel import jsonl

LINE = 4096  # with its newline: PIPE_BUF
EXCERPT = 2048
PROBE = 256
CONTEXT = 1024  # of what is not about the cause, as JSON
SUFFIX = "…[truncated]"
_NAMES = {"taskKey": 512, "phase": 128, "model": 128, "sidecar": 256}  # one line each
_KEPT = ("cause", "causeEvidence")  # of a context that is too large

Members = dict[str, Any]


class _Step(NamedTuple):
    member: str
    least: int  # bytes it is shortened to at most, should the line still be too long


_STEPS = (
    _Step("stderrExcerpt", 0),
    _Step("message", 256),
    _Step("command", 64),
    _Step("context", 64),
    _Step("message", 0),
)


def cut(text: str, limit: int) -> str:
    """Return a text in at most `limit` bytes, no character split, a suffix telling of the cut."""
    data = text.encode()
    if len(data) <= limit:
        return text
    room = limit - len(SUFFIX.encode())
    if room < 0:
        return data[:limit].decode("utf-8", "ignore")
    return data[:room].decode("utf-8", "ignore").removesuffix(SUFFIX) + SUFFIX


def clean(text: str) -> str:
    """Return a text that a file can hold: bytes that were no UTF-8 become U+FFFD."""
    return re.sub("[\ud800-\udfff]", "\ufffd", text)


def fit(record: Members) -> Members:
    """Return a record whose line is at most LINE bytes long. Raises UserError: not UTF-8."""
    found = {**record, **{n: _name(record[n], most) for n, most in _NAMES.items()}}
    for member, most in (("message", LINE), ("command", LINE), ("stderrExcerpt", EXCERPT)):
        if found[member] is not None:
            found[member] = cut(clean(found[member]), most)
    found["context"] = _small_context(found["context"], CONTEXT, PROBE)
    for step in _STEPS:
        if fits(found):
            break
        found = _shortened(found, step)
    return found


def fits(record: Members) -> bool:
    return len(jsonl.encode(record)) <= LINE


def _shortened(record: Members, step: _Step) -> Members:
    """Return the record with one member as long as the line allows, or as short as it may get."""
    value = record[step.member]
    if value is None:
        return record
    if step.member == "context":
        smaller = {**record, "context": _small_context(value, 0, PROBE)}
        if fits(smaller):
            return smaller
        return {**record, "context": _small_context(value, 0, step.least)}
    low, high = step.least, len(value.encode())
    while low < high:
        middle = (low + high + 1) // 2
        if fits({**record, step.member: cut(value, middle)}):
            low = middle
        else:
            high = middle - 1
    return {**record, step.member: cut(value, low)}


def _small_context(context: Members | None, most: int, probe: int) -> Members | None:
    """Cut the probes; drop what is not about the cause if it is too much, saying how much."""
    if context is None:
        return None
    kept = {name: context[name] for name in _KEPT if name in context}
    if "causeEvidence" in kept:
        evidence = kept["causeEvidence"]
        kept["causeEvidence"] = {n: cut(evidence[n], probe) for n in PROBES if n in evidence}
    rest = {name: value for name, value in context.items() if name not in _KEPT}
    size = len(jsonl.encode(rest))
    if size <= most or rest.keys() <= {"droppedBytes"}:
        return {**context, **kept}
    return {**kept, "droppedBytes": size}


def _name(value: str | None, most: int) -> str | None:
    if value is None:
        return None
    return cut("".join(c if c.isprintable() else "\ufffd" for c in value), most)
