"""`local/trace`: what a brief names, found in the project (H-030)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from okstra_ctl.local import brief_clues, stack_trace, trace
from okstra_ctl.local.hit import FRAME, NAMED

PYTHON = """Traceback (most recent call last):
  File "/srv/app/run.py", line 2, in <module>
    main()
    ^^^^
  File "/usr/lib/python3.11/json/decoder.py", line 355, in raw_decode
    raise JSONDecodeError("Expecting value", s, err.value) from None
json.decoder.JSONDecodeError: Expecting value: line 1 column 1 (char 0)
"""
NODE = """/srv/app/src/cart.js:10
    return cart.total.value;
TypeError: Cannot read properties of undefined (reading 'value')
    at total (/srv/app/src/cart.js:10:23)
    at Object.<anonymous> (file:///srv/app/index.js:3:1)
    at node:internal/main/run_main_module:23:47
"""
JAVA = """Exception in thread "main" java.lang.IllegalStateException: no such cart
\tat com.shop.Cart.pay(Cart.java:12)
\tat com.shop.Main.main(Main.java:5)
"""
GO = """panic: runtime error: index out of range [3] with length 3

goroutine 1 [running]:
main.pay(...)
\t/srv/app/cart.go:9 +0x1d
main.main()
\t/srv/app/main.go:4 +0x2a
"""
RUST = """thread 'main' panicked at src/cart.rs:7:5:
index out of bounds: the len is 3
stack backtrace:
   2: shop::pay
             at ./src/cart.rs:7:5
   3: shop::main
             at ./src/main.rs:3:1
"""
RUST_FRAMES = [("./src/main.rs", 3), ("./src/cart.rs", 7), ("src/cart.rs", 7)]
SHELL = "./bin/pay.sh: line 4: totl: command not found\n"


@pytest.mark.parametrize(
    ("text", "language", "frames", "error"),
    [
        (PYTHON, "Python", [("/srv/app/run.py", 2)], "json.decoder.JSONDecodeError: Expecting"),
        (NODE, "Node", [("/srv/app/index.js", 3), ("/srv/app/src/cart.js", 10)], "TypeError: Ca"),
        (JAVA, "Java", [("Main.java", 5), ("Cart.java", 12)], "java.lang.IllegalStateException: "),
        (GO, "Go", [("/srv/app/main.go", 4), ("/srv/app/cart.go", 9)], "panic: runtime error: in"),
        (RUST, "Rust", RUST_FRAMES, "panicked at src/cart.rs:7:5"),
        (SHELL, "shell", [("./bin/pay.sh", 4)], "totl: command not found"),
    ],
)
def test_a_trace_of_each_language(
    text: str, language: str, frames: list[tuple[str, int]], error: str
) -> None:
    found, _ = stack_trace.read(f"It fails.\n\n```\n{text}```\n\nWhy?\n")
    (one,) = found
    shown = [(frame.path, frame.line) for frame in one.frames if not frame.path.startswith("/usr")]
    assert one.language == language
    assert [pair for pair in dict.fromkeys(shown) if "node:" not in pair[0]] == frames
    assert one.error.startswith(error)


def test_two_traces_are_two_and_one_of_a_chain_does_not_swallow_the_other() -> None:
    second = "During handling of the above exception, another exception occurred:\n\n" + PYTHON
    found, _ = stack_trace.read(PYTHON + "\n" + second + "\ntext\n" * 6 + SHELL)
    assert [one.language for one in found] == ["Python", "Python", "shell"]
    assert [len(one.frames) for one in found] == [2, 2, 1]


@pytest.mark.parametrize(
    ("written", "path"),
    [
        ("/srv/app/src/cart.py", "src/cart.py"),
        ("cart.py", "src/cart.py"),
        ("./src/cart.py", "src/cart.py"),
        ("C:\\app\\src\\cart.py", "src/cart.py"),
        ("other/cart.py", ""),
        ("util.py", ""),  # two of them
        ("b/util.py", "b/util.py"),
        ("../src/cart.py", ""),
        ("/usr/lib/python3.11/run.py", ""),
        ("/x/site-packages/run.py", ""),
        ("/usr/lib/python3/site-packages/src/cart.py", "src/cart.py"),
        ("/usr/lib/python3/dist-packages/shop/tax.py", "lib/shop/tax.py"),
        ("C:\\py\\Lib\\site-packages\\shop\\tax.py", "lib/shop/tax.py"),
        ("/app/node_modules/shop/tax.py", "lib/shop/tax.py"),
        ("/usr/lib/python3/site-packages/other/src/cart.py", ""),
        ("/srv/run.py", "run.py"),
        ("", ""),
    ],
)
def test_which_file_of_the_project_is_meant(written: str, path: str) -> None:
    files = ["src/cart.py", "a/util.py", "b/util.py", "run.py", "lib/shop/tax.py"]
    names = brief_clues.by_name(files)
    assert brief_clues.resolve(written, names) == path


def test_each_message_of_a_shell_is_one_of_its_own() -> None:
    found, _ = stack_trace.read("./a.sh: line 7: X: unbound variable\n++ up\n" + SHELL)
    assert [(one.frames[0].line, one.error) for one in found] == [
        (7, "X: unbound variable"),
        (4, "totl: command not found"),
    ]


def test_what_a_brief_gives_to_go_by() -> None:
    text = "It says \"no tier called 'Silver' here\" in `Shop.pay()`; see `src/a.py:3`, b.py:4.\n"
    text += "Before, it was a `ValueError`.\n"
    clues = brief_clues.read(text)
    assert clues.identifiers == ("pay",)
    assert clues.messages == ("no tier called",)
    assert [(one.path, one.line) for one in clues.mentions] == [("src/a.py", 3), ("b.py", 4)]
    assert brief_clues.named_files(text, ["src/a.py", "c.py", "x/b.py"]) == ("src/a.py", "x/b.py")


def test_identifiers_and_messages_are_found_definitions_first() -> None:
    wanted = trace.Needles(("pay",), ("no such tier",))
    text = b"from a import pay\n\n\ndef pay():\n    raise E('no such tier')\n\n\nrepay = pay\n"
    hits = trace.search("a.py", text, wanted).hits
    assert [(one.start, one.names, one.severity) for one in hits] == [
        (1, ("pay",), "info"),
        (4, ("pay",), "info"),
        (5, ("no such tier",), "minor"),
        (8, ("pay",), "info"),
    ]
    assert [one.start for one in trace.best(hits, {"a.py": 0})] == [4, 5]
    assert trace.search("a.bin", b"\0pay", wanted).hits == ()


@pytest.mark.parametrize(
    ("path", "text", "how"),
    [
        ("a.py", "def pay(cart):", "is defined here"),
        ("a.sh", "pay() {", "is defined here"),
        ("a.py", "pay = 1", "is set here"),
        ("a.py", "    pay: int = 1", "is set here"),
        ("a.py", "    pay=max(1, 2),", "is set here"),
        ("a.sh", "export pay=1", "is defined here"),
        ("a.yml", "pay: 1", "is set here"),
        ("a.json", '  "pay": 1,', "is set here"),
        ("a.py", "pay: what a customer does", "stands here"),
        ("a.py", "if pay == 1:", "stands here"),
    ],
)
def test_how_a_line_makes_a_name(path: str, text: str, how: str) -> None:
    (hit,) = trace.search(path, text.encode(), trace.Needles(("pay",), ())).hits
    assert hit.title == f"'pay', which the brief names, {how}"


@pytest.mark.parametrize(
    ("texts", "line", "topic", "severity", "says"),
    [
        (["a", "    return totl"], 2, FRAME, "major", "The line reads `return totl`."),
        (["a", "b", "return totl"], 3, FRAME, "major", "The trace says line 2"),
        (["a", "other"], 2, NAMED, "minor", "with other code. The line reads `other`."),
        (["a"], 0, "", "", ""),
    ],
)
def test_a_frame_is_where_its_code_stands_now(
    texts: list[str], line: int, topic: str, severity: str, says: str
) -> None:
    text = '  File "/srv/a.py", line 2, in f\n    return totl\nNameError: totl\n'
    hits = trace.frame_hits(brief_clues.read(text), {"a.py": texts})
    found = [(one.start, one.topic, one.severity) for one in hits]
    assert found == ([(line, topic, severity)] if line else [])
    assert all(says in one.statement for one in hits)


PIECES = [
    PYTHON,
    NODE,
    JAVA,
    GO,
    RUST,
    SHELL,
    "a.py:3",
    "`a.py:1`",
    'File "a.py", line 9',
    "\0",
    "…",
]


@given(st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=60)), max_size=8))
def test_no_brief_gets_it_down_and_every_finding_has_its_line(pieces: list[str]) -> None:
    texts = {"a.py": ["x = 1", "y = 2", "z"], "src/cart.js": [], "cart.go": ["a"] * 20}
    clues = brief_clues.read("\n".join(pieces))
    for hit in trace.frame_hits(clues, texts):
        assert 1 <= hit.start <= hit.end <= len(texts[hit.path])
    brief_clues.named_files("\n".join(pieces), list(texts))


@pytest.mark.parametrize("text", ["a" * 1_000_000, "at " * 300_000, '"' * 100_000, "`a" * 300_000])
def test_a_huge_brief_is_read_in_time(text: str) -> None:
    brief_clues.read(text)
    brief_clues.named_files(text, ["a.py"])
