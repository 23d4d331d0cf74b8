"""Rows are neither lost nor torn (Z-043, P-218, XI-13, Q-21)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from okstra_kernel import Refusal, UserError, jsonl

LIB = str(Path(jsonl.__file__).parents[1])


def members(path: Path) -> list[dict[str, Any]]:
    return [row.members for row in jsonl.read(str(path)).records]


def test_rows_are_appended_to_a_private_file(tmp_path: Path) -> None:
    jsonl.append(str(tmp_path), "a/f.jsonl", [{"x": "결제"}, {"y": "two\nlines"}])
    jsonl.append(str(tmp_path), "a/f.jsonl", [{"z": 1}])
    path = tmp_path / "a/f.jsonl"
    assert path.read_text(encoding="utf-8") == '{"x":"결제"}\n{"y":"two\\nlines"}\n{"z":1}\n'
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_line_that_was_cut_spoils_no_other(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_bytes(b'{"a": 1}\n{"b": ')
    jsonl.append(str(tmp_path), "f", [{"c": 3}])
    assert members(path) == [{"a": 1}, {"c": 3}]
    assert jsonl.read(str(path)).faults == [f"{path}:2:7: Expecting value"]


@pytest.mark.parametrize(
    ("data", "good", "faults"),
    [
        (b"", 0, []),
        (b"\n\r\n \n", 0, []),
        (b'{"a":1}\r\n{"b":2}', 2, []),
        (b'{"a":1}\n[]\n{"b":2}\n', 2, [":2: $: expected an object, found a list"]),
        (b'{"a":1}\n{"a":NaN}\n', 1, [":2:6: not a JSON number: NaN"]),
        (b'\xff\n{"a":1}\n', 1, [":1: byte 0 is not UTF-8"]),
        (b'{"a":1,"a":2}\n', 0, [':1:8: repeated key "a"']),
    ],
)
def test_good_rows_are_kept_and_bad_ones_told(
    data: bytes, good: int, faults: list[str], tmp_path: Path
) -> None:
    path = tmp_path / "f"
    path.write_bytes(data)
    rows = jsonl.read(str(path))
    assert len(rows.records) == good
    assert rows.faults == [f"{path}{fault}" for fault in faults]


def test_one_bad_row_in_a_hundred_thousand(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_bytes(b'{"a":1}\n' * 50_000 + b"{\n" + b'{"a":1}\n' * 50_000)
    rows = jsonl.read(str(path))
    assert (len(rows.records), len(rows.faults)) == (100_000, 1)


def test_files_that_are_not_there_or_are_none(tmp_path: Path) -> None:
    assert jsonl.read(str(tmp_path / "none")) == ([], [])
    with pytest.raises(UserError, match="Is a directory"):
        jsonl.read(str(tmp_path))


def test_what_no_file_can_hold_is_refused_before_a_byte_is_written(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="not UTF-8"):
        jsonl.append(str(tmp_path), "f", [{"a": 1}, {"b": "\udcff"}])
    assert not (tmp_path / "f").exists()


def test_links_are_not_written_through(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("mine", encoding="utf-8")
    (tmp_path / "f").symlink_to(victim)
    with pytest.raises(Refusal, match="does not write through links"):
        jsonl.append(str(tmp_path), "f", [{}])
    assert victim.read_text(encoding="utf-8") == "mine"


rows = st.lists(st.dictionaries(st.text(), st.text() | st.integers() | st.none(), max_size=3))


@given(rows)
def test_what_is_written_is_read(items: list[dict[str, Any]]) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        jsonl.append(folder, "f", items)
        assert [row.members for row in jsonl.read(f"{folder}/f").records] == items


WRITER = """
import sys
sys.path.insert(0, sys.argv[1])
from okstra_kernel import jsonl
for number in range(500):
    jsonl.append(sys.argv[2], "f", [{"who": sys.argv[3], "number": number, "pad": "x" * 5000}])
"""


def test_of_eight_writers_no_row_is_lost_or_torn(tmp_path: Path) -> None:
    words = [sys.executable, "-I", "-c", WRITER, LIB, str(tmp_path)]
    writers = [subprocess.Popen([*words, str(who)]) for who in range(8)]
    assert [writer.wait() for writer in writers] == [0] * 8
    found = jsonl.read(str(tmp_path / "f"))
    assert found.faults == []
    for who in range(8):
        mine = [r.members["number"] for r in found.records if r.members["who"] == str(who)]
        assert mine == list(range(500))


def test_a_writer_killed_in_the_middle_leaves_whole_rows(tmp_path: Path) -> None:
    for _ in range(5):
        words = [sys.executable, "-I", "-c", WRITER, LIB, str(tmp_path), "x"]
        with subprocess.Popen(words) as writer:
            while not (tmp_path / "f").exists() or os.stat(tmp_path / "f").st_size < 50_000:
                pass
            writer.kill()
        jsonl.append(str(tmp_path), "f", [{"who": "after"}])
        assert members(tmp_path / "f")[-1] == {"who": "after"}
        assert json.loads((tmp_path / "f").read_bytes().splitlines()[0])
        (tmp_path / "f").unlink()


@pytest.mark.parametrize("end", [b"", b"\n"])
@pytest.mark.parametrize("size", [64, 65, 1 << 20, (1 << 20) + 66, 3 << 20])
def test_a_line_that_is_too_long_is_passed_over(tmp_path: Path, size: int, end: bytes) -> None:
    """Never held whole, and the lines around it count (XF-15)."""
    path = tmp_path / "f"
    path.write_bytes(b'{"n": 1}\n' + b"x" * size + b'\n{"n": 3}\n' + b"y" * size + end)
    rows = [
        row if isinstance(row, str) else row.members for row in jsonl.each(str(path), longest=64)
    ]
    fault = "longer than 64 bytes"
    last = fault if size + len(end) > 64 else "Expecting value"
    assert [rows[0], rows[1], rows[2]] == [{"n": 1}, f"{path}:2: {fault}", {"n": 3}]
    assert rows[3:] == [f"{path}:4: {last}" if last == fault else f"{path}:4:1: {last}"]
