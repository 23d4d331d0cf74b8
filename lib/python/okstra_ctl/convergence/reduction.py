"""What the votes on one finding amount to (C-042 to C-044, Z-021, Z-022, Z-117). Pure.

Only votes of workers other than the raiser come in here. A missing vote is none: it supports
nothing, and lowers confidence.
"""

from __future__ import annotations

from typing import NamedTuple, Sequence

from okstra_ctl.convergence.ballot import AGREE, DISAGREE, SUPPLEMENT

CONSENSUS, PARTIAL, CONTESTED = "consensus", "partial-consensus", "contested"
REJECTED, UNVERIFIED = "rejected", "unverified"
CLASSES = (CONSENSUS, PARTIAL, CONTESTED, REJECTED, UNVERIFIED)
CONFIDENCE = ("low", "medium", "high")
ONE_FAMILY, MISSING_VOTE = "one-family", "missing-vote"  # why confidence is lower
_QUORUM = 2


class Tally(NamedTuple):
    """`refuted`: opposition whose basis was looked up and is there."""

    support: int
    opposition: int
    refuted: int


def tally(votes: Sequence[tuple[str, bool]]) -> Tally:
    """Count (verdict, basis verified) pairs."""
    against = [verified for verdict, verified in votes if verdict == DISAGREE]
    support = sum(verdict in (AGREE, SUPPLEMENT) for verdict, _ in votes)
    return Tally(support, len(against), sum(against))


def quorum(able: int) -> int:
    """Return how many usable votes a finding needs; `able`: how many could vote on it."""
    return min(_QUORUM, able)


def classify(count: Tally, able: int, *, adversarial: bool) -> str:
    """Return the class of a finding. With nobody able to vote it is unverified (C-022)."""
    support, opposition, refuted = count
    if not able or support + opposition < quorum(able):
        return UNVERIFIED
    if opposition > support:
        return REJECTED
    if not opposition:
        return CONSENSUS
    if opposition == support or (adversarial and refuted):
        return CONTESTED
    return PARTIAL


def confidence(found: str, *, families: int, missing: int) -> tuple[str, list[str]]:
    """Return how sure a class is, and what lowers that.

    `families`: how many vendors stand behind it, raiser included; `missing`: votes not cast.
    """
    level = {CONSENSUS: 2, PARTIAL: 1}.get(found, 0)
    marks = [ONE_FAMILY] * (level > 0 and families < 2) + [MISSING_VOTE] * (missing > 0)
    return CONFIDENCE[max(0, level - len(marks))], marks
