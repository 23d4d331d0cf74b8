from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from okstra_ctl.runs import error_log_core, error_log_core_files, prior_errors
from okstra_ctl.runs.error_log_core import MOST_FAULTS, MOST_GROUPS, Fault, Row, summarise

ROW = Row(
    log="l",
    run="t/001",
    when="2026-03-01T00:00:00Z",
    error_type="tool-failure",
    agent="codex",
    agent_role="worker",
    phase="p",
    model="m",
    cause="c",
    message="m",
    duration_ms=5,
)
RECORD = {
    **{"schemaVersion": 1, "ts": "2026-03-01T09:00:00+09:00", "errorType": "tool-failure"},
    **{"agent": "codex", "agentRole": "worker", "phase": "p", "model": None, "message": "m"},
    **{"context": None, "durationMs": None},
}


def line(**changes: Any) -> str:
    return json.dumps({**RECORD, **changes}, ensure_ascii=False)


def put(root: Path, relative: str, text: str) -> None:
    path = root / relative
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())


def test_logs_of_runs_and_stages_are_read_and_the_archive_is_not(tmp_path: Path) -> None:
    """R-150, Z-080, P-141; links are passed over (Z-101)."""
    for name in (
        "runs/a-b/logs/errors-a-b-001.jsonl",
        "runs/a-b/logs/errors-a-b-010.jsonl",
        "runs/a-b/stage-12/logs/errors-a-b-002.jsonl",
        "runs/a-b/archive/run-001/logs/errors-a-b-001.jsonl",
        "runs/a-b/stage-x/logs/errors-a-b-001.jsonl",
        "runs/archive/logs/errors-a-b-001.jsonl",
        "runs/a-b/logs/lead-events-a-b-001.jsonl",
        "runs/a-b/logs/errors-a-b-003.txt",
        "logs/errors-a-b-001.jsonl",
    ):
        put(tmp_path, name, line())
    os.symlink(tmp_path / "runs/a-b", tmp_path / "runs/link")
    os.symlink(
        tmp_path / "logs/errors-a-b-001.jsonl", tmp_path / "runs/a-b/logs/errors-a-b-004.jsonl"
    )
    os.mkfifo(tmp_path / "runs/a-b/logs/errors-a-b-005.jsonl")
    found = error_log_core_files.read(str(tmp_path))
    assert found.logs == {
        "runs/a-b/logs/errors-a-b-001.jsonl": [1, 0],
        "runs/a-b/logs/errors-a-b-010.jsonl": [1, 0],
        "runs/a-b/stage-12/logs/errors-a-b-002.jsonl": [1, 0],
    }
    assert found.counts["run"] == {"a-b/001": 1, "a-b/010": 1, "a-b/stage-12/002": 1}
    assert error_log_core_files.read(str(tmp_path / "none")).total == 0


def test_a_line_that_is_no_record_is_counted_and_spoils_no_other(tmp_path: Path) -> None:
    """(XI-13): blank lines, CRLF, a bad row, a torn last line; XF-15: a line without end."""
    lines = [line(), "", line() + "\r", "{", "[]", line(schemaVersion=2), line(errorType="x")]
    lines += [line(message=None), "x" * 70_000, line(context={"cause": 1}), line(ts="now")]
    put(tmp_path, "runs/t/logs/errors-t-001.jsonl", "\n".join([*lines, line(), line()[:20]]))
    found = error_log_core_files.read(str(tmp_path))
    assert (found.total, found.broken) == (3, 9)
    numbers = [int(text.partition(".jsonl:")[2].partition(":")[0]) for text in found.faults]
    assert numbers == [4, 5, 6, 7, 8, 9, 10, 11, 13]
    assert "longer than 65536 bytes" in found.faults[5]


def test_a_row() -> None:
    """(R-150): what a report needs of a record, shortened."""
    from okstra_kernel import strict_json

    text = line(
        context={"cause": "unknown"}, model="m" * 200, message="가" * 9999, durationMs=7, extra=1
    )
    found = error_log_core.row(strict_json.parse(text, "f:1"), "l", "t/001")
    assert found._replace(model="", message="") == ROW._replace(
        model="", phase="p", cause="unknown", message="", duration_ms=7
    )
    assert (len(found.model.encode()), len(found.message.encode())) == (128, 512)


def test_the_same_error_again_is_one_group() -> None:
    """(R-150)."""
    late = ROW._replace(when="2026-03-02T00:00:00Z", run="t/002", duration_ms=50)
    other = ROW._replace(message="n", duration_ms=None)
    found = summarise([late, ROW, other, Fault("l", "f")])
    groups = [(g.count, g.first.run, g.last.run, g.longest_ms) for g in found.groups()]
    assert groups == [(2, "t/001", "t/002", 50), (1, "t/001", "t/001", None)]
    assert (found.total, found.broken, found.logs) == (3, 1, {"l": [3, 1]})


def test_what_is_kept_is_bounded_and_what_is_counted_is_not() -> None:
    """(XF-15)."""
    many = MOST_GROUPS + 100
    rows = [ROW._replace(message=str(n), run=str(n)) for n in range(many)]
    found = summarise([*rows, *(Fault("l", str(n)) for n in range(many))])
    assert (found.total, found.broken, found.ungrouped) == (many, many, 100)
    sizes = len(found.groups()), len(found.faults), len(found.counts["run"])
    assert sizes == (MOST_GROUPS, MOST_FAULTS, MOST_GROUPS)


items = st.lists(
    st.builds(
        ROW._replace,
        error_type=st.sampled_from(["tool-failure", "cli-failure", "contract-violation"]),
        when=st.sampled_from([f"2026-03-0{day}T00:00:00Z" for day in range(1, 5)]),
        message=st.sampled_from("ab"),
    )
    | st.builds(Fault, st.just("l"), st.just("f")),
    max_size=20,
)


@given(items, st.randoms())
def test_the_order_of_logs_does_not_matter(found: list[Row | Fault], random: Any) -> None:
    """(R-150)."""
    mixed = list(found)
    random.shuffle(mixed)
    one, two = summarise(found), summarise(mixed)
    assert (one.total, one.broken, one.counts) == (two.total, two.broken, two.counts)
    for text in (prior_errors.digest(one), prior_errors.digest(two)):
        assert sorted(text.splitlines()) == sorted(prior_errors.digest(one).splitlines())


def test_the_digest_tells_what_can_be_acted_on() -> None:
    """(D-184, P-140, R-152): two types alone, the frequent first, each on one short line."""
    rows = [
        ROW._replace(error_type="cli-failure"),
        ROW._replace(error_type="contract-violation", cause="", message="no\n# marker\x1b[2J"),
        ROW._replace(message="x" * 600),
        ROW._replace(message="x" * 600, when="2026-03-02T00:00:00Z", run="t/002"),
    ]
    first, second = prior_errors.digest(summarise(rows)).splitlines()
    assert first.startswith(
        "- tool-failure, codex (worker), 2 times, last 2026-03-02T00:00:00Z in t/002, cause c, "
        "took up to 5 ms: xxx"
    )
    assert first.endswith("…[truncated]") and len(first) < 420
    assert second == (
        "- contract-violation, codex (worker), once 2026-03-01T00:00:00Z in t/001, "
        "took up to 5 ms: no\\n# marker\\x1b[2J"
    )
    assert prior_errors.digest(summarise(rows[:1])) == ""
    many = summarise(ROW._replace(message=str(n)) for n in range(50))
    assert prior_errors.digest(many).splitlines()[40:] == ["- and 10 more that differ"]
