"""The files that a dispatch reads, broken in every way (XI-10, XI-11, XC-04).

Exit 2 with the file and the place, no traceback, nothing started and nothing written.
"""

from __future__ import annotations

import copy
import json
import os
import subprocess
from pathlib import Path
from typing import Any, Iterator

import pytest

from faults import sweep
from faults.crew import RUN, Crew
from faults.sandbox import BIN, Sandbox
from okstra_ctl.dispatch import team_command, wrapper_status
from okstra_kernel import UserError

WORKER = "grok-analyser"


@pytest.fixture
def crew(box: Sandbox) -> Iterator[Crew]:
    made = Crew(box).build()
    yield made
    assert made.processes() == []


def _files(crew: Crew) -> dict[str, Path]:
    project = crew.box.project
    return {
        "jobs": project / crew.jobs("again", WORKER),
        "manifest": project / crew.manifest,
        "team state": crew.state_path,
    }


BROKEN = {
    "empty": b"",
    "null": b"null",
    "a list": b"[]",
    "a number": b"1",
    "NaN": b'{"schemaVersion": NaN}',
    "a key twice": b'{"schemaVersion": 1, "schemaVersion": 1}',
    "half a surrogate": b'{"schemaVersion": 1, "a": "\\ud800"}',
    "a byte order mark": b"\xef\xbb\xbf[]",
    "no UTF-8": b'{"schemaVersion": 1, "a": "\xff"}',
    "very deep": b'{"a":' * 100_000,
    "5,000 digits": b'{"schemaVersion": ' + b"1" * 5000 + b"}",
    "another version": b'{"schemaVersion": 99}',
    "an empty object": b"{}",
    "200 MB": b'{"a": "' + b"x" * 200_000_000 + b'"}',
}


def test_files_that_are_no_json(crew: Crew) -> None:
    files = _files(crew)
    whole = {name: path.read_bytes() for name, path in files.items()}
    items = [(name, how) for name in files for how in BROKEN]
    failures = []
    for name, how in sweep.chosen(items, 12):
        files[name].write_bytes(BROKEN[how])
        done = crew.do("team", "dispatch", f"--jobs-file={files['jobs']}")
        if done.status != 2 or "Traceback" in done.err or files[name].name not in done.err:
            failures.append(f"{name}, {how}: exit {done.status}: {done.told[:300]}")
        files[name].write_bytes(whole[name])
    changed = [name for name, path in files.items() if path.read_bytes() != whole[name]]
    sweep.report("XI-10 files of a dispatch", len(items), [*failures, *changed])


def test_files_that_are_cut_at_every_byte(crew: Crew) -> None:
    files = _files(crew)
    tried, failures = 0, []
    for name, path in files.items():
        data = path.read_bytes()
        step = 97 if sweep.LEVEL == sweep.SAMPLE else 1
        for size in range(0, len(data) - 2, step):
            path.write_bytes(data[:size])
            tried += 1
            fault = _look(crew, files)
            failures += [f"{name} at {size}: {fault}"] if fault != "UserError" else []
        path.write_bytes(data)
    sweep.report("XI-10 files of a dispatch, cut", tried, failures)


def test_members_that_are_missing_or_of_another_type(crew: Crew) -> None:
    """A plan is made, or a UserError says why not: never a fault of ours (XI-11)."""
    files = _files(crew)
    tried, failures = 0, []
    for name, path in files.items():
        data = path.read_bytes()
        every = list(_mutations(json.loads(data)))
        for place, value in every[:: 37 if sweep.LEVEL == sweep.SAMPLE else 1]:
            path.write_text(json.dumps(value), encoding="utf-8")
            tried += 1
            fault = _look(crew, files)
            failures += [f"{name}: {place}: {fault}"] if fault not in ("", "UserError") else []
        path.write_bytes(data)
    sweep.report("XI-11 members of a dispatch's files", tried, failures)


