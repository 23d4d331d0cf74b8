"""Counts from what the real CLIs print and log (Z-097, 80 §4, §5, §7, §8)."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from okstra_ctl.providers import claude_usage, codex_usage, usage
from okstra_ctl.providers.claude_usage import NO_END, TOO_LONG, Replies
from okstra_ctl.providers.usage import Spent, Stream, Usage
from okstra_ctl.reports import usage_files

LIB = Path(__file__).parents[4] / "lib/python"
INIT = {"type": "system", "subtype": "init", "session_id": "s-1", "model": "claude-sonnet-5-5"}


def lines(*events: Any) -> list[bytes | None]:
    """Return events as lines; text as it is, None as a line that is too long."""
    return [
        one if one is None or isinstance(one, bytes) else f"{json.dumps(one)}\n".encode()
        for one in events
    ]


def spoken(name: str, *counts: int, model: str = "m", **more: Any) -> dict[str, Any]:
    names = ("input_tokens", "output_tokens", "cache_read_input_tokens")
    told = dict(zip((*names, "cache_creation_input_tokens"), counts, strict=False))
    message = {"id": name, "role": "assistant", "model": model, "content": [], "usage": told}
    return {"type": "assistant", "message": message, "session_id": "s-1", **more}


def ended(session: str = "s-1", **by_model: tuple[int, int, int, int]) -> dict[str, Any]:
    names = ("inputTokens", "outputTokens", "cacheReadInputTokens", "cacheCreationInputTokens")
    used = {name: dict(zip(names, one, strict=True)) for name, one in by_model.items()}
    return {"permission_denials": [], "type": "result", "session_id": session, "modelUsage": used}


def whole(*counts: int) -> Spent:
    """Return exact counts under no model's name."""
    return Spent((("", Usage(*counts)),))


def spent(why: str = "", **by_model: Usage) -> Spent:
    return Spent(tuple(sorted(by_model.items())), why)


NONE = Stream(Spent(why="nothing in it is claude's"))
CLAUDE = {
    "the last result has the totals of the session": (
        [INIT, ended(m=(9, 9, 0, 0)), spoken("b", 5, 1), ended(m=(100, 15, 20, 10))],
        Stream(spent(m=Usage(100, 15, 20, 10))),
    ),
    "of several models each has its own": (
        [ended(big=(100, 15, 20, 10), small=(3, 1, 0, 0))],
        Stream(spent(big=Usage(100, 15, 20, 10), small=Usage(3, 1))),
    ),
    "two sessions in one transcript count both": (
        [ended("s-1", m=(1, 1, 0, 0)), ended("s-2", m=(2, 2, 0, 0))],
        Stream(spent(m=Usage(3, 3))),
    ),
    "killed: each reply once, which is not all": (
        [INIT, spoken("a", 5, 1), spoken("a", 5, 1), spoken("b", 7, 1)],
        Stream(spent(NO_END, m=Usage(12, 2)), "s-1"),
    ),
    "killed after a wake-up: the totals, and not all": (
        [INIT, ended(m=(10, 5, 0, 0)), spoken("b", 7, 1)],
        Stream(spent(NO_END, m=Usage(17, 6)), "s-1"),
    ),
    "not logged in: nothing was used": ([INIT, ended()], Stream(Spent())),
    "a message of claude's own": (
        [INIT, spoken("x", 0, 0, model="<synthetic>"), ended(m=(1, 1, 0, 0))],
        Stream(spent(m=Usage(1, 1))),
    ),
    "no totals in the last event": (
        [{"type": "result", "session_id": "s-1"}],
        Stream(Spent(why="claude's last event has no totals")),
    ),
    "totals that are no counts": (
        [{"type": "result", "modelUsage": {"m": {"inputTokens": -1}}}],
        Stream(Spent(why="claude's totals are no counts")),
    ),
    "the words of a result within another text": (
        [{"type": "user", "message": {"content": '"type":"result","modelUsage":{}'}}, ended()],
        Stream(Spent()),
    ),
    "a line too long, after the end": (
        [ended(m=(1, 1, 0, 0)), None],
        Stream(spent(TOO_LONG, m=Usage(1, 1))),
    ),
    "a line too long, before it": (
        [None, ended(m=(1, 1, 0, 0))],
        Stream(spent(m=Usage(1, 1))),
    ),
    "nothing at all": ([b"zsh: killed\n"], NONE),
    "a cut line": ([b'{"type":"result","modelUsage":{"m":'], NONE),
}  # fmt: skip


