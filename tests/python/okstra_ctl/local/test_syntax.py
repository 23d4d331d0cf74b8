"""`local/syntax`: front ends, and names over `symtable` (H-030)."""

from __future__ import annotations

import shutil

import pytest
from hypothesis import given
from hypothesis import strategies as st

from okstra_ctl.local import lint, syntax, syntax_process
from okstra_ctl.local.hit import SYNTAX, UNDEFINED, UNUSED, Look

NONE: list[tuple[int, str, str]] = []


def told(look: Look) -> list[tuple[int, str, str]]:
    return [(one.start, one.topic, next(iter(one.names), "")) for one in look.hits]


@pytest.mark.parametrize(
    ("text", "hits"),
    [
        ("print(y)\n", [(1, UNDEFINED, "y")]),
        ("def f():\n    return g()\n\n\ndef g():\n    return totl\n", [(6, UNDEFINED, "totl")]),
        ("def f(a, *b, c=1, **d):\n    return a, b, c, d\n", NONE),
        ("class A:\n    x = 1\n\n    def f(self, y=x):\n        return x\n", [(5, UNDEFINED, "x")]),
        ("class A:\n    x = 1\n    y = [x for _ in 'a']\n", NONE),
        ("f = lambda a: a + b\n", [(1, UNDEFINED, "b")]),
        ("[a for a in 'x' if a]\nprint(a)\n", [(2, UNDEFINED, "a")]),
        ("def f():\n    global z\n    z = 1\n\n\nprint(z)\n", NONE),
        ("from os import *\nprint(y)\n", NONE),
        ("exec('y = 1')\nprint(y)\n", NONE),
        ("try:\n    unicode\nexcept NameError:\n    unicode = str\n", NONE),
        ("try:\n    y\nexcept KeyError:\n    pass\n", [(2, UNDEFINED, "y")]),
        ("def f() -> Later:\n    x: Other = 1\n    return x\n", NONE),
        ("class A:\n    def f(self):\n        return __class__, self.__x, __file__\n", NONE),
        ("import os\nimport a as s\n\ns\n", [(1, UNUSED, "os")]),
        ("from a import (\n    b,\n    c,\n)\n\nc\n", [(1, UNUSED, "b")]),
        ("import a.b\n\na.b\n", NONE),
        ("from a import b as b\nfrom __future__ import annotations\n", None),
        ("import a\n__all__ = ['a']\n", NONE),
        ("try:\n    import a\nexcept ImportError:\n    pass\n", NONE),
        ("def f():\n    x = 1\n    _y = 2\n    z, w = 1, 2\n    v += 1\n", [(2, UNUSED, "x")]),
        ("def f():\n    x = 1\n\n    def g():\n        return x\n\n    return g\n", NONE),
        ("def f():\n    import os\n", [(2, UNUSED, "os")]),
        ("def f():\n    x = 1\n    return locals()\n", NONE),
        ("return 1\n", [(1, SYNTAX, "")]),
        ("if True:\n", [(1, SYNTAX, "")]),
        ("x = 1\0\n", [(1, SYNTAX, "")]),
        ("# coding: latin-1\nx = 'é'\nprint(y)\n", [(3, UNDEFINED, "y")]),
    ],
)  # fmt: skip
def test_what_is_found_in_python(text: str, hits: list[tuple[int, str, str]] | None) -> None:
    found = told(syntax.look("a.py", text.encode("latin-1" if "latin" in text else "utf-8")))
    if hits is None:  # the order of future imports is a syntax error
        assert [topic for _, topic, _ in found] == [SYNTAX]
    else:
        assert found == hits


@pytest.mark.parametrize(
    ("text", "against"),
    [
        ("import os\n\nos.sep\n", {"undefined os 3": 1, "unused os 1": 3}),
        ("def f():\n    return X\n\n\nX = 1\n", {"undefined X 2": 5, "unused X 5": 2}),
        ("print(x)\nx = 1\n", {"unused x 2": 1}),
        ("if a():\n    x = 1\nprint(x)\n", {}),
        ("x = 1\nx = 2\nprint(x)\n", {}),
        ("x = 1\ndel x\nprint(x)\n", {}),
        ("def f(x):\n    return x\n\n\nx = 1\n", {}),
        ("x = 1\nexec('del x')\nprint(x)\n", {}),
    ],
)
def test_what_can_be_disproved(text: str, against: dict[str, int]) -> None:
    assert dict(syntax.look("a.py", text.encode()).against) == against


def test_json_is_parsed() -> None:
    assert told(syntax.look("a.json", b'{"a":\n NaN}')) == NONE  # a note, no line
    assert syntax.look("a.json", b'{"a":\n NaN}').notes
    assert told(syntax.look("a.json", b'{"a":\n 1,}')) == [(2, SYNTAX, "")]


@pytest.mark.parametrize(
    ("text", "hits"),
    [
        ("#!/bin/bash\necho hi\n", NONE),
        ("#!/bin/bash\nif true; then\n", [(2, SYNTAX, "")]),
        ("case $x in\n  +([0-9])) echo ;;\nesac\n", NONE),
        ("touch here\nfi\n", [(2, SYNTAX, "")]),
    ],
)
def test_bash_reads_and_runs_nothing(  # type: ignore[no-untyped-def]
    text: str, hits: list[tuple[int, str, str]], tmp_path, monkeypatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert told(syntax_process.look("a.sh", text.encode())) == hits
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not shutil.which("node"), reason="no node here")
@pytest.mark.parametrize(
    ("path", "text", "hits"),
    [
        ("a.js", "const a = 1;\n", NONE),
        ("a.js", "import a from 'a';\nexport default a;\n", NONE),
        ("a.js", "const a = 1;\nconst = 2;\n", [(2, SYNTAX, "")]),
        ("a.mjs", "await x;\n", NONE),
        ("a.cjs", "import a from 'a';\n", [(1, SYNTAX, "")]),
        ("a.js", "const a = <b>hi</b>;\n", NONE),
    ],
)
def test_node_checks_script_and_module(
    path: str, text: str, hits: list[tuple[int, str, str]]
) -> None:
    assert told(syntax_process.look(path, text.encode())) == hits


def test_both_engines_see_the_same_defect_in_their_own_words() -> None:
    text = b"def pay(cart):\n    total = sum(cart)\n    return totl\n"
    one, other = lint.look("a.py", text).hits, syntax.look("a.py", text).hits
    assert {hit[:5] for hit in one} == {hit[:5] for hit in other}
    assert not {hit.title for hit in one} & {hit.title for hit in other}


@given(st.binary(max_size=300))
def test_no_bytes_get_it_down(data: bytes) -> None:
    for path in ("a.py", "a.json", "a.txt"):
        look = syntax.look(path, data)
        assert all(1 <= hit.start <= hit.end <= data.count(b"\n") + 1 for hit in look.hits)


@pytest.mark.parametrize("data", [b"(" * 100_000, b"-" * 100_000 + b"1", b"x" * 900_000, b"\0"])
def test_hostile_python_is_noted_or_named(data: bytes) -> None:
    look = syntax.look("a.py", data)
    assert look.hits or look.notes
