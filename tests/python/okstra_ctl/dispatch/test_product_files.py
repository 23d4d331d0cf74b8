"""What lies in an outbox counts only whole, and is published once (Z-013, D-112, XI-16)."""

from __future__ import annotations

import os
import shutil
import time
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

from okstra_ctl.dispatch import product_files
from okstra_ctl.dispatch.outcome import Product
from okstra_ctl.dispatch.run_files import RunFiles
from okstra_kernel import iso_time
from okstra_project import task_key

RUN = ".okstra/tasks/g/t1/runs/error-analysis"
BOX = f"{RUN}/outbox/codex-analyser-initial-001"
RESULT, AUDIT = f"{RUN}/worker-results/a.md", f"{RUN}/worker-results/a-audit.md"
HEAD = {
    **{"workerId": "codex-analyser", "provider": "codex", "model": "m", "taskKey": "shop:g:T1"},
    **{"taskType": "error-analysis", "seq": "001", "dispatchKind": "initial"},
}
FINDING = """### F-001 — the total is missing
- Severity: major
- Kind: defect
- Statement: pay() reads a key that nothing sets.
- Evidence: `shop.py:3`
- Recommendation: set it.
"""


def answer(**changed: str) -> str:
    front = "".join(f"{name}: {value}\n" for name, value in {**HEAD, **changed}.items())
    rest = ("2. Evidence", "3. Risks", "4. Recommendations")
    sections = [*rest, "5. Missing Information or Assumptions"]
    text = "".join(f"## {name}\nNone.\n" for name in sections)
    body = f"---\n{front}---\n## 1. Findings\n\n{FINDING}\n{text}"
    return f"{body}\n<!-- okstra:result-complete -->\n"


@pytest.fixture
def run(tmp_path: Path) -> RunFiles:
    root = tmp_path / "빈 shop"
    (root / BOX).mkdir(parents=True)
    (root / RUN / "worker-results").mkdir()
    key = task_key.parse("shop:g:T1")
    return RunFiles(str(tmp_path), str(root), {}, key, "state", RUN, "error-analysis", "001")


@pytest.fixture
def record() -> dict[str, Any]:
    return {
        **{"workerId": "codex-analyser", "provider": "codex", "dispatchKind": "initial"},
        **{"outbox": BOX, "resultPath": RESULT, "workerResultPath": AUDIT},
        **{"completionPaths": [RESULT, AUDIT], "startedAt": iso_time.now()},
    }


def put(run: RunFiles, path: str, text: str | bytes) -> Path:
    place = Path(run.path(path))
    place.write_bytes(text if isinstance(text, bytes) else text.encode())
    return place


def test_a_sound_one_is_published_and_found_again(run: RunFiles, record: dict[str, Any]) -> None:
    """A kill between the renames, or before the record of them, loses nothing (XF-03)."""
    put(run, f"{BOX}/result.md", answer())
    put(run, f"{BOX}/audit.md", "read\n")
    assert product_files.check(run, record) == Product("")
    shutil.copy(run.path(f"{BOX}/audit.md"), run.path(f"{RUN}/kept"))
    assert product_files.publish(run, record) == []
    assert product_files.check(run, record) == Product("")  # in its place
    assert product_files.publish(run, record) == []
    assert Path(run.path(RESULT)).read_text("utf-8") == answer()
    os.rename(run.path(f"{RUN}/kept"), run.path(f"{BOX}/audit.md"))  # killed between the two
    os.unlink(run.path(AUDIT))
    assert product_files.check(run, record) == Product("")
    assert product_files.publish(run, record) == []
    assert os.listdir(run.path(BOX)) == []


def test_what_an_earlier_start_published_is_not_this_ones(
    run: RunFiles, record: dict[str, Any]
) -> None:
    put(run, RESULT, answer())
    put(run, AUDIT, "read\n")
    past = time.time() - 100
    for path in (RESULT, AUDIT):
        os.utime(run.path(path), (past, past))
    assert product_files.check(run, record).fault == "missing-result"


def test_nothing_and_half(run: RunFiles, record: dict[str, Any]) -> None:
    assert product_files.check(run, record) == Product(
        "missing-result", f"not there: {BOX}/result.md"
    )
    put(run, f"{BOX}/result.md", answer())
    assert product_files.check(run, record) == Product(
        "missing-result", f"not there: {BOX}/audit.md"
    )
    assert product_files.publish(run, record) == [AUDIT]


