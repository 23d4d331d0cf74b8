"""Where Claude Code keeps a session's log, as measured (80 §5). Pure.

The folder's name cannot be turned back into a path: read `cwd` from the log's lines for that.
"""

from __future__ import annotations

_LONGEST = 200  # UTF-16 units of a name that is kept whole
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


def claude_folder(path: str) -> str:
    """Return the name of the folder that holds the logs of sessions begun in `path`.

    `path` is real (links resolved). Each UTF-16 unit that is no ASCII letter or digit becomes a
    dash; a long name is cut and ends in a hash of the path.
    """
    raw = path.encode("utf-16-le", "surrogatepass")
    units = [int.from_bytes(raw[i : i + 2], "little") for i in range(0, len(raw), 2)]
    name = "".join(chr(u) if u < 128 and chr(u).isalnum() else "-" for u in units)
    if len(name) <= _LONGEST:
        return name
    return f"{name[:_LONGEST]}-{_base36(abs(_signed32_hash(units)))}"


def _signed32_hash(units: list[int]) -> int:
    value = 0
    for unit in units:
        value = (31 * value + unit) & 0xFFFFFFFF
    return value - (1 << 32) if value >= 1 << 31 else value


def _base36(number: int) -> str:
    digits = ""
    while number or not digits:
        number, digit = divmod(number, 36)
        digits = _DIGITS[digit] + digits
    return digits
