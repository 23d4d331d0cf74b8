"""What convergence works on: who votes, on what, and how (C-021). Frozen values, checked when made.

Each reads itself from a JSON object and knows the members it is written as. Names that may be cited
elsewhere (verdicts, classes, statuses) have their home here.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from okstra_ctl.runs.team_state import TERMINAL
from okstra_kernel.strict_json import Record

SCHEMA = "1.3"  # of every document of this folder (C-007)
AGREE, DISAGREE, SUPPLEMENT, UNVERIFIABLE = "agree", "disagree", "supplement", "unverifiable"
VERDICTS = (AGREE, DISAGREE, SUPPLEMENT, UNVERIFIABLE)
COMPLETED = "completed"
STATUSES = TERMINAL  # of a dispatch that has ended (C-033)

Members = dict[str, Any]
DETAILS = ("title", "severity", "kind", "recommendation", "ticket", "lens")  # may be missing
_SOURCE = ("workerId", "findingId", "statement")


class Voter(NamedTuple):
    """A worker of the roster. `family`: the vendor, for the cap on confidence (Z-022)."""

    worker_id: str
    provider: str
    model: str
    family: str

    @classmethod
    def of(cls, row: Record) -> Voter:
        provider = row.text("provider")
        return cls(
            filled(row, "workerId"),
            provider,
            row.text("modelExecutionValue", ""),
            row.text("family", provider),
        )

    def members(self) -> Members:
        return {
            "workerId": self.worker_id,
            "provider": self.provider,
            "modelExecutionValue": self.model,
            "family": self.family,
        }


class Group(NamedTuple):
    """A claim that is put to the vote.

    Of `raised_by` none may vote on it. Who found the same in words of its own stands in
    `also_raised_by` and may: this claim is not its text.
    """

    finding_id: str
    claim: str
    evidence: tuple[str, ...]
    raised_by: tuple[str, ...]
    also_raised_by: tuple[str, ...]
    details: tuple[tuple[str, str], ...]
    sources: tuple[tuple[str, str, str], ...]  # worker, its own id and words for it

    @classmethod
    def of(cls, row: Record) -> Group:
        sources = row.records("sources") if "sources" in row else []
        return cls(
            filled(row, "findingId"),
            filled(row, "claim"),
            tuple(row.texts("evidence")),
            tuple(row.texts("raisedBy")),
            tuple(row.texts("alsoRaisedBy")),
            tuple((name, row.text(name)) for name in DETAILS if name in row),
            tuple(
                (one.text(_SOURCE[0]), one.text(_SOURCE[1]), one.text(_SOURCE[2]))
                for one in sources
            ),
        )

    def members(self) -> Members:
        return {
            "findingId": self.finding_id,
            "claim": self.claim,
            "evidence": list(self.evidence),
            "raisedBy": list(self.raised_by),
            "alsoRaisedBy": list(self.also_raised_by),
            **dict(self.details),
            "sources": [dict(zip(_SOURCE, one, strict=True)) for one in self.sources],
        }


class Vote(NamedTuple):
    """What one worker says of one finding. `verified`: its basis was looked up and is there."""

    finding_id: str
    verdict: str
    basis: str
    evidence: tuple[str, ...]
    verified: bool

    @classmethod
    def of(cls, row: Record, name: str = "findingId") -> Vote:
        """Read a vote; `name` is the member that says on what, if any. Raises UserError.

        There are tens of thousands: one that is as it should be is seen at one look (Q-20).
        """
        told = row.members
        verdict, basis, verified = map(told.get, ("verdict", "basis", "basisVerified"))
        found, evidence = told.get(name, ""), told.get("evidence")
        if (
            verdict in VERDICTS
            and isinstance(basis, str)
            and isinstance(found, str)
            and isinstance(evidence, list)
            and (verified is True or verified is False)
            and basis.strip()
            and (found.strip() or not name)
            and all(isinstance(place, str) for place in evidence)
        ):
            return cls(found, verdict, basis, tuple(evidence), verified)
        verdict = row.text("verdict")
        if verdict not in VERDICTS:
            raise row.fault("verdict", f"none of {', '.join(VERDICTS)}: {verdict!r}")
        return cls(
            filled(row, name) if name else "",
            verdict,
            filled(row, "basis"),
            tuple(row.texts("evidence")),
            row.flag("basisVerified", False),
        )

    def members(self) -> Members:
        return {
            "verdict": self.verdict,
            "basis": self.basis,
            "evidence": list(self.evidence),
            "basisVerified": self.verified,
        }


class Outcome(NamedTuple):
    """What became of one worker's batch. Without an answer there are no votes (C-043)."""

    worker_id: str
    status: str  # one of STATUSES
    duration_ms: int
    votes: tuple[Vote, ...]
    answer: str  # the file the votes were read from, relative to the run's folder; or empty
    sha256: str  # of that file; or empty

    @classmethod
    def of(cls, row: Record) -> Outcome:
        status = row.text("status")
        if status not in STATUSES:
            raise row.fault("status", f"none of {', '.join(STATUSES)}: {status!r}")
        duration = row.integer("durationMs")
        if duration < 0:
            raise row.fault("durationMs", f"less than nothing: {duration}")
        votes = tuple(Vote.of(one) for one in row.records("votes")) if "votes" in row else ()
        if votes and status != COMPLETED:
            raise row.fault("votes", f"a worker that ended {status} casts no vote")
        names = filled(row, "workerId"), status, duration, votes
        return cls(*names, row.text("answerPath", ""), row.text("answerSha256", ""))

    def members(self) -> Members:
        return {
            "workerId": self.worker_id,
            "status": self.status,
            "durationMs": self.duration_ms,
            "answerPath": self.answer,
            "answerSha256": self.sha256,
            "votes": [vote_members(vote) for vote in self.votes],
        }


def vote_members(vote: Vote) -> Members:
    """Return a vote as it stands in results; an opposing one repeats its basis (C-032)."""
    told = {"findingId": vote.finding_id, **vote.members()}
    return {**told, "disagreeBasis": vote.basis} if vote.verdict == DISAGREE else told


def filled(row: Record, name: str) -> str:
    """Return a text that is not blank. Raises UserError."""
    value = row.text(name)
    if not value.strip():
        raise row.fault(name, "is empty")
    return value
