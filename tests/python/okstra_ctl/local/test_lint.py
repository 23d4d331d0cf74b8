"""`local/lint`: what each kind of file is told to hold, by line (H-030)."""

from __future__ import annotations

import sys

import pytest

from okstra_ctl.local import lint, shellcheck_process
from okstra_ctl.local.hit import SYNTAX, UNDEFINED, UNUSED, Look

MERGE = "a\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> other\n"  # no marks of this file's own


def told(look: Look) -> list[tuple[int, int, str, str, str]]:
    return [(one.start, one.end, one.topic, one.severity, one.title) for one in look.hits]


@pytest.mark.parametrize(
    ("path", "text", "hits"),
    [
        ("a.py", "", []),
        ("a.py", "x = 1\n", []),
        ("a.py", "print(y)\n", [(1, 1, UNDEFINED, "major", "pyflakes: undefined name 'y'")]),
        (
            "a.py",
            "from os import (\n    path,\n    sep,\n)\n\nsep\n",
            [(1, 4, UNUSED, "info", "pyflakes: 'os.path' imported but unused")],
        ),
        (
            "a.py",
            "def f():\n    x = 1\n",
            [(2, 2, UNUSED, "info", "pyflakes: local variable 'x' is assigned to but never used")],
        ),
        ("a.py", "'%s %s' % (1,)\n", [(1, 1, "", "minor", None)]),
        ("a.py", "if True:\n", [(1, 1, SYNTAX, "major", None)]),
        ("a.py", "x = 1\0\n", [(1, 1, SYNTAX, "major", None)]),
        ("tool", "#!/usr/bin/env python3\nprint(y)\n", [(2, 2, UNDEFINED, "major", None)]),
        ("a.json", '{"a": 1}', []),
        ("a.json", '{\n"a": 1,\n}', [(3, 3, SYNTAX, "major", None)]),
        ("tsconfig.json", "{ // said\n}", []),
        ("a.yaml", "a: !Ref b\n---\nb: *c\nd: &c 1\n", []),
        ("a.yml", "a: [1\nb: 2\n", [(2, 2, SYNTAX, "major", None)]),
        ("a.yml", "a: &a [x]\nb: &b [*a, *a]\nc: [*b, *b]\n", []),
        ("a.txt", MERGE, [(2, 6, SYNTAX, "major", "A merge left its conflict marks")]),
        ("a.txt", "=======\n>>>>>>> x\n<<<<<<< y\n", []),
        ("a.md", "print(y)\n", []),
    ],
)
def test_what_is_found_where(
    path: str, text: str, hits: list[tuple[int, int, str, str, str]]
) -> None:
    found = told(lint.look(path, text.encode()))
    assert [one[:4] for one in found] == [one[:4] for one in hits]
    assert all(want[4] in (None, one[4]) for one, want in zip(found, hits, strict=True))


def test_toml_is_parsed_where_python_can_and_else_it_is_said() -> None:
    look = lint.look("a.toml", b"[a]\nb = \n")
    if sys.version_info < (3, 11):
        assert look == Look(notes=(lint.NO_TOML,))
    else:
        assert [one[:4] for one in told(look)] == [(2, 2, SYNTAX, "major")]
        assert lint.look("a.toml", b"[a]\nb = 1\n") == Look()


@pytest.mark.parametrize(
    ("text", "hits"),
    [
        ("#!/bin/bash\nx=$1\ncat $x\n", [(3, "info", ("SC2086",))]),
        ("#!/bin/bash\nfor x in a; do\n", [(2, "major", ("SC1073",))]),
        ('#!/bin/sh\n. "$HOME/x"\n', []),
        ("#!/bin/sh\na=(1)\n", [(2, "minor", ("SC3030",)), (2, "minor", ("SC2034", "a"))]),
    ],
)
def test_shellcheck_of_okstras_own_dependencies(
    text: str, hits: list[tuple[int, str, tuple[str, ...]]]
) -> None:
    assert shellcheck_process.program()
    found = shellcheck_process.look("a.sh", text.encode())
    assert sorted((one.start, one.severity, one.names) for one in found.hits) == sorted(hits)


def test_what_a_star_import_hides_is_no_finding_but_said() -> None:
    look = lint.look("a.py", b"from os import *\nprint(getcwd(), x)\n")
    assert look == Look(notes=("a.py: pyflakes cannot see what its star imports bind",))


def test_a_setting_of_the_project_is_not_obeyed(tmp_path, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / ".shellcheckrc").write_text("disable=SC2086\n")
    monkeypatch.chdir(tmp_path)
    assert shellcheck_process.look("a.sh", b"#!/bin/bash\ncat $1\n").hits


@pytest.mark.parametrize(
    "data",
    [
        b"\xff\xfe\0\0",
        b"(" * 100_000,
        b"x = " + b"-" * 50_000 + b"1",
        b"[" * 100_000,
        b"\n" * 5 + b"a" * 900_000,
        b"\0" * 1000,
        b"1" * 100_000,
        b"# -*- coding: nonsense -*-\n",
        b"\xef\xbb\xbfx = 1\n",
    ],
)
@pytest.mark.parametrize("path", ["a.py", "a.json", "a.yaml", "a.toml", "a.txt"])
def test_no_content_gets_an_engine_down(path: str, data: bytes) -> None:
    look = lint.look(path, data)
    count = data.count(b"\n") + 1
    assert all(1 <= one.start <= one.end <= count and one.title.isprintable() for one in look.hits)
