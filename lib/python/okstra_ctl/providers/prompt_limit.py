"""A prompt too long for one word of a command line is passed as a path (Z-007, L-052).

Linux takes less than 128 KiB in one argument; the limit here leaves room.
"""

from __future__ import annotations

MAX_BYTES = 96 * 1024  # of UTF-8


def passable(prompt: str, prompt_file: str) -> str:
    """Return the prompt, or, if it is too long, a short one that sends the lead to its file."""
    data = prompt.encode("utf-8", "surrogatepass")
    if len(data) <= MAX_BYTES:
        return prompt
    import hashlib

    return (
        "Your instructions are too long for a command line. They are in this file:\n\n"
        f"{prompt_file}\n\n"
        f"length: {len(data)} bytes\nsha256: {hashlib.sha256(data).hexdigest()}\n\n"
        "Read the whole file before you do anything else, and follow it as if it stood here. If"
        " you cannot read it, or its length or sha256 differs, say so and stop.\n"
    )
