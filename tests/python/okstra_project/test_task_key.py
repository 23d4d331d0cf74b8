"""A task's three ids (L-001, P-001, XI-01)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from okstra_kernel import UserError
from okstra_project import task_key


def test_a_key_is_its_three_ids() -> None:
    key = task_key.parse("shop-api:checkout:DEV-9436")
    assert key == ("shop-api", "checkout", "DEV-9436")
    assert key.text == "shop-api:checkout:DEV-9436"
    assert task_key.parse(" a : b : c ").text == "a:b:c"


@pytest.mark.parametrize("text", ["", "a", "a:b", "a:b:c:d", "a::c", "a:b: ", ":::"])
def test_a_text_that_is_no_key(text: str) -> None:
    with pytest.raises(UserError, match="not a task key like project:group:id") as caught:
        task_key.parse(text)
    assert caught.value.next_step == "okstra task-list"


@pytest.mark.parametrize(
    ("ids", "message"),
    [
        (("", "g", "i"), "not a project id: an id cannot be empty"),
        (("p", "../g", "i"), "not a task group: an id cannot be a path out"),
        (("p", "g", "a\nb"), "not a task id: an id cannot hold control"),
        (("p", "g", "a:b"), "a task id cannot hold a colon: 'a:b'"),
    ],
)
def test_the_id_at_fault_is_named(ids: tuple[str, str, str], message: str) -> None:
    with pytest.raises(UserError) as caught:
        task_key.task_key(*ids)
    assert str(caught.value).startswith(message)


@given(st.text(), st.text(), st.text())
def test_the_text_of_a_key_is_read_again(project: str, group: str, id: str) -> None:
    try:
        key = task_key.task_key(project, group, id)
    except UserError:
        return
    assert task_key.parse(key.text) == key
