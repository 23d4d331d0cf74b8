"""A transcript of any length is read with bounded memory (XF-15, Q-24)."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from okstra_ctl.dispatch import transcript_files
from okstra_ctl.dispatch.transcript_files import HEAD, TAIL

LIB = Path(__file__).parents[4] / "lib/python"
READ = """
import resource, sys
sys.path.insert(0, sys.argv[1])
from okstra_ctl.dispatch import transcript_files
base = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
text = transcript_files.read(sys.argv[2])
used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - base
print(used, text.startswith("first"), text.endswith("last"), len(text) <= int(sys.argv[3]) + 1)
"""


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", ""),
        (b"one\ntwo", "one\ntwo"),
        (b"\xff\xfe\n", "\ufffd\ufffd\n"),
        ("키\n".encode(), "키\n"),
    ],
)
def test_a_short_one_is_read_whole(tmp_path: Path, data: bytes, expected: str) -> None:
    path = tmp_path / "a.log"
    path.write_bytes(data)
    assert transcript_files.read(str(path)) == expected


def test_of_a_long_one_whole_lines_of_both_ends(tmp_path: Path) -> None:
    path = tmp_path / "a.log"
    line = b"x" * 99 + b"\n"
    path.write_bytes(b"first\n" + line * ((HEAD + TAIL) // 50) + b"last")
    lines = transcript_files.read(str(path)).split("\n")
    assert (lines[0], lines[-1]) == ("first", "last")
    assert set(map(len, lines[1:-1])) == {99}


def test_one_endless_line_is_no_line(tmp_path: Path) -> None:
    path = tmp_path / "a.log"
    path.write_bytes(b"x" * (HEAD + TAIL + 1))
    assert transcript_files.read(str(path)) == "\n"


def test_none(tmp_path: Path) -> None:
    assert transcript_files.read(str(tmp_path / "gone")) == ""
    assert transcript_files.read(str(tmp_path)) == ""


def test_five_gigabytes_in_few_megabytes(tmp_path: Path) -> None:
    path = tmp_path / "a.log"
    with path.open("wb") as stream:
        stream.write(b"first\n")
        stream.seek(5_000_000_000)
        stream.write(b"\nlast")
    words = [sys.executable, "-c", READ, str(LIB), str(path), str(HEAD + TAIL)]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    used, *facts = done.stdout.split()
    unit = 1024 if sys.platform == "linux" else 1
    assert int(used) * unit < 32 << 20
    assert facts == ["True"] * 3


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ""),
        ("--- okstra: claude started 2026\nwords", ""),
        ("x\n--- okstra: ended a: 1\n--- okstra: ended b: 2\ny", "ended b: 2"),
        ("no --- okstra: ended a", ""),
        ("--- okstra: ended " + "x" * 999, "ended " + "x" * 194),
    ],
)
def test_what_the_wrapper_said_of_what_it_ended(text: str, expected: str) -> None:
    assert transcript_files.own_words(text) == expected
