"""Reads a file that somebody named: never a folder, a pipe or a device, and never without end."""

from __future__ import annotations

import errno
import os
import stat
from typing import BinaryIO

from okstra_kernel import UserError


class NotPlain(OSError):
    """A folder, a pipe, a socket or a device, where a file should be."""


def opened(path: str, *, follow: bool = True) -> tuple[int, int]:
    """Open a file to read, without waiting for the other end of a pipe.

    Return its descriptor and its size in bytes. Raises OSError; NotPlain for what is no plain file.
    """
    flags = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | (0 if follow else os.O_NOFOLLOW)
    stream = os.open(path, flags)
    about = os.fstat(stream)
    mode = about.st_mode
    if stat.S_ISREG(mode):
        return stream, about.st_size
    os.close(stream)
    folder = stat.S_ISDIR(mode)
    code = errno.EISDIR if folder else errno.EINVAL
    raise NotPlain(code, os.strerror(code) if folder else "Not a plain file")


def stream(path: str) -> BinaryIO:
    """Return a plain file, open to read bytes. Raises what `opened` does."""
    return os.fdopen(opened(path)[0], "rb")


def read(path: str, named: str, *, limit: int) -> bytes:
    """Return a file's bytes, at most `limit` and one. Raises UserError, naming it as `named`."""
    try:
        stream, _ = opened(path)
    except (OSError, ValueError) as err:
        if isinstance(err, NotPlain):
            raise UserError(f"not a file: {named}") from None
        raise UserError(f"cannot read {named}: {getattr(err, 'strerror', err)}") from None
    try:
        pieces, left = [], limit + 1
        while left and (piece := os.read(stream, left)):
            pieces.append(piece)
            left -= len(piece)
        return b"".join(pieces)
    except OSError as err:
        raise UserError(f"cannot read {named}: {err.strerror}") from err
    finally:
        os.close(stream)
