"""`tests/real_projects/reopen.py`: it sees when a place does not hold what is said of it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

PROGRAM = Path(__file__).parents[2] / "real_projects" / "reopen.py"
RESULT = """### F-001 — pyflakes: undefined name 'tz'

- Statement: pyflakes reports: undefined name 'tz'. The line reads `return tz`.
- Evidence: `a.py:2`

## 2. Evidence

- `a.py:1-2` begins with `def f():`
"""


def vote(basis: str) -> dict[str, Any]:
    return {"workerId": "w", "basis": basis, "evidence": ["a.py:2"]}


def run(folder: Path, *, source: str, result: str, basis: str, cited: str) -> tuple[int, str]:
    project, run_dir = folder / "빈 p", folder / "run"
    project.mkdir()
    (project / "a.py").write_text(source)
    for name in ("reports", "worker-results"):
        (run_dir / name).mkdir(parents=True)
    row = {"id": "F-001", "title": "t", "claim": "c", "evidence": [cited], "votes": [vote(basis)]}
    data = {"findings": [row], "gaps": [], "evidence": {"primary": []}, "consensus": []}
    (run_dir / "reports" / "final-report-x-001.data.json").write_text(json.dumps(data))
    (run_dir / "worker-results" / "w-x-001.md").write_text(result)
    words = [sys.executable, "-I", str(PROGRAM), str(project), str(run_dir)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout


GOOD = {
    "source": "def f():\n    return tz\n",
    "result": RESULT,
    "basis": "Opened `a.py:2`: it holds `return tz`.",
    "cited": "a.py:2",
}


@pytest.mark.parametrize(
    ("given", "misses"),
    [
        ({}, 0),
        ({"source": "def f():\n    return tx\n"}, 4),  # line and name, twice each
        ({"source": "def f():\n"}, 10),
        ({"cited": "b.py:1"}, 1),
        ({"cited": "a.py:2-3"}, 1),
        ({"basis": "Opened `a.py:2`: it holds `return`."}, 1),
        ({"basis": "'tz' is bound at `a.py:1`: `def g():`."}, 1),
        ({"result": RESULT.replace("def f", "def g")}, 1),
    ],
)
def test_what_it_sees(tmp_path: Path, given: dict[str, str], misses: int) -> None:
    status, out = run(tmp_path, **{**GOOD, **given})
    assert out.count("miss: ") == misses, out
    assert out.rstrip().endswith(f"{misses} misses")
    assert status == (1 if misses else 0)
