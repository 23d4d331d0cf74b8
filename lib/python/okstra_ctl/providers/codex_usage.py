"""What codex used, from its stream and from its rollout logs (Z-097, 80 §7, §8). Pure.

Its counts are of the whole thread, so the last of a thread counts. What came from its cache, and
what was written to it, are part of `input_tokens`; the tokens it thought with, of `output_tokens`.
"""

from __future__ import annotations

from typing import Any

from okstra_ctl.providers.usage import Lines, Spent, Stream, Usage, count, event, together
from okstra_kernel import iso_time

_NAMES = (
    *("input_tokens", "output_tokens"),
    *("cached_input_tokens", "cache_write_input_tokens"),
)
NO_END = "ended before codex told its totals"


def of_stream(lines: Lines) -> Stream:
    """Return what an `exec --json` output tells: the last `turn.completed` of each thread."""
    thread, ended, totals = "", True, {}
    for line in lines:
        if line is None:
            continue
        found = event(line, b'"thread.started"', b'"turn.')
        kind = found.get("type") if found else None
        if found is None or kind is None:
            continue
        if kind == "thread.started":
            thread, ended = str(found.get("thread_id") or "?"), False
        elif kind == "turn.completed":
            totals[thread], ended = _usage(found.get("usage")), True
        elif kind in ("turn.started", "turn.failed"):
            ended = False
    if not thread and not totals:
        return Stream(Spent(why="nothing in it is codex's"))
    told = [
        Spent((("", usage),)) if usage else Spent(why="codex's totals are no counts")
        for usage in totals.values()
    ]
    if ended:
        return Stream(together(told))
    return Stream(together([*told, Spent(why=NO_END)]), thread.strip("?"))


def of_rollout(lines: Lines, since: int, until: int) -> Spent:
    """Return what a thread used between two times, in seconds since 1970, from its log.

    Its last total within, less the last before: a resumed thread goes on counting.
    """
    before, last, seen, long = Usage(), None, False, False
    for line in lines:
        if line is None:
            long = True
            continue
        found = event(line, b'"token_count"')
        usage = _token_count(found) if found else None
        if found is None or usage is None:
            continue
        at = _time(found)
        if at < since:
            before = usage
        elif at <= until:
            last, seen = usage, True
    if not seen or last is None:
        return Spent(why="its log tells no counts")
    used = last.minus(before)
    if used is None:
        return Spent(why="its log counts backwards")
    return Spent((("", used),), "a line too long to be read" if long else "")


def _token_count(found: dict[str, Any]) -> Usage | None:
    payload = found.get("payload")
    if not isinstance(payload, dict) or payload.get("type") != "token_count":
        return None
    info = payload.get("info")
    return _usage(info.get("total_token_usage")) if isinstance(info, dict) else None


def _time(found: dict[str, Any]) -> int:
    try:
        return iso_time.parse(str(found.get("timestamp")))
    except ValueError:
        return 0


def _usage(members: Any) -> Usage | None:
    counts = count(members, *_NAMES)
    if counts is None:
        return None
    whole, output, read, written = counts
    fresh = whole - read - written
    return Usage(fresh, output, read, written) if fresh >= 0 else None
