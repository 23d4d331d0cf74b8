"""Reads as much of a transcript as its verdict needs, however long it is (XF-15, Q-24)."""

from __future__ import annotations

import os

HEAD, TAIL = 256 << 10, 4 << 20  # bytes


_OWN = "--- okstra: ended"  # how the wrapper begins a line about what it ended


def own_words(text: str) -> str:
    """Return what a transcript's wrapper said of what it ended, or an empty text."""
    found = [line.partition(": ")[2] for line in text.split("\n") if line.startswith(_OWN)]
    return found[-1][:200] if found else ""


def read(path: str) -> str:
    """Return the beginning and the end of a transcript; empty where there is none.

    A CLI tells its model at the beginning and its final event at the end. Whole lines of both are
    kept; what is no UTF-8 becomes a mark.
    """
    try:
        with open(path, "rb") as stream:
            size = os.fstat(stream.fileno()).st_size
            if size <= HEAD + TAIL:
                return stream.read(HEAD + TAIL).decode("utf-8", "replace")
            head = stream.read(HEAD).rpartition(b"\n")[0]
            stream.seek(size - TAIL)
            tail = stream.read(TAIL).partition(b"\n")[2]
    except OSError:
        return ""
    return f"{head.decode('utf-8', 'replace')}\n{tail.decode('utf-8', 'replace')}"
