"""Stack traces and places that a brief mentions: Python, Node, Java, Go, Rust, shell (H-030). Pure.

A trace's innermost frame of the project is where the error came up: the last one in Python, the
first one elsewhere.
"""

from __future__ import annotations

import re
from typing import Iterator, NamedTuple, Sequence

LONGEST_LINE = 2000  # characters; of a longer line the rest is not read
MOST = 2000  # frames and mentions

_NUMBER = r"([1-9][0-9]{0,8})"
_PATH = r"[^\s\"'`()<>:,;|]+"


class Frame(NamedTuple):
    language: str  # empty: a plain mention of a path and a line
    path: str  # as it stands in the brief
    line: int
    code: str  # what the trace says stands there; empty where it says nothing
    trace: int  # which trace of the brief, from 1; 0: none
    at: int  # the line of the brief


class Trace(NamedTuple):
    language: str
    frames: tuple[Frame, ...]  # the outermost first
    error: str  # what it reports, as it is printed


_JVM = r"\.(?:java|kt|scala|groovy)"
_URL = r"(?:file://)?(?:[A-Za-z]:)?"
_SHELL = re.compile(rf"\s*({_PATH}): line {_NUMBER}: .*")
_PYTHON = re.compile(rf'[\s>|]*File "([^"]{{1,500}})", line {_NUMBER}(?:, in .*)?\s*')
_ERROR = re.compile(
    r"[\s>|]*((?:[A-Za-z_]\w*\.)*[A-Z]\w*(?:Error|Exception|Warning|Exit|Interrupt)\b.*)"
)
_SHAPES = (
    ("Java", re.compile(rf"\s*at (?:[\w.$/<>]{{1,400}})\(({_PATH}{_JVM}):{_NUMBER}\)\s*")),
    ("Go", re.compile(rf"\t({_PATH}\.go):{_NUMBER}(?: \+0x[0-9a-f]+)?\s*")),
    ("Rust", re.compile(rf"\s+(?:at|-->) ({_PATH}\.rs):{_NUMBER}(?::\d+)?\s*")),
    ("Rust", re.compile(rf".*panicked at (?:'.*', )?({_PATH}\.rs):{_NUMBER}(?::\d+)?:?\s*")),
    ("Node", re.compile(rf"\s*at (?:.{{1,300}}? \()?{_URL}({_PATH}):{_NUMBER}:\d+\)?\s*")),
    ("shell", _SHELL),
)  # fmt: skip
_ERRORS = {
    "Go": re.compile(r"\s*((?:panic|fatal error): .*)"),
    "Rust": re.compile(r".*(panicked at .*)"),
    "shell": re.compile(r".*?: line \d+: (.*)"),
}
_THREAD = re.compile(r'^\s*(?:Exception in thread "[^"]*"|Caused by:) ')
_MENTION = re.compile(rf"(?<![\w/.:-])({_PATH}):{_NUMBER}(?:-[0-9]+|:[0-9]+)?(?![\w/])")


def read(text: str) -> tuple[list[Trace], list[Frame]]:
    """Return the traces of a text, and the places that it mentions besides."""
    texts = [line.rstrip("\r")[:LONGEST_LINE] for line in text.split("\n")]
    traces: list[Trace] = []
    mentions: list[Frame] = []
    current: list[Frame] = []
    start = 0
    for number, line in enumerate(texts):
        frame = _frame(line, number, texts, len(traces) + 1)
        if frame and current and (frame.language != current[-1].language or _is_new(texts, number)):
            traces.append(_trace(current, start, texts))
            current = []
            frame = frame._replace(trace=len(traces) + 1)
        if frame:
            start = start if current else number
            current.append(frame)
        elif current and number - current[-1].at > 4:
            traces.append(_trace(current, start, texts))
            current = []
        if not frame and len(mentions) < MOST:
            mentions += _mentions(line, number)
        if len(traces) + len(current) > MOST:
            break
    if current:
        traces.append(_trace(current, start, texts))
    return traces, mentions


def _frame(line: str, number: int, texts: Sequence[str], trace: int) -> Frame | None:
    found = _PYTHON.fullmatch(line)
    if found:
        following = texts[number + 1] if number + 1 < len(texts) else ""
        is_code = not _PYTHON.fullmatch(following) and not _ERROR.fullmatch(following)
        code = following.strip("> |\t") if is_code and following[:1] in " \t>|" else ""
        return Frame("Python", found[1], int(found[2]), code, trace, number)
    for language, shape in _SHAPES:
        found = shape.fullmatch(line)
        if found:
            return Frame(language, found[1], int(found[2]), "", trace, number)
    return None


def _is_new(texts: Sequence[str], number: int) -> bool:
    """Tell whether a frame begins a trace: it is Python's first, or a shell's, which is alone."""
    before = texts[number - 1] if number else ""
    return "Traceback (most recent call last)" in before or bool(_SHELL.fullmatch(texts[number]))


def _trace(frames: Sequence[Frame], start: int, texts: Sequence[str]) -> Trace:
    language = frames[0].language
    last = frames[-1].at
    ordered = tuple(frames if language == "Python" else reversed(frames))
    if language == "Python":
        near = texts[last + 1 : last + 6]
    elif language == "shell":
        near = [texts[last]]
    else:
        near = [*reversed(texts[max(0, start - 6) : start + 1]), *texts[last + 1 : last + 3]]
    shape = _ERRORS.get(language, _ERROR)
    near = [_THREAD.sub("", line) for line in near]
    found = next((one for one in map(shape.fullmatch, near) if one), None)
    if not found and language in ("Node", "Java"):
        words = re.compile(r".*?((?:[A-Za-z_]\w*\.)*\w*(?:Error|Exception)\b.*)")
        found = next((one for one in map(words.fullmatch, near) if one), None)
    return Trace(language, ordered, found[1].strip() if found else "")


def _mentions(line: str, number: int) -> Iterator[Frame]:
    for found in _MENTION.finditer(line):
        if "/" in found[1] or "." in found[1]:
            yield Frame("", found[1], int(found[2]), "", 0, number)
