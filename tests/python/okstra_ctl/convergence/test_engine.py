"""The engine: in whatever order and rounds they come, votes decide the same (C-004, C-005)."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from okstra_ctl.convergence import reduction
from okstra_ctl.convergence.ballot import VERDICTS, Members
from okstra_ctl.convergence.engine import ConvergenceEngine
from okstra_kernel import UserError, store
from okstra_kernel.strict_json import Record

ENGINE = ConvergenceEngine()
WORKERS = ("a", "b", "c", "d")
FAMILIES = {"a": "one", "b": "two", "c": "one", "d": "three"}
VOTE = st.tuples(st.sampled_from([*VERDICTS, "timeout"]), st.booleans())
CASE = st.fixed_dictionaries(
    {
        "adversarial": st.booleans(),
        "raisers": st.lists(st.sampled_from(WORKERS), min_size=1, max_size=5),
        "votes": st.dictionaries(st.tuples(st.integers(0, 4), st.sampled_from(WORKERS)), VOTE),
        "seed": st.randoms(use_true_random=False),
    }
)
Votes = dict[tuple[int, str], tuple[str, bool]]


def record(value: Any) -> Record:
    return Record(value, "$")


def groups(raisers: list[str], adversarial: bool = True, **more: Any) -> Members:
    return {
        "schemaVersion": "1.3",
        "adversarial": adversarial,
        "roster": [{"workerId": who, "provider": FAMILIES[who]} for who in WORKERS],
        "groups": [
            {"findingId": f"F-{n:03d}", "claim": "c", "evidence": ["x:1"], "raisedBy": [who]}
            for n, who in enumerate(raisers)
        ],
        **more,
    }


def vote(name: str, verdict: str, verified: bool) -> Members:
    return {"findingId": name, "verdict": verdict, "basis": "b", "basisVerified": verified}


def decide(
    start: Members, votes: Votes, *, shuffle: random.Random | None = None, late: bool = False
) -> Members:
    """Play every round. A seat without a vote answers `unverifiable`; `timeout` ends its worker.

    `late`: a worker with a vote fails in round 1 and votes in round 2.
    """
    state = ENGINE.start(record(start))
    while plan := ENGINE.plan(record(state)):
        outcomes = [
            _outcome(batch, votes, late and plan["round"] == 1) for batch in plan["batches"]
        ]
        if shuffle:
            shuffle.shuffle(outcomes)
            for outcome in outcomes:
                shuffle.shuffle(outcome["votes"])
        results = {"schemaVersion": "1.3", "round": plan["round"], "outcomes": outcomes}
        state = ENGINE.apply(record(state), record(plan), record(results))
        ENGINE.check(record(state))
    return state


def _outcome(batch: Members, votes: Votes, fails: bool) -> Members:
    worker = batch["workerId"]
    told = {
        name: votes.get((int(name[2:]), worker), ("unverifiable", False))
        for name in batch["findingIds"]
    }
    out = fails or any(verdict == "timeout" for verdict, _ in told.values())
    return {
        "workerId": worker,
        "status": "timeout" if out else "completed",
        "durationMs": 5,
        "votes": [] if out else [vote(name, *one) for name, one in told.items()],
    }


def classes(state: Members) -> dict[str, str]:
    final = ENGINE.finish(record(state))
    ENGINE.check(record(final))
    return {row["findingId"]: row["class"] for row in final["findings"]}


@given(CASE)
def test_any_order_of_votes_and_workers_gives_equal_bytes(case: dict[str, Any]) -> None:
    start = groups(case["raisers"], case["adversarial"])
    one = decide(start, case["votes"])
    other = decide(start, case["votes"], shuffle=case["seed"])
    assert store.json_rows_bytes(one) == store.json_rows_bytes(other)
    finals = [store.json_rows_bytes(ENGINE.finish(record(state))) for state in (one, other)]
    assert finals[0] == finals[1]


@given(CASE)
def test_votes_that_come_over_one_or_two_rounds_give_equal_classes(case: dict[str, Any]) -> None:
    votes = {seat: one for seat, one in case["votes"].items() if one[0] != "timeout"}
    start = groups(case["raisers"], case["adversarial"])
    assert classes(decide(start, votes)) == classes(decide(start, votes, late=True))


RANK = {"consensus": 2, "partial-consensus": 1}


@given(CASE)
def test_a_vote_that_goes_missing_never_raises_what_it_supported(case: dict[str, Any]) -> None:
    votes = {seat: one for seat, one in case["votes"].items() if one[0] in ("agree", "supplement")}
    start = groups(case["raisers"], case["adversarial"])
    before = classes(decide(start, case["votes"]))
    for seat in votes:
        less = {key: one for key, one in case["votes"].items() if key != seat}
        after = classes(decide(start, less))
        name = f"F-{seat[0]:03d}"
        assert RANK.get(after.get(name, ""), 0) <= RANK.get(before.get(name, ""), 0)


@given(CASE)
def test_without_a_quorum_nothing_is_agreed(case: dict[str, Any]) -> None:
    final = ENGINE.finish(
        record(decide(groups(case["raisers"], case["adversarial"]), case["votes"]))
    )
    for row in final["findings"]:
        usable = row["support"] + row["opposition"]
        assert usable >= 2 or row["class"] == "unverified"
        assert row["confidence"] == "low" or row["support"] >= 2


@given(CASE)
def test_a_refutation_with_basis_keeps_a_claim_out_of_consensus(case: dict[str, Any]) -> None:
    votes = {**case["votes"], (0, "b"): ("disagree", True), (0, "c"): ("disagree", True)}
    raisers = ["a", *case["raisers"][1:]]
    for worker in "bcd":  # nobody times out: the refutation arrives
        for place in range(len(raisers)):
            if votes.get((place, worker), ("", False))[0] == "timeout":
                del votes[place, worker]
    found = classes(decide(groups(raisers, adversarial=True), votes))
    assert found["F-000"] in ("contested", "rejected")
    del votes[0, "c"]
    found = classes(decide(groups(raisers, adversarial=True), votes))
    assert found["F-000"] not in ("consensus", "partial-consensus")


@given(CASE)
def test_the_raiser_is_never_asked_about_its_own_claim(case: dict[str, Any]) -> None:
    start = groups(case["raisers"], case["adversarial"])
    state = decide(start, case["votes"])
    for one in state["rounds"]:
        for batch in one["batches"]:
            own = {
                f"F-{n:03d}" for n, who in enumerate(case["raisers"]) if who == batch["workerId"]
            }
            assert not own & set(batch["findingIds"])
    for row in ENGINE.finish(record(state))["findings"]:
        voters = {one["workerId"] for one in (*row["votes"], *row["withoutVote"])}
        assert voters == set(WORKERS) - set(row["raisedBy"])


def test_a_raisers_vote_is_refused() -> None:
    state = ENGINE.start(record(groups(["a"])))
    plan = ENGINE.plan(record(state)) or {}
    forged = [_outcome(batch, {}, False) for batch in plan["batches"]]
    forged.append(
        {
            "workerId": "a",
            "status": "completed",
            "durationMs": 1,
            "votes": [vote("F-000", "agree", True)],
        }
    )
    results = {"schemaVersion": "1.3", "round": 1, "outcomes": forged}
    with pytest.raises(UserError) as err:
        ENGINE.apply(record(state), record(plan), record(results))
    assert err.value.details == ("a: not in the plan",)


def test_every_fault_of_the_answers_is_named_and_nothing_is_taken() -> None:
    state = ENGINE.start(record(groups(["a", "a"])))
    plan = ENGINE.plan(record(state)) or {}
    outcomes = [
        {
            "workerId": "b",
            "status": "completed",
            "durationMs": 1,
            "votes": [vote("F-000", "agree", True)] * 2,
        },
        {
            "workerId": "c",
            "status": "completed",
            "durationMs": 1,
            "votes": [vote("F-009", "agree", True)],
        },
        {"workerId": "c", "status": "error", "durationMs": 1},
    ]
    with pytest.raises(UserError) as err:
        ENGINE.apply(
            record(state),
            record(plan),
            record({"schemaVersion": "1.3", "round": 1, "outcomes": outcomes}),
        )
    assert err.value.details == (
        "d: no outcome",
        "b F-000: two verdicts",
        "b F-001: no verdict",
        "c F-009: not assigned",
        "c F-000: no verdict",
        "c F-001: no verdict",
        "c: a second outcome",
    )


def test_an_edited_plan_and_a_round_done_twice_are_refused() -> None:
    state = ENGINE.start(record(groups(["a"])))
    plan = ENGINE.plan(record(state)) or {}
    outcomes = [_outcome(batch, {}, False) for batch in plan["batches"]]
    results = {"schemaVersion": "1.3", "round": 1, "outcomes": outcomes}
    less = {**plan, "batches": plan["batches"][1:]}
    with pytest.raises(UserError, match="not the plan of this state's round 1"):
        ENGINE.apply(record(state), record(less), record({**results, "outcomes": outcomes[1:]}))
    after = ENGINE.apply(record(state), record(plan), record(results))
    with pytest.raises(UserError, match="the next round is 2, not 1"):
        ENGINE.apply(record(after), record(plan), record(results))


def test_a_worker_that_fails_twice_is_not_asked_again_and_the_limit_ends_the_rounds() -> None:
    votes: Votes = {
        (0, "b"): ("timeout", False),
        (0, "c"): ("agree", True),
        (0, "d"): ("agree", True),
    }
    final = ENGINE.finish(record(decide(groups(["a"]), votes)))
    (row,) = final["findings"]
    assert (final["rounds"], row["class"], row["confidence"], row["marks"]) == (
        2,
        "consensus",
        "medium",
        ["missing-vote"],
    )
    assert row["withoutVote"] == [{"workerId": "b", "status": "timeout"}]
    assert ENGINE.finish(record(decide(groups(["a"], roundLimit=1), votes)))["rounds"] == 1


def test_agreement_inside_one_family_is_capped_and_marked() -> None:
    start = groups(["a"])
    start["roster"] = [{"workerId": who, "provider": "local"} for who in "abc"]
    votes: Votes = {(0, "b"): ("agree", True), (0, "c"): ("agree", True)}
    (row,) = ENGINE.finish(record(decide(start, votes)))["findings"]
    assert (row["class"], row["confidence"], row["marks"]) == (
        "consensus",
        "medium",
        ["one-family"],
    )


def test_nobody_able_to_vote_leaves_a_claim_unverified_without_a_round() -> None:
    start = groups(["a"])
    start["roster"] = start["roster"][:1]
    state = ENGINE.start(record(start))
    assert ENGINE.plan(record(state)) is None
    assert classes(state) == {"F-000": "unverified"}


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        ({"schemaVersion": "1.2"}, "reads '1.3', found '1.2'"),
        ({"roundLimit": 0}, "not from 1 to 10: 0"),
        ({"roster": [{"workerId": "a", "provider": "x"}] * 2}, "a second time: 'a'"),
        ({"groups": [{"findingId": "../x", "claim": "c", "raisedBy": ["a"]}]}, "not the id"),
        ({"groups": [{"findingId": "F", "claim": " ", "raisedBy": ["a"]}]}, "claim: is empty"),
        ({"groups": [{"findingId": "F", "claim": "c", "raisedBy": []}]}, "raisedBy is empty"),
        (
            {"groups": [{"findingId": "F", "claim": "c", "raisedBy": ["x"]}]},
            "not in the roster: 'x'",
        ),
    ],
)
def test_groups_that_cannot_be_used_are_named(edit: Members, said: str) -> None:
    with pytest.raises(UserError, match=said):
        ENGINE.start(record({**groups(["a"]), **edit}))


@settings(max_examples=40)
@given(CASE, st.data())
def test_a_state_whose_class_was_changed_is_not_valid(case: dict[str, Any], data: Any) -> None:
    state = decide(groups(case["raisers"], case["adversarial"]), case["votes"])
    final = ENGINE.finish(record(state))
    place = data.draw(st.integers(0, len(final["findings"]) - 1))
    row = final["findings"][place]
    other = data.draw(st.sampled_from([one for one in reduction.CLASSES if one != row["class"]]))
    row["class"] = other
    with pytest.raises(UserError, match="its votes make"):
        ENGINE.check(record(final))
    state["findings"][place]["class"] = other
    with pytest.raises(UserError, match="not what its own rounds make"):
        ENGINE.check(record(state))
