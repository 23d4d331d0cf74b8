"""Findings of several workers that say the same, put together without a lead (Z-023). Pure.

Two findings of one worker stay two: it told them apart. Of each worker a group takes one finding at
most. Whoever wrote the claim may not vote on it; who found the same in other words may, and those
words are kept.
"""

from __future__ import annotations

import re
from typing import Iterator, Mapping, NamedTuple, Sequence

from okstra_ctl.convergence.ballot import SCHEMA, Group, Members, Voter
from okstra_ctl.convergence.working import ORIGIN
from okstra_ctl.evidence.findings import SEVERITIES, Finding

SIMILAR = 0.8  # of the words of title and statement


class Author(NamedTuple):
    worker_id: str
    provider: str
    model: str


class _Member(NamedTuple):
    author: Author
    finding: Finding
    title: str  # as it is compared
    words: frozenset[str]
    spans: Mapping[str, tuple[tuple[int, int], ...]]  # path: first and last lines


def document(
    results: Mapping[Author, Sequence[Finding]],
    origins: Mapping[str, tuple[str, str]],
    *,
    adversarial: bool,
) -> Members:
    """Return what `seed --groups` takes. In whatever order the workers come, it is the same.

    `origins`: of each worker the file its findings were read from, and that file's sha256.
    """
    authors = sorted(results)
    groups = _gathered([_member(who, one) for who in authors for one in results[who]])
    roster = [Voter(*author, author.provider) for author in authors]
    return {
        "schemaVersion": SCHEMA,
        "adversarial": adversarial,
        "roster": [voter.members() for voter in roster],
        "groups": [_group(number, found).members() for number, found in enumerate(groups, 1)],
        "origins": [
            dict(zip(ORIGIN, (one.worker_id, *origins[one.worker_id]), strict=True))
            for one in authors
        ],
    }


def _gathered(members: Sequence[_Member]) -> list[list[_Member]]:
    """Return the groups; each is compared by its first finding, so that none grows by chance."""
    groups: list[list[_Member]] = []
    by_path: dict[str, list[int]] = {}
    by_title: dict[str, list[int]] = {}
    for member in members:
        near = {place for path in member.spans for place in by_path.get(path, ())}
        near.update(by_title.get(member.title, ()))
        place = next((place for place in sorted(near) if _takes(groups[place], member)), None)
        if place is not None:
            groups[place].append(member)
            continue
        groups.append([member])
        by_title.setdefault(member.title, []).append(len(groups) - 1)
        for path in member.spans:
            by_path.setdefault(path, []).append(len(groups) - 1)
    return groups


def _takes(group: Sequence[_Member], member: _Member) -> bool:
    if any(one.author == member.author for one in group):
        return False
    first = group[0]
    if first.title == member.title:
        return True
    shared = first.spans.keys() & member.spans.keys()
    if any(_overlap(first.spans[path], member.spans[path]) for path in shared):
        return True
    return bool(shared) and similarity(first.words, member.words) >= SIMILAR


def _overlap(one: Sequence[tuple[int, int]], other: Sequence[tuple[int, int]]) -> bool:
    return any(a <= d and c <= b for a, b in one for c, d in other)


def similarity(one: frozenset[str], other: frozenset[str]) -> float:
    """Return how many of all words both have, from 0 to 1."""
    return len(one & other) / len(one | other) if one | other else 0.0


def _member(author: Author, finding: Finding) -> _Member:
    spans: dict[str, list[tuple[int, int]]] = {}
    for place in finding.evidence:
        spans.setdefault(place.plain_path, []).append((place.start, place.end))
    title = " ".join(_words(finding.title))
    words = frozenset(_words(f"{finding.title} {finding.statement}"))
    told = {path: tuple(lines) for path, lines in spans.items()}
    return _Member(author, finding, title, words, told)


def _words(text: str) -> Iterator[str]:
    return (word.casefold() for word in re.findall(r"\w+", text))


def _group(number: int, found: Sequence[_Member]) -> Group:
    first = found[0].finding
    places = dict.fromkeys(str(place) for member in found for place in member.finding.evidence)
    details = {
        "title": first.title,
        "severity": min((one.finding.severity for one in found), key=SEVERITIES.index),
        "kind": first.kind,
        "recommendation": first.recommendation,
        "ticket": next((one.finding.ticket for one in found if one.finding.ticket), ""),
        "lens": first.lens,
    }
    return Group(
        finding_id=f"F-{number:03d}",
        claim=first.statement,
        evidence=tuple(places),
        raised_by=(found[0].author.worker_id,),
        also_raised_by=tuple(one.author.worker_id for one in found[1:]),
        details=tuple((name, value) for name, value in details.items() if value),
        sources=tuple(
            (one.author.worker_id, one.finding.id, one.finding.statement) for one in found
        ),
    )
