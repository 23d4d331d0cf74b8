"""What Claude Code used, from its stream and from its session logs (Z-097, 80 §4, §5). Pure.

In the stream only the last `result` counts: its `modelUsage` is the running total of the session,
subagents included, while the messages before it carry the counts of their beginning. In a log each
reply has its real counts, on as many lines as it has blocks: once for each `message.id`.
"""

from __future__ import annotations

from typing import Any

from okstra_ctl.providers.usage import Lines, Spent, Stream, Usage, count, event, together
from okstra_kernel import iso_time

_MODEL = ("inputTokens", "outputTokens", "cacheReadInputTokens", "cacheCreationInputTokens")
_REPLY = (
    *("input_tokens", "output_tokens"),
    *("cache_read_input_tokens", "cache_creation_input_tokens"),
)
_OURS = "<"  # begins the model of a message that claude makes itself

NO_END = "ended before claude told its totals"
TOO_LONG = "a line too long to be read"
_NEAR = 1000  # ids that are remembered of a stream: a reply's lines stand close together


class Replies:
    """The replies of some lines, each once by its message id, as sums by model."""

    def __init__(self, remembered: int = 0) -> None:
        self.by_model: dict[str, Usage] = {}
        self._ids: dict[int, None] = {}  # their hashes, the oldest first
        self._remembered = remembered  # 0: all

    def add(self, found: dict[str, Any]) -> None:
        """Add an `assistant` event; one of claude's own making used nothing."""
        message = found.get("message")
        if not isinstance(message, dict) or not isinstance(message.get("id"), str):
            return
        model, name = str(message.get("model") or ""), hash(message["id"])
        counts = count(message.get("usage"), *_REPLY)
        if counts is None or model.startswith(_OURS) or name in self._ids:
            return
        self._ids[name] = None
        if self._remembered and len(self._ids) > self._remembered:
            del self._ids[next(iter(self._ids))]
        self.by_model[model] = self.by_model.get(model, Usage()).plus(Usage(*counts))

    def spent(self, why: str) -> Spent:
        """Return what they used; `why` that is not all, or an empty text."""
        return Spent(tuple(sorted(self.by_model.items())), why)


def of_stream(lines: Lines) -> Stream:
    """Return what a `stream-json` output tells: of each session the last `result`.

    Replies after it, or without one, are told as far as they are known: that is not all.
    """
    session, long = "", False
    totals: dict[str, Spent] = {}
    later: dict[str, Replies] = {}  # since the last result of a session
    for line in lines:
        found = event(line, b'"assistant"', b'"result"', b'"init"') if line else None
        long = long or line is None
        kind = found.get("type") if found else None
        if found is None or kind not in ("assistant", "result", "system"):
            continue
        session = str(found.get("session_id") or session)
        if kind == "result":
            totals[session] = _totals(found.get("modelUsage"))
            later[session], long = Replies(_NEAR), False
        elif kind == "assistant":
            later.setdefault(session, Replies(_NEAR)).add(found)
        else:
            later.setdefault(session, Replies(_NEAR))
    if not later:
        return Stream(Spent(why="nothing in it is claude's"))
    open_ones = [name for name in later if later[name].by_model or name not in totals]
    cut = [Spent(why=TOO_LONG)] if long and not open_ones else []
    told = [*totals.values(), *(later[name].spent(NO_END) for name in open_ones), *cut]
    alone = open_ones[0] if len(later) == 1 and open_ones else ""
    return Stream(together(told), alone)


def of_session(lines: Lines, since: int, until: int, replies: Replies) -> str:
    """Add the replies of a log between two times, in seconds since 1970; both are within.

    What a fork has copied into another log counts once, if `replies` is the same. Return why the
    log is not all of it, or an empty text. A line without a time counts as within.
    """
    why = ""
    for line in lines:
        if line is None:
            why = TOO_LONG
            continue
        found = event(line, b'"assistant"')
        if found is not None and found.get("type") == "assistant" and _within(found, since, until):
            replies.add(found)
    return why


def _within(found: dict[str, Any], since: int, until: int) -> bool:
    try:
        return since <= iso_time.parse(str(found.get("timestamp"))) <= until
    except ValueError:
        return True


def _totals(used: Any) -> Spent:
    if not isinstance(used, dict):
        return Spent(why="claude's last event has no totals")
    found = {str(name): count(row, *_MODEL) for name, row in used.items()}
    told = tuple(
        (name, Usage(*counts)) for name, counts in sorted(found.items()) if counts is not None
    )
    return Spent(told, "" if len(told) == len(found) else "claude's totals are no counts")
