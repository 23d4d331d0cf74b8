from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from okstra_ctl.briefs.brief import MAX_BYTES, Brief, front_matter, read, sections


@pytest.mark.parametrize(
    ("data", "text", "confirmed"),
    [
        pytest.param(b"x", "x", True, id="one byte"),
        pytest.param(b"a\r\nb", "a\r\nb", True, id="CRLF, no final newline"),
        pytest.param(b"\xef\xbb\xbfa\n", "a\n", True, id="BOM"),
        pytest.param("결제가 안 됨\n".encode(), "결제가 안 됨\n", True, id="Korean"),
        pytest.param(b"x" * MAX_BYTES, "x" * MAX_BYTES, True, id="as long as may be"),
        pytest.param(b"---\na: b\n---\nx", "---\na: b\n---\nx", True, id="nothing said"),
        pytest.param(
            b"---\nreporter-confirmed: 'no'\n---\nx",
            "---\nreporter-confirmed: 'no'\n---\nx",
            False,
            id="not confirmed",
        ),
        pytest.param(b"---\nreporter-confirmed: no", "---\nreporter-confirmed: no", True, id="cut"),
    ],
)
def test_a_brief_is_taken_byte_for_byte(data: bytes, text: str, confirmed: bool) -> None:
    """P-356: a brief without the key was written by the user and counts as confirmed."""
    assert read(data) == (Brief(data, text, confirmed), [])


@pytest.mark.parametrize(
    ("data", "faults"),
    [
        (b"", ["empty: it has neither a letter nor a digit"]),
        (b" \n\t#--", ["empty: it has neither a letter nor a digit"]),
        (b"x" * (MAX_BYTES + 1), ["larger than 4 MiB"]),
        (b"\xff\xfea\0", ["UTF-16; save it as UTF-8"]),
        (b"\xfe\xff\0a", ["UTF-16; save it as UTF-8"]),
        (b"ok \xc3(", ["byte 3 is not UTF-8"]),
        (b"ELF\0\1", ["byte 3 is NUL: a binary file"]),
        (
            b"---\nreporter-confirmed: maybe\n---\n\0",
            ["byte 34 is NUL: a binary file", "reporter-confirmed is neither yes nor no: 'maybe'"],
        ),
    ],
)
def test_what_no_worker_could_read_is_named(data: bytes, faults: list[str]) -> None:
    """P-080, XI-05; every fault at once."""
    assert read(data) == (None, faults)


@given(st.binary(max_size=200))
def test_read_gives_the_exact_bytes_or_a_reason(data: bytes) -> None:
    found, faults = read(data)
    assert bool(found) != bool(faults)
    assert found is None or found.data == data


@pytest.mark.parametrize(
    ("text", "front"),
    [
        (
            '---\nname: value\n other: 1\nx-y: "q"\nno colon\n---\nz: 1',
            {"name": "value", "x-y": "q"},
        ),
        ("a\n---\nb: c\n---\n", {}),
        ("---\nb: c\n", {}),
        ("", {}),
    ],
)
def test_front_matter(text: str, front: dict[str, str]) -> None:
    assert front_matter(text)[0] == front


def test_sections_are_found_by_their_headings() -> None:
    text = (
        "before\n# One #\na\n\n## Two words ##\n```\n# not one\n~~~\n```\nb\n"
        "#no\n # indented\n####### seven\n# One\nc\n"
    )
    assert sections(text) == {
        "One": "a\n\nc",
        "Two words": "```\n# not one\n~~~\n```\nb\n#no\n # indented\n####### seven",
    }


LINES = st.lists(
    st.sampled_from(["# A", "## B ##", "```", "````", "~~~", "text", "", "  ```py", "# A #x", "#"])
)


@given(LINES)
def test_sections_hold_only_lines_of_the_text(lines: list[str]) -> None:
    found = sections("\n".join(lines))
    assert set(found) <= {"A", "B", "A #x"}
    assert {line for body in found.values() for line in body.splitlines()} <= {
        line for whole in lines for line in (whole, whole.strip())
    }


@pytest.mark.parametrize("piece", [" ", "#", " #", "\t", "a ", "# ", "```"])
def test_no_text_takes_long(piece: str) -> None:
    """XI-05: the longest brief of one line that a regular expression could stumble over."""
    text = f"# a{piece * (MAX_BYTES // len(piece.encode()) - 4)}b"
    begin = time.monotonic()
    sections(text)
    assert time.monotonic() - begin < 5