BROKEN: list[tuple[str, str | bytes, str]] = [
    ("empty", "", "incomplete-result"),
    ("cut", answer()[:-20], "incomplete-result"),
    ("no UTF-8", answer().encode().replace(b"total", b"\xff\xfe"), "invalid-result"),
    ("another worker's", answer(workerId="grok-analyser"), "invalid-result"),
    ("another provider's", answer(provider="grok"), "invalid-result"),
    ("another task's", answer(taskKey="shop:g:T2"), "invalid-result"),
    ("another run's", answer(seq="002"), "invalid-result"),
    ("another round's", answer(dispatchKind="reverify-r1"), "invalid-result"),
    ("a verdict of no kind", answer().replace("major", "huge"), "invalid-result"),
    ("two findings of one id", answer().replace(FINDING, FINDING * 2), "invalid-result"),
    ("another language", answer().replace("## 1. Findings", "## 1. 발견"), "invalid-result"),
    ("50 MB", answer() + "x" * 50_000_000, "invalid-result"),
]


@pytest.mark.parametrize(("what", "text", "fault"), BROKEN, ids=[row[0] for row in BROKEN])
def test_a_broken_one_is_named_and_stays(
    run: RunFiles, record: dict[str, Any], what: str, text: str | bytes, fault: str
) -> None:
    put(run, f"{BOX}/audit.md", "read\n")
    place = put(run, f"{BOX}/result.md", text)
    found = product_files.check(run, record)
    assert found.fault == fault, found
    assert found.detail or fault == "incomplete-result"
    assert place.exists()
    assert not os.path.exists(run.path(RESULT))


@pytest.mark.parametrize("name", ["result.md", "result.data.json"])
def test_a_huge_one_is_not_read(run: RunFiles, record: dict[str, Any], name: str) -> None:
    """Nor does it cost memory to say so (XF-15)."""
    if name.endswith(".json"):
        record["resultPath"] = f"{RUN}/reports/final.data.json"
    put(run, f"{BOX}/audit.md", "read\n")
    with Path(run.path(f"{BOX}/{name}")).open("wb") as stream:
        stream.truncate(5_000_000_000)
    tracemalloc.start()
    try:
        found = product_files.check(run, record)
        assert tracemalloc.get_traced_memory()[1] < 1 << 20
    finally:
        tracemalloc.stop()
    assert found == Product("invalid-result", f"larger than 32 MiB: {BOX}/{name}")


@pytest.mark.parametrize("name", ["result.md", "audit.md"])
def test_a_link_in_place_of_a_file(run: RunFiles, record: dict[str, Any], name: str) -> None:
    """What it points to is neither believed nor moved (Z-101)."""
    victim = put(run, "victim", answer())
    put(run, f"{BOX}/result.md", answer())
    put(run, f"{BOX}/audit.md", "read\n")
    place = Path(run.path(f"{BOX}/{name}"))
    place.unlink()
    place.symlink_to(victim)
    found = product_files.check(run, record)
    assert (found.fault, "link" in found.detail) == ("invalid-result", True)
    assert victim.read_text("utf-8") == answer()


@pytest.mark.parametrize("make", [os.mkdir, os.mkfifo])
def test_no_file_in_place_of_a_file(run: RunFiles, record: dict[str, Any], make: Any) -> None:
    """A pipe is not waited for."""
    make(run.path(f"{BOX}/result.md"))
    put(run, f"{BOX}/audit.md", "read\n")
    assert product_files.check(run, record).fault == "missing-result"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("{}", ""),
        ("", "invalid-result"),
        ("[]", "invalid-result"),
        ('{"a": NaN}', "invalid-result"),
        ('{"a": 1, "a": 2}', "invalid-result"),
        ('{"a": "\\ud800"}', "invalid-result"),
        ("{" * 100_000, "invalid-result"),
        ('{"a": ' + "9" * 5000 + "}", "invalid-result"),
    ],
)
def test_a_result_that_is_data(
    run: RunFiles, record: dict[str, Any], text: str, fault: str
) -> None:
    """XI-10: one sentence with the place, no traceback."""
    record["resultPath"] = f"{RUN}/reports/final.data.json"
    put(run, f"{BOX}/result.data.json", text)
    put(run, f"{BOX}/audit.md", "read\n")
    assert product_files.check(run, record).fault == fault
