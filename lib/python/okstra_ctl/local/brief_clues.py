"""What a brief gives to go by: traces, places, files, error texts, identifiers (H-030). Pure."""

from __future__ import annotations

import posixpath
import re
from typing import Iterable, Iterator, NamedTuple, Sequence

from okstra_ctl.local import stack_trace
from okstra_ctl.local.stack_trace import Frame, Trace

LARGEST = 1 << 20  # characters of a brief that are read
MOST = 200  # identifiers, or error texts
_TICKED = re.compile(r"(?<!`)`([^`\n]{1,200})`(?!`)")
_IDENTIFIER = re.compile(r"\$?([A-Za-z_][\w]*(?:(?:\.|::|->|#)[A-Za-z_]\w*)*)(?:\(\))?")
_QUOTED = re.compile(r"\"([^\"\n]{8,200})\"|“([^”\n]{8,200})”|(?<!\w)'([^'\n]{8,200})'(?!\w)")
_FILE = re.compile(r"[^\s\"'`()<>:,;|\[\]{}]{1,400}")
_VARIABLE = re.compile(r"'[^']*'|\"[^\"]*\"|`[^`]*`|0x[0-9a-fA-F]+|\b\d+(?:\.\d+)?\b|<[^>]*>")
_ERROR_HEAD = re.compile(r"(?:panic|fatal error|(?:[A-Za-z_]\w*\.)*\w*(?:Error|Exception)\w*): +")
# Their words are the interpreter's own: no line of a project holds them.
_INTERPRETER = re.compile(
    r"(?:Name|Attribute|ModuleNotFound|UnboundLocal|Syntax|Indentation|Recursion)Error\b|SIG\w+"
)
# Where a language keeps what is not the project's own.
_LIBRARY = re.compile(
    r"/(?:site|dist)-packages/|/lib/python\d|^/usr/|^<|/node_modules/|^node:|/rustc/"
)
# Behind it stands where a package was installed; the project itself may be that package.
_INSTALLED = re.compile(r".*/(?:(?:site|dist)-packages|node_modules)/(.+)")
_SOURCES = ("", "src/", "lib/", "python/")  # where a project keeps the packages that it makes


class Clues(NamedTuple):
    traces: tuple[Trace, ...]
    mentions: tuple[Frame, ...]
    identifiers: tuple[str, ...]  # the last part of each: it is what stands in the code
    messages: tuple[str, ...]  # error texts, or their longest part that does not vary


def read(text: str) -> Clues:
    text = text[:LARGEST]
    traces, mentions = stack_trace.read(text)
    quoted = ["".join(one) for one in _QUOTED.findall(text)]
    ticked = _TICKED.findall(text)
    errors = [trace.error for trace in traces if not _INTERPRETER.match(trace.error)]
    messages = [_ERROR_HEAD.sub("", error, count=1) for error in errors]
    messages += [one for one in (*quoted, *ticked) if " " in one]
    identifiers = [re.split(r"\.|::|->|#", found[1])[-1] for found in map(_whole, ticked) if found]
    identifiers = [one for one in identifiers if not _is_an_exception(one)]
    return Clues(
        tuple(traces),
        tuple(mentions),
        _first((one for one in identifiers if len(one) > 1), MOST),
        _first((part for one in messages for part in _shorter(steady(one))), MOST),
    )


def steady(message: str) -> str:
    """Return the longest part of a message that no value varies; empty if it says too little."""
    pieces = [piece.strip(" .,:;()[]") for piece in _VARIABLE.split(message)]
    best = max(pieces, key=len, default="")
    return best if len(best) >= 8 and " " in best else ""


def _shorter(message: str) -> Iterator[str]:
    """Yield a message, and it without its last words: a value may stand there unquoted."""
    words = message.split()
    for count in range(len(words), max(len(words) - 3, 2), -1):
        yield " ".join(words[:count]).rstrip(" .,:;")


def named_files(text: str, paths: Sequence[str]) -> tuple[str, ...]:
    """Return the files of the project that a text names, in the order of their first mention."""
    names = by_name(paths)
    found: dict[str, None] = {}
    for word in dict.fromkeys(_FILE.findall(text[:LARGEST])):
        word = word.rstrip(".")
        if "/" in word or "." in word:
            place = resolve(word, names)
            if place:
                found.setdefault(place)
    return tuple(found)


def resolve(written: str, names: dict[str, list[str]]) -> str:
    """Return the one file whose path ends as this one does, in most parts; empty if none or two.

    A trace comes from another machine: what stands before the project's own folders differs. Where
    it ran from an installed copy of the project, the whole path within the copy must be there.
    """
    written = written.replace("\\", "/")
    if _LIBRARY.search(written):
        return _of_a_copy(written, names)
    parts = [part for part in written.split("/") if part not in ("", ".")]
    if not parts or ".." in parts:
        return ""
    best: list[str] = []
    most = 0
    for path in names.get(parts[-1], ()):
        own = path.split("/")
        same = 0
        while same < min(len(own), len(parts)) and own[-1 - same] == parts[-1 - same]:
            same += 1
        whole = same == len(own) or same == len(parts)
        if whole and same > most:
            best, most = [path], same
        elif whole and same == most:
            best.append(path)
    exact = "/".join(parts)
    if exact in best:
        return exact
    return best[0] if len(best) == 1 else ""


def _of_a_copy(written: str, names: dict[str, list[str]]) -> str:
    """Return the file of the project whose installed copy a path names, or nothing.

    One file alone, without a folder, could be anybody's.
    """
    found = _INSTALLED.fullmatch(written)
    own = found[1] if found and "/" in found[1] else ""
    known = names.get(posixpath.basename(own), ())
    return next((one for one in (source + own for source in _SOURCES) if one in known), "")


def by_name(paths: Iterable[str]) -> dict[str, list[str]]:
    """Return paths by their last part, as `resolve` wants them."""
    found: dict[str, list[str]] = {}
    for path in paths:
        found.setdefault(posixpath.basename(path), []).append(path)
    return found


def _is_an_exception(name: str) -> bool:
    """Tell whether Python itself has an exception of this name: no project defines it."""
    import builtins

    found = getattr(builtins, name, None)
    return isinstance(found, type) and issubclass(found, BaseException)


def _whole(text: str) -> re.Match[str] | None:
    return _IDENTIFIER.fullmatch(text.strip())


def _first(items: Iterable[str], most: int) -> tuple[str, ...]:
    return tuple(dict.fromkeys(items))[:most]
