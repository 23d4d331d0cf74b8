from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from okstra_ctl.prepare import task_record
from okstra_kernel import Refusal

KEY = ("shop", "g", "t")
IDS = {"projectId": "shop", "taskGroup": "g", "taskId": "t"}


@pytest.mark.parametrize("before", [{}, IDS, {**IDS, "taskId": "t", "x": 1}])
def test_same_task(before: dict[str, Any]) -> None:
    task_record.same_task(before, KEY)


@pytest.mark.parametrize(
    ("before", "named"),
    [
        ({**IDS, "taskId": "T"}, "shop:g:T"),
        ({**IDS, "projectId": "other"}, "other:g:t"),
        ({"taskId": "t"}, "::t"),
    ],
)
def test_two_tasks_do_not_share_a_folder(before: dict[str, Any], named: str) -> None:
    """P-006, 20 §32 row 72."""
    with pytest.raises(Refusal) as caught:
        task_record.same_task(before, KEY)
    assert str(caught.value) == (
        f"two tasks would share one folder: {named} has it, shop:g:t asks for it"
    )


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(max_size=5), inner),
)


@given(VALUES, VALUES, VALUES)
def test_ids_of_any_type_are_another_tasks(a: object, b: object, c: object) -> None:
    """XI-11."""
    before = {"projectId": a, "taskGroup": b, "taskId": c}
    if any((a, b, c)):
        with pytest.raises(Refusal):
            task_record.same_task(before, KEY)
    else:
        task_record.same_task(before, KEY)
