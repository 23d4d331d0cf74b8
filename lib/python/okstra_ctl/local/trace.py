"""The engine `local/trace`: what the brief names, found in the project (H-030). Pure.

A stack trace's frames, places, error texts and identifiers in back-ticks; each place that is found
is a finding with its line as evidence. It judges no code: it says where to look.
"""

from __future__ import annotations

import re
from typing import Iterable, Iterator, Mapping, NamedTuple, Sequence

from okstra_ctl.local import brief_clues, line_text
from okstra_ctl.local.brief_clues import Clues
from okstra_ctl.local.hit import FRAME, NAMED, Hit, Look
from okstra_ctl.local.stack_trace import Frame, Trace

EACH = 3  # places for an identifier or an error text
_IN_A_FILE = 20  # for one of them, before the best are chosen
_DEFINES = "def|class|function|func|fn|struct|enum|interface|trait|type|const|let|var|local|export"
_DEFINED, _SET = "is defined here", "is set here"
_KEYED = (".yaml", ".yml", ".json", ".js", ".mjs", ".cjs", ".ts", ".tsx")  # `name: value`
_BINARY = b"\0"


class Needles(NamedTuple):
    identifiers: tuple[str, ...]
    messages: tuple[str, ...]

    @property
    def pattern(self) -> re.Pattern[str] | None:
        words = [rf"(?<![\w]){re.escape(one)}(?![\w])" for one in self.identifiers]
        words += [re.escape(one) for one in self.messages]
        return re.compile("|".join(words)) if words else None


def needles(clues: Clues) -> Needles:
    return Needles(clues.identifiers, clues.messages)


def search(path: str, data: bytes, wanted: Needles) -> Look:
    """Return where a file holds what the brief names, definitions first. Never raises."""
    pattern = wanted.pattern
    if pattern is None or _BINARY in data[:8000]:
        return Look()
    hits: list[Hit] = []
    counts: dict[str, int] = {}
    for number, text in enumerate(line_text.lines(data), 1):
        for found in dict.fromkeys(pattern.findall(text)):
            counts[found] = counts.get(found, 0) + 1
            how = _how(path, text, found) if found in wanted.identifiers else ""
            if how or counts[found] <= _IN_A_FILE:
                hits.append(_named(path, number, text, found, found in wanted.messages, how))
    return Look(tuple(hits))


def _how(path: str, text: str, name: str) -> str:
    """Return how a line makes a name, or nothing. `name: ` sets it in data; elsewhere it is prose.

    An argument that is given by name is set, too.
    """
    one = re.escape(name)
    if re.search(rf"\b(?:{_DEFINES})\s+{one}\b|^\s*{one}\s*\(\)\s*\{{", text[:1000]):
        return _DEFINED
    shape = rf"^\s*{one}\s*(?::\s*[^=]+)?:?=[^=]"
    if path.endswith(_KEYED):
        shape = rf"{shape}|^\s*[\"']?{one}[\"']?\s*:(?:\s|$)"
    return _SET if re.search(shape, text[:1000]) else ""


def _named(path: str, line: int, text: str, name: str, message: bool, how: str) -> Hit:
    said = line_text.shown(name)
    reads = line_text.reads([text], 1)
    if message:
        title = f"The error text of the brief stands here: {said}"
        statement = f"The line holds '{said}', which the brief quotes.{reads}"
    elif how:
        title = f"'{said}', which the brief names, {how}"
        statement = f"The brief names '{said}'; it {how}, in this line.{reads}"
    else:
        title = f"'{said}', which the brief names, stands here"
        statement = f"The brief names '{said}'; it stands in this line.{reads}"
    advice = "Read the line with the brief in mind."
    severity = "minor" if message else "info"
    return Hit(path, line, line, NAMED, (name,), title, statement, severity, "fact", advice)