@pytest.mark.parametrize(("events", "expected"), CLAUDE.values(), ids=CLAUDE)
def test_a_claude_stream(events: list[Any], expected: Stream) -> None:
    assert claude_usage.of_stream(lines(*events)) == expected


THREAD = {"type": "thread.started", "thread_id": "t-1"}
BEGUN = {"type": "turn.started"}


def turned(all_in: Any, output: Any, cached: Any = 0, written: Any = 0) -> dict[str, Any]:
    names = ("input_tokens", "output_tokens", "cached_input_tokens", "cache_write_input_tokens")
    told = dict(zip(names, (all_in, output, cached, written), strict=True))
    return {"type": "turn.completed", "usage": {**told, "reasoning_output_tokens": 7}}


CODEX = {
    "what came from the cache is part of the input": (
        [THREAD, BEGUN, turned(240, 30, 40, 10)],
        Stream(Spent((("", Usage(190, 30, 40, 10)),))),
    ),
    "a resumed thread repeats its total": (
        [THREAD, BEGUN, turned(240, 30), THREAD, BEGUN, turned(300, 40)],
        Stream(Spent((("", Usage(300, 40)),))),
    ),
    "failed after a turn: that turn, and not all": (
        [THREAD, BEGUN, turned(240, 30), BEGUN, {"type": "turn.failed", "error": {}}],
        Stream(Spent((("", Usage(240, 30)),), codex_usage.NO_END), "t-1"),
    ),
    "killed": ([THREAD, BEGUN], Stream(Spent(why=codex_usage.NO_END), "t-1")),
    "no counts": (
        [THREAD, turned("many", 3)],
        Stream(Spent(why="codex's totals are no counts")),
    ),
    "more from the cache than there was": (
        [THREAD, turned(10, 3, 40)],
        Stream(Spent(why="codex's totals are no counts")),
    ),
    "nothing": ([b"codex: not found\n"], Stream(Spent(why="nothing in it is codex's"))),
}


@pytest.mark.parametrize(("events", "expected"), CODEX.values(), ids=CODEX)
def test_a_codex_stream(events: list[Any], expected: Stream) -> None:
    assert codex_usage.of_stream(lines(*events)) == expected


def at(second: int, **event: Any) -> dict[str, Any]:
    return {**event, "timestamp": f"2026-11-29T17:00:{second:02d}.842Z"}


SINCE, UNTIL = 1_795_971_610, 1_795_971_650  # 17:00:10 and 17:00:50


def test_session_logs_count_a_reply_once_across_files_and_lines() -> None:
    """A fork copies the history, ids included, into its own log (80 §5)."""
    one = [
        at(5, **spoken("before", 900, 900)),
        at(10, **spoken("a", 100, 15, 20, 10)),
        at(10, **spoken("a", 100, 15, 20, 10)),
        {"type": "user", "timestamp": "x"},
        at(50, **spoken("b", 1, 2)),
        at(51, **spoken("after", 900, 900)),
    ]
    fork = [at(10, **spoken("a", 100, 15, 20, 10)), at(30, **spoken("c", 4, 4, model="n"))]
    replies = Replies()
    faults = [claude_usage.of_session(lines(*e), SINCE, UNTIL, replies) for e in (one, fork)]
    assert faults == ["", ""]
    assert replies.spent("") == spent(m=Usage(101, 17, 20, 10), n=Usage(4, 4))
    assert claude_usage.of_session([None], SINCE, UNTIL, replies) == TOO_LONG


