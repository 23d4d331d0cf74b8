"""An engine's hits as findings: which, in which order, and what is said to be left out (H-031)."""

from __future__ import annotations

from pathlib import Path
from typing import Callable

import pytest

from okstra_ctl.evidence import citation_files, contract, result
from okstra_ctl.evidence.citation import Citation
from okstra_ctl.evidence.front_matter import Identity
from okstra_ctl.local import analysing, answer, engines, selection
from okstra_ctl.local.assignment import Claim

Make = Callable[..., Path]
TASK = "error-analysis"
WHO = Identity("w", "local", "lint", "a:b:c", "error-analysis", "001", "initial")
BRIEF = 'See `b.py` and c.sh:2.\n\n  File "/srv/b.py", line 2, in f\n    return y\nNameError: y\n'
FILES = {
    "a.py": "import os\nimport sys  # noqa: F401\nprint(z)\n",
    "b.py": "def f():\n    return y\n",
    "c.sh": "#!/bin/bash\ncat $1\n",
    "pkg/__init__.py": "from a import z\n",
}


def tick(done: int) -> None:
    return None


def places(found: analysing.Findings) -> list[str]:
    return [str(hit.place) for hit in found.hits]


@pytest.mark.parametrize(
    ("engine", "cited"),
    [
        ("lint", ["b.py:2", "c.sh:2"]),
        ("syntax", ["b.py:2"]),
        ("trace", ["b.py:2", "c.sh:2"]),
    ],
)
def test_what_the_brief_names_comes_first_then_by_gravity(
    project: Make, engine: str, cited: list[str]
) -> None:
    root = str(project(FILES))
    where = engines.project(root, BRIEF)
    first = analysing.analyse(engine, where, 20, tick, TASK)
    assert places(first) == cited
    assert all(citation_files.exists(root, hit.place) for hit in first.hits)
    assert first.notes[0] == "Looked at 4 of 4 files that git tracks."
    text = answer.findings(WHO, first.hits, first.texts, first.notes)
    again = analysing.analyse(engine, engines.project(root, BRIEF), 20, tick, TASK)
    assert answer.findings(WHO, again.hits, again.texts, again.notes) == text
    read = contract.read(text.encode(), WHO)
    assert isinstance(read, result.Result)
    assert (read.violations, len(read.findings)) == ((), len(cited))


def test_no_more_than_anybody_reads(project: Make) -> None:
    root = str(project({"a.py": "".join(f"print(y{n})\n" for n in range(100))}))
    found = analysing.analyse("lint", engines.project(root, ""), 20, tick, TASK)
    assert len(found.hits) == selection.MOST
    assert found.notes[-1] == "40 findings more are left out, the least grave ones."


def test_of_files_that_the_brief_does_not_name_few_defects_are_told(project: Make) -> None:
    far = "import os\n" + "".join(f"print(y{n})\n" for n in range(12))
    held = {"b.py": "import sys\nimport far\nprint(x, far)\n", "far.py": far, "off.py": far}
    root = str(project({**held, "off2.json": "{", "to.py": "if\n"}))
    where = engines.project(root, "It fails in b.py.\n")
    found = analysing.analyse("lint", where, 20, tick, TASK)
    assert [(str(hit.place), hit.severity) for hit in found.hits] == [
        ("b.py:3", "major"),
        ("b.py:1", "info"),
        *((f"far.py:{n}", "minor") for n in range(2, 2 + selection.ELSEWHERE)),
    ]
    assert found.notes[-1] == "18 findings more in files that the brief does not name are left out."
    wide = analysing.analyse("lint", where, 20, tick, selection.WIDE[0])
    assert len(wide.hits) == 30
    no_file = analysing.analyse("lint", engines.project(root, "It fails.\n"), 20, tick, TASK)
    assert len(no_file.hits) == 30


@pytest.mark.parametrize(
    ("text", "cited"),
    [
        ("import sys\nif sys.version_info[0] == 2:\n    text = unicode\n", []),
        ("try:\n    f(unicode)\nexcept (A, B):\n    pass\n", ["b.py:2"]),
        ("text = unicode\n", ["b.py:1"]),
    ],
)
def test_a_name_of_python_2_where_the_module_asks_which_python_it_is(
    project: Make, text: str, cited: list[str]
) -> None:
    root = str(project({"b.py": text}))
    found = analysing.analyse("lint", engines.project(root, "b.py"), 20, tick, TASK)
    assert places(found)[:1] == cited


def test_frames_stand_in_the_order_of_their_trace(project: Make) -> None:
    frame = '  File "{}.py", line 1, in f\n    x = 1\n'
    brief = "".join(map(frame.format, ("m", "a", "z", "b"))) + "ValueError: no\n"
    where = engines.project(str(project({f"{n}.py": "x = 1\n" for n in "abmz"})), brief)
    found = analysing.analyse("trace", where, 20, tick, TASK)
    assert places(found) == ["b.py:1", "m.py:1", "a.py:1", "z.py:1"]


def test_a_project_of_nothing_has_no_findings(project: Make) -> None:
    root = str(project({}, git=False))
    found = analysing.analyse("trace", engines.project(root, BRIEF), 20, tick, TASK)
    assert (found.hits, found.notes[0]) == (
        (),
        "Looked at 0 of 0 files of the project, which is not under git.",
    )


def test_the_critic_names_files_that_no_finding_cites(project: Make) -> None:
    where = engines.project(str(project({**FILES, "d.py": ""})), f"{BRIEF}\nand d.py\n")
    claims = [Claim("F-001", "", "x", (Citation("./b.py", 1, 1),))]
    found = analysing.criticise(where, claims)
    assert [(hit.title, hit.start) for hit in found.hits] == [
        ("No finding touches c.sh", 2),
        ("No finding touches d.py", 0),
    ]
    read = contract.read(answer.findings(WHO, found.hits, found.texts, found.notes).encode(), WHO)
    assert read.violations == ()
