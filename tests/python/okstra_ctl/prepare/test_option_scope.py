from __future__ import annotations

import itertools
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from okstra_ctl.prepare.inputs import OPTIONS, PrepareInputs
from okstra_ctl.prepare.option_scope import SCOPES, check
from okstra_ctl.roster import profiles_files
from okstra_kernel import UserError

TYPES = profiles_files.task_types()
FLAGS = ("--approve", "--no-direction")


def inputs(task_type: str, **fields: Any) -> PrepareInputs:
    return PrepareInputs("/a", "/p", "/p", "shop", "g", "t", task_type, **fields)


def test_every_pair_of_option_and_task_type() -> None:
    """L-079, 20 §32 rows 13, 14, 30: an option that nothing acts on is a mistake of the caller."""
    for option, task_type in itertools.product(SCOPES, TYPES):
        value = True if option in FLAGS else "auto"
        given = inputs(task_type, **{OPTIONS[option]: value})
        if task_type in SCOPES[option]:
            check(given)
            continue
        with pytest.raises(UserError) as caught:
            check(given)
        shown = option if option in FLAGS else f"{option}=auto"
        wanted = " or ".join(SCOPES[option])
        assert str(caught.value) == f"{shown} goes with {wanted}, not with {task_type}"


@given(st.sampled_from(sorted(set(SCOPES) - set(FLAGS))), st.sampled_from(TYPES), st.text(" \t\n"))
def test_blanks_are_not_given(option: str, task_type: str, blanks: str) -> None:
    """L-084, 20 §32 rows 17 and 29."""
    check(inputs(task_type, **{OPTIONS[option]: blanks}))


def test_plan_verification_can_be_left_out_of_planning_alone() -> None:
    check(inputs("implementation-planning", plan_verification_enabled=False))
    with pytest.raises(UserError, match=r"^--no-plan-verification goes with implementation-plann"):
        check(inputs("error-analysis", plan_verification_enabled=False))
