"""One line to stderr, for whoever watches (Z-060): data goes to stdout, everything else here."""

from __future__ import annotations

import contextlib
import os


def tell(text: str) -> None:
    """Write to stderr, unbuffered. With nobody to tell, the exit status must do."""
    with contextlib.suppress(OSError):
        os.write(2, f"{text}\n".encode("utf-8", "backslashreplace"))


def printable(text: str) -> str:
    """Keep a message short, on one line and free of terminal controls, whatever it quotes."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text[:500])
