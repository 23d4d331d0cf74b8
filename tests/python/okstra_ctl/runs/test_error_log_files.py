from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from okstra_ctl.runs import error_log_files
from okstra_ctl.runs.error_line import LINE
from okstra_ctl.runs.error_log_files import Log, append_from_worker, append_observed, find
from okstra_ctl.runs.error_record import Entry, Origin
from okstra_kernel import Refusal, UserError

LIB = str(Path(__file__).parents[4] / "lib/python")
RUN = ".okstra/tasks/g/dev-1/runs/error-analysis"
RELATIVE = f"{RUN}/logs/errors-error-analysis-001.jsonl"
ORIGIN = Origin("p:g:DEV-1", "error-analysis", "codex-worker", "worker", None)
SEEN = Entry(0, "tool-failure", "HTTP 429")
WRITTEN = {"ts": "2026-03-01T10:05:00Z", "errorType": "cli-failure", "message": "HTTP 429"}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "가게 shop"
    (root / RUN / "outbox/codex-analysis-001").mkdir(parents=True)
    return root


@pytest.fixture
def log(root: Path) -> Log:
    return Log(str(root), RELATIVE)


def rows(log: Log) -> list[dict[str, Any]]:
    path = Path(*log)
    return [json.loads(x) for x in path.read_text("utf-8").splitlines()] if path.exists() else []


def put(root: Path, value: object, worker: str = "codex") -> str:
    path = root / RUN / f"outbox/{worker}-analysis-001/errors.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
    return str(path)


def dump(log: Log, sidecar: str) -> int:
    return append_from_worker(log, ORIGIN, sidecar, {}, "/")


def test_a_log_is_found_by_its_path(root: Path) -> None:
    """(D-170)."""
    (root / RUN / "stage-2").mkdir()
    stage = f"{RUN}/stage-2/logs/errors-error-analysis-012.jsonl"
    for out, relative in ((RELATIVE, RELATIVE), (str(root / stage), stage)):
        assert find(out, "p:g:DEV-1", str(root)) == Log(str(root), relative)


@pytest.mark.parametrize(
    ("out", "key", "message"),
    [
        (RELATIVE, "p:g", "not a task key"),
        (RELATIVE, "p:g:DEV-2", "not an error log of a run of p:g:DEV-2: "),
        ("errors-error-analysis-001.jsonl", "p:g:DEV-1", "not an error log of a run of"),
        (f"{RUN}/logs/errors-implementation-001.jsonl", "p:g:DEV-1", "not an error log"),
        (f"{RUN}/state/errors-error-analysis-001.jsonl", "p:g:DEV-1", "not an error log"),
        (f"{RUN}/logs/../../../../../x.jsonl", "p:g:DEV-1", "not an error log"),
        (RELATIVE.replace("error-analysis", "implementation"), "p:g:DEV-1", "no such run: "),
    ],
)
def test_what_is_no_log_of_this_task_is_refused(
    root: Path, out: str, key: str, message: str
) -> None:
    """(D-170)."""
    with pytest.raises(UserError) as caught:
        find(out, key, str(root))
    assert str(caught.value).startswith(message)


def test_an_observed_error_is_a_line_without_secrets(log: Log) -> None:
    """(D-174, Z-051): message, command, excerpt, context and its names."""
    secret = "hunter2-hunter2"
    entry = Entry(
        0, "tool-failure", f"a {secret}", f"b {secret}", {f"c {secret}": [secret]}, secret
    )
    assert append_observed(log, ORIGIN, entry, {"MY_TOKEN": secret}) == 1
    (row,) = rows(log)
    hidden = "[redacted:MY_TOKEN]"
    assert [row[name] for name in ("message", "stderrExcerpt", "context", "command")] == [
        *(f"a {hidden}", f"b {hidden}", {f"c {hidden}": [hidden]}),
        hidden,
    ]
    assert os.stat(os.path.join(*log)).st_mode & 0o777 == 0o600


def test_a_secret_at_the_cut_is_hidden_before(log: Log) -> None:
    """(D-174): redacted first, cut then."""
    secret = "sk-ant-" + "x" * 40
    entry = SEEN._replace(stderr_excerpt="e" * 2020 + " " + secret + "e" * 500)
    append_observed(log, ORIGIN, entry, {})
    assert "sk-ant" not in rows(log)[0]["stderrExcerpt"]


@pytest.mark.parametrize(
    ("origin", "entry"),
    [
        (ORIGIN._replace(agent="x"), SEEN),
        (ORIGIN._replace(agent_role="x"), SEEN),
        (ORIGIN, SEEN._replace(error_type="x")),
        (ORIGIN, SEEN._replace(message="in a sandbox")),
        (ORIGIN, SEEN._replace(context={"cause": "sandbox-denied"})),
    ],
)
def test_what_is_refused_leaves_no_trace(log: Log, origin: Origin, entry: Entry) -> None:
    """(D-178, D-258, D-259, D-260)."""
    with pytest.raises(UserError):
        append_observed(log, origin, entry, {})
    assert not os.path.exists(os.path.dirname(os.path.join(*log)))


