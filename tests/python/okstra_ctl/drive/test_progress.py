"""Which step comes next, for whatever the artifacts of a run tell (H-021, H-024, H-027)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from okstra_ctl.drive import progress
from okstra_ctl.drive.progress import GOING, HELD, LOST, SOUND, UNSTARTED, Facts, Seat, Step

A, B = Seat("a", SOUND), Seat("b", SOUND)
ENDED = Facts(
    faults=(),
    analysers=(A, B),
    grouped=True,
    seeded=True,
    open_round=0,
    planned=False,
    verifiers=(),
    critic=None,
    gap_voters=(),
    covered=True,
    decided=True,
    drafted=True,
    writer=Seat("w", SOUND),
    finished=True,
)


def lost(name: str, reason: str = "crashed") -> Seat:
    return Seat(name, LOST, reason)


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({}, Step("done")),
        ({"faults": ("no packet", "x")}, Step("failed", "intake: no packet")),
        ({"analysers": (Seat("a", UNSTARTED), Seat("b", GOING))}, Step("initial", "a, b")),
        ({"analysers": (A, Seat("b", HELD, "quota"))}, Step("held", "initial: b: quota")),
        (
            {"analysers": (lost("a"), lost("b", "login"))},
            Step(
                "failed",
                "initial: no analyser has left a result that counts: a: crashed, b: login",
            ),
        ),
        ({"analysers": (A, lost("b")), "grouped": False}, Step("group")),
        ({"seeded": False}, Step("seed")),
        ({"open_round": 2}, Step("plan-round", "round 2")),
        (
            {"open_round": 1, "planned": True, "verifiers": (A, Seat("b", UNSTARTED))},
            Step("verify", "b"),
        ),
        (
            {"open_round": 1, "planned": True, "verifiers": (A, lost("b"))},
            Step("apply-round", "round 1"),
        ),
        (
            {"open_round": 1, "planned": True, "verifiers": (A, Seat("b", HELD, "quota"))},
            Step("held", "verify: b: quota"),
        ),
        ({"covered": False, "critic": Seat("c", UNSTARTED)}, Step("critic", "c")),
        (
            {"covered": False, "critic": Seat("c", SOUND), "gap_voters": (Seat("a", UNSTARTED),)},
            Step("verify-gaps", "a"),
        ),
        (
            {"covered": False, "critic": Seat("c", SOUND), "gap_voters": (A, lost("b"))},
            Step("apply-critic-gaps"),
        ),
        ({"decided": False}, Step("finalize-convergence")),
        ({"drafted": False}, Step("draft")),
        ({"writer": Seat("w", GOING)}, Step("report", "w")),
        ({"writer": lost("w", "invalid-result")}, Step("failed", "report: w: invalid-result")),
        ({"finished": False}, Step("finalize")),
        ({"blocking": ("C-001", "C-002")}, Step("waiting", "open questions: C-001, C-002")),
    ],
)
def test_the_step_that_comes_next(changed: dict[str, Any], expected: Step) -> None:
    assert progress.following(ENDED._replace(**changed)) == expected


SEATS = st.lists(
    st.builds(Seat, st.sampled_from("ab"), st.sampled_from([UNSTARTED, GOING, HELD, SOUND, LOST])),
    min_size=1,
    max_size=2,
)
FLAG = st.booleans()


@given(
    st.builds(
        Facts,
        faults=st.just(()),
        analysers=SEATS,
        grouped=FLAG,
        seeded=FLAG,
        open_round=st.integers(0, 3),
        planned=FLAG,
        verifiers=SEATS,
        critic=st.none() | SEATS.map(lambda seats: seats[0]),
        gap_voters=SEATS,
        covered=FLAG,
        decided=FLAG,
        drafted=FLAG,
        writer=SEATS.map(lambda seats: seats[0]),
        finished=FLAG,
        blocking=st.just(()),
    )
)
def test_no_step_is_taken_before_those_ahead_of_it_are_done(facts: Facts) -> None:
    step = progress.following(facts)
    if step.name not in progress.STEPS:
        return
    place = progress.STEPS.index(step.name)
    if place > progress.STEPS.index(progress.INITIAL):
        assert all(seat.state in (SOUND, LOST) for seat in facts.analysers)
    if place > progress.STEPS.index(progress.APPLY):
        assert facts.open_round == 0 and facts.seeded
    if place > progress.STEPS.index(progress.DECIDE):
        assert facts.decided and facts.covered
    if step.name == progress.FINALIZE:
        assert facts.writer.state == SOUND
