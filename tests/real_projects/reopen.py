"""Opens every place that a finished run cites, once more, and looks whether it holds what is said.

    reopen.py <project root> <run folder>

Read are the newest final report's data and the results and audit sidecars of the workers. It shares
no code with okstra, so that it cannot share a mistake. Printed are counts and one line a miss; exit
status 1 for a miss, 2 for a run that cannot be read.

A place is `path:line` or `path:start-end`. What is said of it is read from the sentences: behind
"reads", "holds", "begins with" or the place and a colon stand whole lines in back-ticks; and a name
that a finding calls undefined, imported, assigned or defined must stand in the lines that it cites.
"""

from __future__ import annotations

import glob
import json
import os
import re
import sys
from typing import Any, Iterator, NamedTuple

_PLACE = re.compile(r"(.+):([1-9]\d*)(?:-([1-9]\d*))?")
_TICKED = re.compile(r"`([^`\n]+)`")
_WHOLE = re.compile(r"\b(?:reads|holds|begins with)\W*$|\W*,\W*$|^`?:? *$")
_NAMED = re.compile(
    r"undefined name '(\w+)'|no binding of '(\w+)'|shows '(\w+)' imported|the local '(\w+)' unused"
    r"|The line holds '([^']+)'|The brief names '(\w+)'; (?:this|it)|Nothing binds the name '(\w+)'"
    r"|The import of '(\w+)' serves|^'(\w+)' is assigned|'(?:[\w.]+\.)?(\w+)' imported but unused"
)
_AUDIT = re.compile(r"^- Evidence read: (.+)$", re.M)
_EVIDENCE = re.compile(r"^- Evidence: (.+)$", re.M)


class Said(NamedTuple):
    """A place that is cited, with whole lines that are quoted, and words said to stand there."""

    where: str  # the file that cites it, and what in it
    path: str
    start: int
    end: int
    lines: tuple[str, ...] = ()
    words: tuple[str, ...] = ()


class Project:
    """The lines of a project's files, each file opened once."""

    def __init__(self, root: str) -> None:
        self._root = root
        self._known: dict[str, list[str]] = {}

    def lines(self, path: str) -> list[str]:
        if path not in self._known:
            self._known[path] = self._read(path)
        return self._known[path]

    def _read(self, path: str) -> list[str]:
        whole = os.path.join(self._root, path)
        if not os.path.isfile(whole):
            return []
        with open(whole, "rb") as stream:
            found = stream.read().decode("utf-8", "replace").split("\n")
        return found if found[-1] else found[:-1]

    def miss(self, said: Said) -> str:
        """Return what is wrong with a place; empty if nothing is."""
        texts = self.lines(said.path)
        if not texts:
            return "there is no such file"
        if not said.start <= said.end <= len(texts):
            return f"the file has {len(texts)} lines"
        own = texts[said.start - 1 : said.end]
        stripped = {line.strip() for line in own}
        for line in said.lines:
            if line not in stripped:
                return f"no line of it is: {line}"
        for word in said.words:
            if word not in " ".join(" ".join(own).replace("`", "'").split()):
                return f"it does not hold: {word}"
        return ""


def place(text: str) -> tuple[str, int, int] | None:
    found = _PLACE.fullmatch(text)
    return (found[1], int(found[2]), int(found[3] or found[2])) if found else None


def told(text: str, where: str, cited: list[tuple[str, int, int]]) -> Iterator[Said]:
    """Yield the places in back-ticks of a text, and what it says of them and of those cited."""
    last = cited[0] if cited else None
    behind = 0
    for tick in _TICKED.finditer(text):
        found = place(tick[1])
        between = text[behind : tick.start()]
        behind = tick.end()
        if found:
            last = found
            yield Said(where, *found)
        elif last and _WHOLE.search(between):
            yield Said(where, *last, lines=(tick[1].strip(),))
    for name in _NAMED.finditer(text):
        word = next(filter(None, name.groups()))
        if last and not (word.endswith("…")):
            yield Said(where, *last, words=(word,))


def of_report(data: dict[str, Any]) -> Iterator[Said]:
    """Yield what a report's data cites."""
    for kind in ("findings", "gaps"):
        for row in data[kind]:
            where = f"report {row['id']}"
            cited = [one for text in row["evidence"] if (one := place(text))]
            yield from (Said(where, *one) for one in cited)
            yield from told(row["title"], where, cited)
            yield from told(row["claim"], where, cited)
            for vote in row["votes"]:
                own = [one for text in vote["evidence"] if (one := place(text))]
                yield from (Said(f"{where} vote", *one) for one in own)
                yield from told(vote["basis"], f"{where} vote of {vote['workerId']}", own)
    for row in data["evidence"]["primary"]:
        found = place(row["source"])
        if found:
            yield Said(f"report {row['id']}", *found)
            yield from told(row["claim"], f"report {row['id']}", [found])
    for row in data["consensus"]:
        cited = [one for text in row["evidence"].split(", ") if (one := place(text))]
        yield from (Said(f"report consensus {row['id']}", *one) for one in cited)


def of_result(text: str, name: str) -> Iterator[Said]:
    """Yield what a worker's result, or its sidecar, cites; each block of it stands alone."""
    for block in re.split(r"^(?=### |## )", text, flags=re.M):
        where = f"{name} {block.split(' ', 2)[1] if block.startswith('### ') else ''}".strip()
        listed = _EVIDENCE.search(block)
        ticks = _TICKED.findall(listed[1]) if listed else ()
        cited = [one for text in ticks if (one := place(text))]
        for line in block.split("\n"):
            yield from told(line, where, cited)
        for found in _AUDIT.findall(block):
            one = place(found)
            if one:
                yield Said(where, *one)


def everything(run_dir: str) -> Iterator[Said]:
    reports = sorted(glob.glob(os.path.join(glob.escape(run_dir), "reports", "*.data.json")))
    with open(reports[-1], encoding="utf-8") as stream:
        yield from of_report(json.load(stream))
    for path in sorted(glob.glob(os.path.join(glob.escape(run_dir), "worker-results", "*.md"))):
        with open(path, encoding="utf-8") as stream:
            yield from of_result(stream.read(), os.path.basename(path))


def main(words: list[str]) -> int:
    if len(words) != 2:
        sys.stderr.write("usage: reopen.py <project root> <run folder>\n")
        return 2
    root, run_dir = words
    try:
        found = list(everything(run_dir))
    except (OSError, ValueError, KeyError, IndexError) as err:
        sys.stderr.write(f"reopen: not a finished run: {run_dir}: {err!r}\n")
        return 2
    project = Project(root)
    misses = [(said, why) for said in found if (why := project.miss(said))]
    for said, why in misses:
        sys.stdout.write(f"miss: {said.path}:{said.start}-{said.end}: {why} ({said.where})\n")
    places = {(said.path, said.start, said.end) for said in found}
    quotes = sum(len(said.lines) + len(said.words) for said in found)
    sys.stdout.write(
        f"{len(found)} citations of {len(places)} places, {quotes} of them say what stands there; "
        f"{len(misses)} misses\n"
    )
    if not found:
        sys.stdout.write("nothing is cited: that cannot be\n")
    return 1 if misses or not found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
