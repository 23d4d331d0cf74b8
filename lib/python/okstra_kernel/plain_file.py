"""Reads a file that somebody named: never a folder, a pipe or a device, and never without end."""

from __future__ import annotations

import os
import stat

from okstra_kernel import UserError


def read(path: str, named: str, *, limit: int) -> bytes:
    """Return a file's bytes, at most `limit` and one. Raises UserError, naming it as `named`."""
    try:
        stream = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError) as err:
        raise UserError(f"cannot read {named}: {getattr(err, 'strerror', err)}") from None
    try:
        if not stat.S_ISREG(os.fstat(stream).st_mode):
            raise UserError(f"not a file: {named}")
        pieces, left = [], limit + 1
        while left and (piece := os.read(stream, left)):
            pieces.append(piece)
            left -= len(piece)
        return b"".join(pieces)
    except OSError as err:
        raise UserError(f"cannot read {named}: {err.strerror}") from err
    finally:
        os.close(stream)