def best(hits: Iterable[Hit], order: Mapping[str, int]) -> list[Hit]:
    """Return the few places of each thing that the brief names: where it is defined, if anywhere.

    `order` is the place of each file in the order in which they were looked at.
    """
    groups: dict[tuple[str, ...], list[Hit]] = {}
    for hit in hits:
        groups.setdefault(hit.names, []).append(hit)
    chosen: list[Hit] = []
    for found in groups.values():
        defined = [hit for hit in found if hit.title.endswith(_DEFINED)]
        made = [hit for hit in found if hit.title.endswith(_SET)]
        found = sorted(
            defined or made or found, key=lambda hit: (order.get(hit.path, 1 << 30), hit.start)
        )
        chosen += found[:EACH]
    return chosen


def frame_hits(clues: Clues, texts: Mapping[str, Sequence[str]]) -> list[Hit]:
    """Return the frames and places of a brief that are lines of the project.

    `texts`: the lines of each file that the brief names.
    """
    names = brief_clues.by_name(texts)
    hits: list[Hit] = []
    for trace in clues.traces:
        own = [
            (frame, path)
            for frame in trace.frames
            if (path := brief_clues.resolve(frame.path, names))
        ]
        for number, (frame, path) in enumerate(own, 1):
            hits += _frame(trace, frame, path, texts[path], number, len(own))
    for frame in clues.mentions:
        path = brief_clues.resolve(frame.path, names)
        if path and frame.line <= len(texts[path]):
            hits.append(_mention(path, frame.line, texts[path]))
    return _first_of_each_line(hits)


def _frame(
    trace: Trace, frame: Frame, path: str, texts: Sequence[str], number: int, count: int
) -> Iterator[Hit]:
    line = _line_now(frame, texts)
    moved = bool(line) and line != frame.line
    stale = not line
    line = line or frame.line
    if line > len(texts):
        return
    error = line_text.shown(trace.error) or "what the brief reports"
    reads = line_text.reads(texts, line)
    if moved:
        reads += f" The trace says line {frame.line}: the file has changed since."
    names = tuple(dict.fromkeys(re.findall(r"['`\"]([A-Za-z_]\w*)['`\"]", trace.error)))
    if stale:
        title = "A line that the trace names holds other code now"
        said = f"The {trace.language} trace of the brief names this line, with other code.{reads}"
        advice = "Look whether the trace belongs to this version of the file."
        yield Hit(path, line, line, NAMED, (), title, said, "minor", "fact", advice)
    elif number == count:
        title = f"The trace ends here: {error}"
        said = f"The {trace.language} trace of the brief has its innermost frame of the project "
        said += f"in this line, and reports {error}.{reads}"
        advice = "Start here: this line is where the error came up."
        yield Hit(path, line, line, FRAME, names, title, said, "major", "defect", advice)
    else:
        title = f"Frame {number} of {count} of a trace of the brief"
        said = f"The {trace.language} trace of the brief passes through this line.{reads}"
        advice = "Follow the call from here to where the trace ends."
        yield Hit(path, line, line, FRAME, (), title, said, "info", "fact", advice)


def _line_now(frame: Frame, texts: Sequence[str]) -> int:
    """Return where the code of a frame stands now; 0 if nowhere, or in several other places."""
    if not frame.code:
        return frame.line
    if frame.line <= len(texts) and texts[frame.line - 1].strip() == frame.code.strip():
        return frame.line
    same = [n for n, text in enumerate(texts, 1) if text.strip() == frame.code.strip()]
    return same[0] if len(same) == 1 else 0


def _mention(path: str, line: int, texts: Sequence[str]) -> Hit:
    said = f"The brief names this line.{line_text.reads(texts, line)}"
    advice = "Read the line with the brief in mind."
    title = f"The brief names line {line} of {line_text.shown(path)}"
    return Hit(path, line, line, NAMED, (), title, said, "info", "fact", advice)


def _first_of_each_line(hits: Sequence[Hit]) -> list[Hit]:
    """Return one hit a line: where a trace ends says more than where another passes."""
    ranked = sorted(hits, key=lambda hit: hit.severity != "major")
    found: dict[tuple[str, int], Hit] = {}
    for hit in ranked:
        found.setdefault((hit.path, hit.start), hit)
    return list(found.values())
