"""Files of one JSON object a line, which several processes append to (Z-043, P-218).

A row goes out in one write on an O_APPEND descriptor, under a lock of the file itself. A line
that was cut by a kill is closed first, so that it spoils no other. Readers skip what is no row
and say so.
"""

from __future__ import annotations

import fcntl
import json
import os
from typing import Any, BinaryIO, Iterable, Iterator, NamedTuple

from okstra_kernel import UserError, plain_file, store, strict_json

# Made once: `json.dumps` makes one for each row.
_ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))
_PIECE = 1 << 20  # bytes of a line that is passed over


class Rows(NamedTuple):
    records: list[strict_json.Record]
    faults: list[str]  # one sentence for each line that is no row


def append(root: str, relative: str, rows: Iterable[Any], *, mode: int = store.PRIVATE) -> None:
    """Add rows to a file below `root`. Raises what `store.write` does."""
    data = b"".join(map(encode, rows))
    place = f"{root}/{relative}"
    with store.open_append(root, relative, mode=mode) as stream, store.told(place):
        fcntl.flock(stream, fcntl.LOCK_EX)
        size = os.fstat(stream).st_size
        if size and os.pread(stream, 1, size - 1) != b"\n":
            data = b"\n" + data
        while data:
            data = data[os.write(stream, data) :]


def encode(row: Any) -> bytes:
    """Return a row as its line. Raises UserError for a text that is not Unicode."""
    text = _ENCODER.encode(row)
    try:
        return f"{text}\n".encode()
    except UnicodeEncodeError as err:
        raise UserError(f"not UTF-8, so no file can hold it: {err.object[:80]!r}") from None


def read(path: str) -> Rows:
    """Return the rows of a file; none if it is not there. Raises UserError if it cannot be read."""
    records, faults = [], []
    for item in each(path):
        if isinstance(item, str):
            faults.append(item)
        else:
            records.append(item)
    return Rows(records, faults)


def each(path: str, *, longest: int = strict_json.MAX_BYTES) -> Iterator[strict_json.Record | str]:
    """Yield each row of a file, or the sentence that says why a line is none; blank lines nothing.

    A line of more than `longest` bytes is no row, and is never held whole (XF-15). A file that is
    not there has no rows. Raises UserError if it cannot be read.
    """
    try:
        with plain_file.stream(path) as stream:
            for number, line in enumerate(_lines(stream, longest), 1):
                if line is None:
                    yield f"{path}:{number}: longer than {longest} bytes"
                    continue
                if not line.strip():
                    continue
                try:
                    yield strict_json.parse(line.rstrip(b"\r\n"), f"{path}:{number}")
                except UserError as err:  # a row is a text of one line, of which JSON says 1
                    yield str(err).replace(f"{path}:{number}:1:", f"{path}:{number}:", 1)
    except FileNotFoundError:
        return
    except OSError as err:
        raise UserError(f"{path}: {err.strerror}") from err


def lines(path: str, *, longest: int) -> Iterator[bytes | None]:
    """Yield each line of a file with its newline, or None for one of more than `longest` bytes.

    For files too large to be parsed whole: the reader picks its lines. Raises UserError.
    """
    try:
        with plain_file.stream(path) as stream:
            yield from _lines(stream, longest)
    except OSError as err:
        raise UserError(f"{path}: {err.strerror}") from err


def _lines(stream: BinaryIO, longest: int) -> Iterator[bytes | None]:
    """Yield each line with its newline, or None for one that is too long."""
    while line := stream.readline(longest + 1):
        if len(line) <= longest:
            yield line
            continue
        if not line.endswith(b"\n"):
            _pass_over(stream)
        yield None


def _pass_over(stream: BinaryIO) -> None:
    """Go to the end of the line; much faster than by `readline`."""
    while piece := stream.read(_PIECE):
        if (end := piece.find(b"\n")) >= 0:
            stream.seek(end + 1 - len(piece), os.SEEK_CUR)
            return
