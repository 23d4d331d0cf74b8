"""Which of an engine's hits are findings for the task at hand, and in which order (H-031). Pure.

A brief that names files asks about these: all of them is told, of the others few defects, the
nearest first. What is left out is counted.
"""

from __future__ import annotations

import re
from typing import Mapping, NamedTuple, Sequence

from okstra_ctl.evidence.findings import SEVERITIES
from okstra_ctl.local.hit import SYNTAX, UNDEFINED, UNUSED, Hit
from okstra_ctl.local.reading_order import NEIGHBOUR

MOST = 60  # findings of one worker: more nobody reads, and each costs votes
ELSEWHERE = 10  # of them in files that the brief does not name, if it names any
WIDE = ("improvement-discovery",)  # task types that ask for what could be better anywhere
_PYTHON_2 = frozenset(
    ("basestring", "buffer", "cmp", "file", "long", "raw_input", "reduce", "unichr", "unicode")
) | {"xrange"}
_DATA = (".json", ".yaml", ".yml", ".toml")
_ASKS = re.compile(r"\bPY_?[23]\b|\bversion_info\b|\bexcept NameError\b")


class Chosen(NamedTuple):
    hits: tuple[Hit, ...]  # the first thing first
    left_out: tuple[str, ...]  # sentences on what is not told


def choose(
    hits: Sequence[Hit],
    texts: Mapping[str, Sequence[str]],
    ranks: Mapping[str, int],
    lines: Sequence[tuple[str, int]],
    *,
    focused: bool,
) -> Chosen:
    """Return the findings among the hits.

    `texts`: the lines of each file that is hit. `ranks`: how far a file is from the brief, 0 for
    one that it names. `lines`: places that the brief names, in its order. `focused`: it asks about
    the files that it names.
    """
    places = {place: number for number, place in reversed(list(enumerate(lines)))}
    wanted = [hit for hit in hits if _stands(hit, texts) and not _is_silenced(hit, texts)]
    if focused:
        wanted = [_weighed(hit) if ranks.get(hit.path) else hit for hit in wanted]
    ordered = sorted(wanted, key=lambda hit: _order(hit, ranks, places))
    told = []
    if focused:
        kept = _near(ordered, ranks)
        if len(kept) < len(ordered):
            count = len(ordered) - len(kept)
            told.append(
                f"{count} findings more in files that the brief does not name are left out."
            )
        ordered = kept
    if len(ordered) > MOST:
        told.append(f"{len(ordered) - MOST} findings more are left out, the least grave ones.")
    return Chosen(tuple(ordered[:MOST]), tuple(told))


def _near(ordered: Sequence[Hit], ranks: Mapping[str, int]) -> list[Hit]:
    """Return all of the files that the brief names, and the first defects near to them.

    Of code further away, that it cannot be read: it may be what keeps the rest from running. Data
    that cannot be read is as often a test's.
    """
    far = [hit for hit in ordered if ranks.get(hit.path) and hit.kind == "defect"]
    far = [hit for hit in far if ranks[hit.path] == NEIGHBOUR or _breaks(hit)]
    return [*(hit for hit in ordered if not ranks.get(hit.path)), *far[:ELSEWHERE]]


def _breaks(hit: Hit) -> bool:
    return hit.topic == SYNTAX and not hit.path.endswith(_DATA)


def _weighed(hit: Hit) -> Hit:
    """Return what stands in a file that the brief does not name: it may have nothing to do with it.

    So it is not as grave to the task as the same in a file that the brief names.
    """
    return hit._replace(severity="minor") if hit.severity in ("blocker", "major") else hit


def _order(
    hit: Hit, ranks: Mapping[str, int], places: Mapping[tuple[str, int], int]
) -> tuple[bool, int, int, int, str, int, str]:
    """What the brief's own lines show comes first, then by gravity, by its order, by nearness."""
    end = len(places)
    at = min(places.get((hit.path, line), end) for line in range(hit.start, hit.end + 1))
    gravity = SEVERITIES.index(hit.severity)
    return at == end, gravity, at, ranks.get(hit.path, 9), hit.path, hit.start, hit.title


def _is_silenced(hit: Hit, texts: Mapping[str, Sequence[str]]) -> bool:
    """Tell whether the project's people said of a name that it is wanted.

    Of an unused one; and a name of Python 2 in a module that asks which Python it is run by.
    """
    whole = texts.get(hit.path, ())
    if hit.topic == UNDEFINED and not _PYTHON_2.isdisjoint(hit.names):
        return any(_ASKS.search(line) for line in whole)
    init = hit.path.endswith("__init__.py")
    lines = whole[hit.start - 1 : hit.end]
    return hit.topic == UNUSED and (init or any("# noqa" in line for line in lines))


def _stands(hit: Hit, texts: Mapping[str, Sequence[str]]) -> bool:
    return 0 < hit.start <= hit.end <= len(texts.get(hit.path, ()))
