from __future__ import annotations

from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from okstra_ctl.roster import profiles, profiles_files
from okstra_ctl.roster.profiles import Count, Profile, RoleProfileError
from okstra_kernel import UserError

ALL = ("claude", "codex", "antigravity", "grok", "local")
MANY, VERIFIERS = Count(2, 4, 2), Count(2, 4, 2)
ONE, MAYBE = Count(1, 1, 1), Count(0, 1, 0)
ANALYSIS = {"analyser": MANY, "critic": MAYBE, "report-writer": ONE}

# Z-110: providers, roles, adversarial, minutes, brief, analysis, executor, stage.
TABLE = {
    "requirements-discovery": (ALL, ANALYSIS, True, 10, "required", True, False, ("none",)),
    "error-analysis": (ALL, ANALYSIS, True, 15, "required", True, False, ("none",)),
    "improvement-discovery": (ALL, ANALYSIS, False, 10, "required", True, False, ("none",)),
    "implementation-option-selection": (
        *(ALL[:4], ANALYSIS, True, 15, "carried", False, False, ("none",)),
    ),
    "implementation-planning": (
        *(ALL[:4], ANALYSIS, True, 20, "carried", False, False, ("none",)),
    ),
    "implementation": (
        ALL[:4],
        {"implementer": ONE, "verifier": Count(1, 3, 2), "report-writer": ONE},
        *(False, 20, "carried", False, True, ("one",)),
    ),
    "final-verification": (
        ALL,
        {"verifier": VERIFIERS, "critic": MAYBE, "report-writer": ONE},
        *(True, 10, "carried", False, False, ("none", "one")),
    ),
    "release-handoff": (
        *(("claude", "codex"), {"report-writer": Count(0, 1, 1)}, False, 10, "none"),
        *(False, False, ("many",)),
    ),
}

GOOD: dict[str, Any] = {
    "providers": ["claude", "codex"],
    "roles": {"analyser": {"min": 2, "max": 4, "default": 2}},
    "adversarial": True,
    "expectedMinutes": 15,
    "brief": "required",
    "analysis": True,
    "executor": False,
    "stage": ["none"],
    "reads": ["_a.md"],
}


def written(fields: object, body: str = "\nText.\n") -> str:
    return f"---\n{yaml.safe_dump(fields)}---\n{body}"


def test_the_task_types_are_the_profiles_in_the_order_of_a_tasks_life() -> None:
    assert profiles_files.task_types() == profiles.LIFECYCLE == tuple(TABLE)


@pytest.mark.parametrize("task_type", TABLE)
def test_a_profile_holds_the_facts_of_the_contract(task_type: str) -> None:
    profile = profiles_files.load_role_profile(task_type)
    assert profile[1:9] == TABLE[task_type]
    assert profile.deadline_minutes == 2 * profile.expected_minutes
    assert profile.text.startswith("# ")


@pytest.mark.parametrize("task_type", TABLE)
def test_every_include_of_a_profile_is_there(task_type: str) -> None:
    profile = profiles_files.load_role_profile(task_type)
    assert "{{" not in profiles_files.profile_text(profile)


@pytest.mark.parametrize("task_type", ["requirements-discovery", "error-analysis"])
def test_the_analyses_carry_the_coverage_critic(task_type: str) -> None:
    """C-066."""
    text = profiles_files.profile_text(profiles_files.load_role_profile(task_type))
    assert "## Coverage critic" in text


@pytest.mark.parametrize(
    ("word", "hint"),
    [
        ("error-analysys", "; did you mean error-analysis?; known: requirements-discovery, "),
        ("xyz", "; known: requirements-discovery, error-analysis, "),
        ("_coverage-critic", "; known: "),
        ("../models", "; known: "),
        ("", "; known: "),
    ],
)
def test_an_unknown_task_type_is_refused_with_the_nearest(word: str, hint: str) -> None:
    with pytest.raises(UserError) as caught:
        profiles_files.load_role_profile(word)
    assert str(caught.value).startswith(f"unknown task type: {word!r}{hint}")
    assert caught.value.status == 2


def test_a_front_matter_is_read_whole() -> None:
    assert profiles.parse(written(GOOD), "t", "f") == Profile(
        *("t", ("claude", "codex"), {"analyser": Count(2, 4, 2)}, True, 15, "required"),
        *(True, False, ("none",), ("_a.md",), "Text.\n"),
    )


COUNT = {"min": 0, "max": 1, "default": 0}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"extra": 1}, "f: unknown: extra"),
        ({"brief": "maybe"}, "f: brief: expected one of required, carried, none, found 'maybe'"),
        ({"adversarial": 1}, "f: adversarial: expected one of true, false, found '1'"),
        ({"expectedMinutes": 1.5}, "f: expectedMinutes: expected a whole number, found '1.5'"),
        ({"expectedMinutes": 0}, "f: expectedMinutes: expected 1 or more, found '0'"),
        ({"providers": ["gemini"]}, "f: providers: expected a list of claude, "),
        ({"providers": []}, "f: providers and stage need at least one entry"),
        ({"stage": "none"}, "f: stage: expected a list of none, one, many, each once"),
        ({"stage": ["one", "one"]}, "f: stage: expected a list of none, one, many, each once"),
        ({"reads": {}}, "f: reads: expected a list of texts"),
        ({"roles": []}, "f: roles: expected a mapping"),
        ({"roles": {"boss": COUNT}}, "f: roles: unknown role: boss"),
        ({"roles": {"leader": COUNT}}, "f: roles: unknown role: leader"),
        ({"roles": {"critic": {"min": 1}}}, "f: roles: critic: missing: max"),
        ({"roles": {"critic": COUNT | {"x": 1}}}, "f: roles: critic: unknown: x"),
        ({"roles": {"critic": COUNT | {"min": -1}}}, "f: roles: critic: min: expected a whole"),
        (
            {"roles": {"critic": COUNT | {"min": 2}}},
            "f: roles: critic: min, default, max do not fit: [2, 1, 0]",
        ),
        ({"roles": {"critic": COUNT | {"max": 2}}}, "f: roles: critic: this role has one place"),
        ({"executor": True}, "f: executor: does not agree with roles"),
    ],
)
def test_a_front_matter_that_cannot_be_used_is_refused(
    change: dict[str, Any], message: str
) -> None:
    with pytest.raises(RoleProfileError) as caught:
        profiles.parse(written(GOOD | change), "t", "f")
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize("name", GOOD)
def test_a_missing_fact_is_named(name: str) -> None:
    fields = {key: value for key, value in GOOD.items() if key != name}
    with pytest.raises(RoleProfileError, match=f"f: missing: {name}"):
        profiles.parse(written(fields), "t", "f")


@given(
    st.text()
    | st.dictionaries(
        st.sampled_from([*GOOD, "x"]),
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.text(),
            lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
        ),
    ).map(lambda change: written(GOOD | change))
)
def test_any_text_ends_in_a_profile_or_a_profile_error(text: str) -> None:
    try:
        assert isinstance(profiles.parse(text, "t", "f"), Profile)
    except RoleProfileError as err:
        assert str(err).startswith("f")