def test_a_sidecar_is_copied_once_however_often_it_is_dumped(root: Path, log: Log) -> None:
    """(D-180, D-182, D-183): the same error twice stays two; another worker's is another."""
    value = {"schemaVersion": 1, "errors": [WRITTEN, WRITTEN]}
    mine, other = put(root, value), put(root, value, "codex-2")
    assert [dump(log, one) for one in (mine, mine, other, other)] == [2, 0, 2, 0]
    lines = Path(*log).read_bytes().splitlines(keepends=True)
    Path(*log).write_bytes(b"".join(lines[:1]) + lines[1][:30])  # killed in the middle
    assert [dump(log, one) for one in (mine, mine)] == [1, 0]
    Path(*log).write_bytes(b"")
    assert dump(log, mine) == 2
    for row in rows(log):
        assert row["ts"] == WRITTEN["ts"] != row["recordedAt"]
        assert row["source"] == "worker-sidecar"
        assert row["sidecar"] == f"{RUN}/outbox/codex-analysis-001/errors.json"


def test_a_bad_entry_stops_the_dump_until_it_is_put_right(root: Path, log: Log) -> None:
    """(D-181, D-182, D-267)."""
    entries = [{**WRITTEN, "message": text} for text in ("one", "blocked by sandbox", "three")]
    with pytest.raises(UserError, match=r"errors\[1\]: the message claims 'sandbox'"):
        dump(log, put(root, {"schemaVersion": 1, "errors": entries}))
    assert rows(log) == []
    entries[1]["context"] = {"cause": "service-unavailable"}  # type: ignore[assignment]
    assert dump(log, put(root, {"schemaVersion": 1, "errors": entries})) == 3
    assert [row["message"] for row in rows(log)] == ["one", "blocked by sandbox", "three"]


def test_no_sidecar_and_no_errors_are_nothing(root: Path, log: Log) -> None:
    """(D-265). Agent and role are checked nevertheless (D-181)."""
    assert dump(log, str(root / "none.json")) == 0
    assert dump(log, put(root, {"schemaVersion": 1, "errors": []})) == 0
    assert not os.path.exists(os.path.join(*log))
    with pytest.raises(UserError, match=r"^not an agent: 'x'"):
        append_from_worker(log, ORIGIN._replace(agent="x"), str(root / "none.json"), {}, "/")


GOOD = json.dumps({"schemaVersion": 1, "errors": [WRITTEN]})
BAD = [
    *("", "null", "[]", "NaN", '{"schemaVersion": 1, "schemaVersion": 1, "errors": []}'),
    *(GOOD.replace("HTTP 429", "\\ud800"), f"\ufeff{GOOD}", "[" * 100_000),
    *(GOOD.replace(": 1,", f": {'1' * 5000},"), f'"{"x" * (5 << 20)}"'),
    *(GOOD[:end] for end in range(1, len(GOOD))),
]


def test_a_sidecar_that_is_no_json_is_named_and_nothing_is_written(root: Path, log: Log) -> None:
    """(XI-10): empty, null, a list, cut at every byte, NaN, repeated, deep, long, large."""
    for text in BAD:
        path = put(root, text)
        with pytest.raises(UserError) as caught:
            dump(log, path)
        assert path in str(caught.value) and caught.value.status == 2
    assert not os.path.exists(os.path.join(*log))


def test_a_sidecar_is_a_plain_file(root: Path, log: Log, tmp_path: Path) -> None:
    """(Z-101): what a worker put in its place is not followed, and nothing hangs."""
    path = put(root, GOOD)
    outside = tmp_path / "outside.json"
    os.rename(path, outside)
    os.symlink(outside, path)
    with pytest.raises(Refusal, match="does not write through links"):
        dump(log, path)
    link = tmp_path / "link.json"
    os.symlink(outside, link)
    with pytest.raises(UserError, match=r"^a link, not a worker's file: "):
        dump(log, str(link))
    os.unlink(path)
    os.mkfifo(path)
    with pytest.raises(UserError, match=r"^not a file: "):
        dump(log, path)


def test_an_excerpt_is_the_beginning_of_a_file_of_any_size(tmp_path: Path) -> None:
    """(XF-15)."""
    path = tmp_path / "stderr"
    path.write_bytes(b"a\xffb")
    assert error_log_files.excerpt("stderr", str(tmp_path)) == "a\ufffdb"
    os.truncate(path, 5 << 30)
    assert len(error_log_files.excerpt(str(path), "/")) == error_log_files.LONGEST_EXCERPT + 1
    with pytest.raises(UserError, match=r"^cannot read none: "):
        error_log_files.excerpt("none", str(tmp_path))


WRITER = """
import sys
sys.path.insert(0, sys.argv[1])
from okstra_ctl.runs.error_log_files import Log, append_observed
from okstra_ctl.runs.error_record import Entry, Origin
origin = Origin("p:g:DEV-1", "x", "codex-worker", "worker", sys.argv[4])
for number in range(500):
    entry = Entry(0, "tool-failure", str(number), "가" * 2000)
    append_observed(Log(sys.argv[2], sys.argv[3]), origin, entry, {})
"""


def test_of_eight_writers_no_record_is_lost_or_torn(log: Log) -> None:
    """(XC-04): 4,000 whole lines."""
    words = [sys.executable, "-I", "-c", WRITER, LIB, *log]
    writers = [subprocess.Popen([*words, str(who)]) for who in range(8)]
    assert [writer.wait() for writer in writers] == [0] * 8
    lines = Path(*log).read_bytes().splitlines(keepends=True)
    assert len(lines) == 4000
    assert max(map(len, lines)) <= LINE
    found = [(row["model"], int(row["message"])) for row in map(json.loads, lines)]
    assert sorted(found) == [(str(who), n) for who in range(8) for n in range(500)]
    for who in range(8):
        assert [n for model, n in found if model == str(who)] == list(range(500))