def _look(crew: Crew, files: dict[str, Path]) -> str:
    """Do what comes before the first start. Return the name of what was raised."""
    words = {
        **{"--project-root": str(crew.box.project), "--run-manifest": str(crew.manifest)},
        **{"--workers": None, "--jobs-file": str(files["jobs"]), "--dispatch-kind": None},
        **{"--max-parallel": None, "--dry-run": True, "--json": True, "--wait": False},
        **{"--retry": False, "dispatch": True, "await": False, "status": False},
    }
    words["teardown"] = False
    roster = {**words, "--jobs-file": None}
    status = {**roster, "dispatch": False, "status": True, "--dry-run": False}
    teardown = {**status, "status": False, "teardown": True}
    faults = []
    for each in (words, roster, status, teardown):
        try:
            team_command.run(each)
        except UserError:
            faults.append("UserError")
        except Exception as err:  # allowed: it is what is looked for
            return f"{type(err).__name__}: {err}"
    return next(iter(faults), "")


OTHERS: list[Any] = [None, 1, "x", "", [], {}, True, [1], -1, {"a": 1}]


def _mutations(value: Any, place: str = "$") -> Iterator[tuple[str, Any]]:
    """Yield the value with each member removed or of another type, at any depth."""
    if isinstance(value, (dict, list)):
        for key in value.keys() if isinstance(value, dict) else range(len(value)):
            where = f"{place}.{key}"
            fewer = copy.deepcopy(value)
            del fewer[key]
            yield f"{where} removed", fewer
            for other in OTHERS:
                yield f"{where} = {other!r}", _with(value, key, other)
            for deeper, changed in _mutations(value[key], where):
                yield deeper, _with(value, key, changed)


def _with(value: Any, key: Any, other: Any) -> Any:
    found = copy.copy(value)
    found[key] = other
    return found


def test_status_sidecars_of_every_kind(tmp_path: Path) -> None:
    """One that cannot be read was not the wrapper's: as if it were not there (XI-21)."""
    at = "2026-01-01T00:00:00Z"
    whole = {
        **{"status": "completed", "wrapperPid": 5, "wrapperStartedAt": "1", "pid": 6},
        **{"processGroup": 6, "processStartedAt": "2", "startedAt": at, "heartbeatAt": at},
        **{"endedAt": at, "exitCode": 0, "reason": "", "escaped": [{"pid": 7}]},
    }
    whole["escaped"] = [{"pid": 7, "processStartedAt": "3"}]
    path = tmp_path / "p.status.json"
    texts = [json.dumps(value).encode() for _, value in _mutations(whole)]
    texts += [json.dumps(whole).encode()[:size] for size in range(len(json.dumps(whole)) - 1)]
    for number, text in enumerate([*texts, *(b for b in BROKEN.values() if len(b) < 10_000)]):
        path.write_bytes(text)
        os.utime(path, (number, number))  # a clock's tick is not short enough
        found = wrapper_status.read(str(tmp_path / "p.md"))
        assert found is None or found.state in wrapper_status.STATES
    sweep.report("XI-21 status sidecars", len(texts), [])


EACH = 12 if sweep.LEVEL == sweep.SAMPLE else 500
MANY = 8


def test_many_write_to_one_error_log(crew: Crew) -> None:
    """Whole lines, none lost (XC-04)."""
    log = RUN / "logs/errors-error-analysis-001.jsonl"
    words = [
        *(str(BIN / "okstra"), "error-log", "append-observed", f"--out={log}"),
        *("--task-key=shop:g:T1", "--phase=error-analysis", "--agent=codex-worker"),
        *("--agent-role=worker", "--error-type=cli-failure"),
    ]
    script = 'n=$1; shift; for ((i = 0; i < EACH; i++)); do "$@" "--message=$n $i" || exit; done'
    running = [
        subprocess.Popen(
            ["bash", "-c", script.replace("EACH", str(EACH)), "-", str(number), *words],
            cwd=crew.box.project, env=crew.env(), stdout=subprocess.DEVNULL,
        )
        for number in range(MANY)
    ]  # fmt: skip
    assert [process.wait() for process in running] == [0] * MANY
    rows = [json.loads(line) for line in (crew.box.project / log).read_text("utf-8").splitlines()]
    told = sorted(tuple(map(int, row["message"].split())) for row in rows)
    assert told == [(n, i) for n in range(MANY) for i in range(EACH)]
    assert crew.box.run(BIN / "okstra", "validate", log).status == 0
    sweep.report("XC-04 rows of an error log by 8 processes", MANY * EACH, [])
