"""Who says that it wrote this, and for which run: a result's front matter (H-010, XI-16)."""

from __future__ import annotations

import re
from typing import NamedTuple, Sequence

from okstra_ctl.evidence.violation import FRONT_MATTER, IDENTITY, Violation, shown
from okstra_kernel import UserError, strict_yaml

_LARGEST = 4096  # characters
_NAME = r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}"
_SHAPES = {
    "workerId": _NAME,
    "provider": _NAME,
    "model": r"\S(?:.{0,198}\S)?",
    "taskKey": r"[^:\s]+:[^:\s]+:[^:\s]+",
    "taskType": _NAME,
    "seq": r"[0-9]{3,9}",
    "dispatchKind": _NAME,
}


class Identity(NamedTuple):
    """What a result says of itself; also what somebody expects of it, empty = whatever it is."""

    workerId: str = ""
    provider: str = ""
    model: str = ""
    taskKey: str = ""
    taskType: str = ""
    seq: str = ""
    dispatchKind: str = ""


def read(lines: Sequence[str], expected: Identity) -> tuple[Identity, int, list[Violation]]:
    """Return the identity, how many lines the front matter takes, and what is wrong with it.

    A member that is missing or of another shape is empty. Members that okstra does not know are
    left alone: they say nothing here (XS-15).
    """
    if not lines or lines[0].rstrip() != "---":
        return Identity(), 0, [Violation(1, FRONT_MATTER, "no front matter: line 1 is not ---")]
    end = next((i for i, line in enumerate(lines[1:200], 1) if line.rstrip() == "---"), 0)
    if not end:
        return Identity(), 0, [Violation(1, FRONT_MATTER, "the front matter has no closing ---")]
    members, faults = _members(lines[1:end])
    unreadable = bool(faults)
    values = {}
    for name, shape in _SHAPES.items():
        value = members.get(name)
        line = _line(name, lines[:end])
        if isinstance(value, str) and re.fullmatch(shape, value):
            values[name] = value
            wanted = getattr(expected, name)
            if wanted and value != wanted:
                what = f"{name} is {shown(value)}, expected {shown(wanted)}"
                faults.append(Violation(line, IDENTITY, what))
        elif not unreadable:
            what = f"not a {name}: {shown(str(value))}" if name in members else f"missing: {name}"
            faults.append(Violation(line, FRONT_MATTER, what))
    return Identity(**values), end + 1, faults


def _members(lines: Sequence[str]) -> tuple[dict[str, object], list[Violation]]:
    text = "\n" + "\n".join(lines)  # a first line for the ---, so that numbers are the file's
    if len(text) > _LARGEST:
        return {}, [Violation(1, FRONT_MATTER, f"longer than {_LARGEST} characters")]
    try:
        return strict_yaml.parse(text, ""), []
    except RecursionError:
        return {}, [Violation(1, FRONT_MATTER, "nested too deeply")]
    except UserError as err:
        _, place, what = f" {err}".split(":", 2) if str(err).count(":") > 1 else ("", "1", str(err))
        return {}, [Violation(int(place), FRONT_MATTER, " ".join(what.strip(": ").split()))]


def _line(name: str, lines: Sequence[str]) -> int:
    for number, line in enumerate(lines, 1):
        if re.match(rf"[\"']?{name}[\"']? *:", line):
            return number
    return 1
