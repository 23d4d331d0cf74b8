from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from okstra_ctl.providers import registry
from okstra_ctl.roster import roles, worker_ids
from okstra_kernel import UserError

rows = st.lists(
    st.tuples(st.sampled_from(registry.provider_ids()), st.sampled_from(roles.PLAN_ROLES)),
    unique_by=lambda row: row if row[1] == roles.REPORT_WRITER else object(),
).filter(lambda found: sum(role == roles.REPORT_WRITER for _, role in found) <= 1)


def ordered(found: list[tuple[str, str]]) -> list[tuple[str, str]]:
    return worker_ids.roster_order(found, lambda row: row[1])


def test_the_example_of_the_contract() -> None:
    """L-137."""
    found = ordered(
        [
            ("claude", "leader"),
            ("claude", "report-writer"),
            ("claude", "verifier"),
            ("codex", "verifier"),
            ("grok", "critic"),
            ("codex", "verifier"),
            ("claude", "implementer"),
        ]
    )
    assert worker_ids.worker_ids(found) == [
        *("claude-implementer", "claude-verifier", "codex-verifier", "codex-verifier-2"),
        "report-writer",
    ]


@given(rows)
def test_ids_are_unique_and_name_their_provider(found: list[tuple[str, str]]) -> None:
    listed = ordered(found)
    ids = worker_ids.worker_ids(listed)
    assert len(set(ids)) == len(ids) == len(listed)
    assigned = {one: provider for one, (provider, _) in zip(ids, listed, strict=True)}
    for one, (provider, role) in zip(ids, listed, strict=True):
        known = assigned if role == roles.REPORT_WRITER else {}
        assert worker_ids.provider_of(one, known) == provider


@given(rows, st.sampled_from(registry.provider_ids()))
def test_another_row_at_the_end_changes_no_id(found: list[tuple[str, str]], other: str) -> None:
    """L-135: an id does not depend on who else works."""
    before = worker_ids.worker_ids(found)
    after = worker_ids.worker_ids([*found, (other, "verifier")])
    assert after[:-1] == before


@pytest.mark.parametrize(
    ("ids", "providers"),
    [
        (["codex-verifier", "claude-verifier", "codex-verifier-2"], ["codex", "claude"]),
        (["", " grok-analyser ", "report-writer"], ["grok"]),
        ([], []),
    ],
)
def test_a_roster_turned_back_into_providers(ids: list[str], providers: list[str]) -> None:
    """L-142."""
    assert worker_ids.providers_of(ids) == providers


@pytest.mark.parametrize("word", ["codex", "gemini-verifier", "", "-verifier"])
def test_no_worker_id(word: str) -> None:
    with pytest.raises(UserError, match="not a worker id: "):
        worker_ids.provider_of(word, {})


def test_a_pane_has_its_workers_name() -> None:
    assert worker_ids.pane_title("codex-verifier") == "codex-verifier-worker"


@pytest.mark.parametrize(
    ("word", "plan", "registry_word"),
    [
        ("lead", "leader", "lead"),
        (" Leader", "leader", "lead"),
        ("executor", "implementer", "executor"),
        ("implementer", "implementer", "executor"),
        ("critic", "critic", "critic"),
    ],
)
def test_either_word_names_a_role(word: str, plan: str, registry_word: str) -> None:
    assert roles.role(word)[:2] == (plan, registry_word)


def test_an_unknown_role_is_named_with_those_there_are() -> None:
    with pytest.raises(UserError, match="unknown role: 'boss'; known: leader, implementer, "):
        roles.role("boss")