def counted(second: int, all_in: int, output: int, cached: int = 0) -> dict[str, Any]:
    told = {"input_tokens": all_in, "output_tokens": output, "cached_input_tokens": cached}
    info = {"total_token_usage": told, "last_token_usage": {"input_tokens": 1}}
    payload = {"type": "token_count", "info": info}
    return at(second, type="event_msg", payload=payload)


ROLLOUTS = {
    "the last total": (
        [counted(20, 100, 10), counted(30, 240, 30, 40)],
        whole(200, 30, 40),
    ),
    "less the last one before the run": (
        [counted(5, 100, 10), counted(30, 240, 30, 40)],
        whole(100, 20, 40),
    ),
    "and none from after it": (
        [counted(30, 240, 30), counted(55, 900, 900)],
        whole(240, 30),
    ),
    "without a count": ([at(20, type="turn_context")], Spent(why="its log tells no counts")),
    "an info that is null": (
        [at(20, type="event_msg", payload={"type": "token_count", "info": None})],
        Spent(why="its log tells no counts"),
    ),
    "backwards": ([counted(5, 100, 10), counted(30, 50, 5)], Spent(why="its log counts backwards")),
}  # fmt: skip


@pytest.mark.parametrize(("events", "expected"), ROLLOUTS.values(), ids=ROLLOUTS)
def test_a_rollout_log(events: list[Any], expected: Spent) -> None:
    assert codex_usage.of_rollout(lines(*events), SINCE, UNTIL) == expected


COUNT = st.builds(Usage, *[st.integers(0, 1 << 40)] * 4)
PART = st.builds(
    Spent,
    st.dictionaries(st.sampled_from("abc"), COUNT).map(lambda d: tuple(sorted(d.items()))),
    st.sampled_from(["", "gone"]),
)


@given(st.lists(PART), st.randoms(use_true_random=False))
def test_parts_add_up_in_any_order(parts: list[Spent], random: Any) -> None:
    found = usage.together(parts)
    assert found.usage.total == sum(part.usage.total for part in parts)
    assert found.exact == all(part.exact for part in parts)
    shuffled = [*parts]
    random.shuffle(shuffled)
    assert usage.together(shuffled) == found


def test_nothing_is_known_of_others_and_ours_are_free() -> None:
    assert not usage.untold([]).spent.exact
    assert usage.free([]).spent == Spent()


def test_a_huge_transcript_is_read_in_little_memory(tmp_path: Path) -> None:
    """Q-24: lines of all sizes, among them one of 40 MB; 70 MB in all."""
    log = tmp_path / "t.log"
    end = lines(ended(m=(100, 15, 20, 10)))[0]
    with log.open("wb") as stream:
        for number in range(2000):
            stream.write(lines(spoken(f"msg-{number}", 5, 1))[0] or b"")
            stream.write(b'{"type":"user","content":"' + b"x" * 15_000 + b'"}\n')
        stream.write(b'{"type":"user","content":"' + b"y" * 40_000_000 + b'"}\n')
        stream.write(end or b"")
    program = (
        "import resource, sys; sys.path.insert(0, sys.argv[1])\n"
        "resource.setrlimit(resource.RLIMIT_DATA, (48 << 20, 48 << 20))\n"
        "from okstra_ctl.providers import claude_usage\n"
        "from okstra_kernel import jsonl\n"
        "told = claude_usage.of_stream(jsonl.lines(sys.argv[2], longest=int(sys.argv[3])))\n"
        "print(told.spent.usage.total)"
    )

    def run(longest: int) -> subprocess.CompletedProcess[str]:
        words = [sys.executable, "-I", "-c", program, str(LIB), str(log), str(longest)]
        return subprocess.run(words, capture_output=True, text=True)

    assert run(usage_files.LONGEST).stdout == "145\n"
    if sys.platform == "linux":  # others do not hold the limit
        assert "MemoryError" in run(1 << 30).stderr
