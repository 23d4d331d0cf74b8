from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from okstra_ctl.prepare.missing_inputs import REQUIRED, autofill, missing, refuse, with_key
from okstra_kernel import UserError
from okstra_project.task_key import TaskKey

FIELDS = st.dictionaries(st.sampled_from(sorted(REQUIRED)), st.sampled_from(["", "a", "b"]))
VALUES = st.one_of(st.none(), st.booleans(), st.integers(), st.text(), st.lists(st.text()))
MANIFESTS = st.dictionaries(
    st.sampled_from(["taskType", "taskBriefPath", "workCategory", "projectId", "x"]), VALUES
)


@given(FIELDS, st.sampled_from(["required", "carried", "none", ""]))
def test_missing_names_the_blank_ones_in_the_order_of_asking(
    fields: dict[str, str], brief: str
) -> None:
    """L-018: the brief only for task types that want one."""
    blank = [name for name in REQUIRED if not fields.get(name)]
    if brief != "required":
        blank = [name for name in blank if name != "brief_path"]
    assert missing(fields, brief) == blank


@given(FIELDS.map(lambda f: {k: v for k, v in f.items() if v}), MANIFESTS)
def test_autofill_fills_blanks_with_texts_and_replaces_nothing(
    fields: dict[str, Any], manifest: dict[str, Any]
) -> None:
    """L-023, XI-11."""
    filled = autofill(fields, manifest)
    assert {**filled, **fields} == filled
    added = {name: value for name, value in filled.items() if name not in fields}
    assert all(isinstance(value, str) and value for value in added.values())
    assert set(added) <= {"task_type", "brief_path", "work_category"}


def test_autofill() -> None:
    manifest = {"taskType": "error-analysis", "taskBriefPath": "b.md", "workCategory": "ops"}
    assert autofill({"task_id": "t"}, manifest) == {
        "task_id": "t",
        "task_type": "error-analysis",
        "brief_path": "b.md",
        "work_category": "ops",
    }
    assert autofill({"task_type": "requirements-discovery", "brief_path": "c.md"}, manifest) == {
        "task_type": "requirements-discovery",
        "brief_path": "c.md",
    }


def test_a_task_key_is_its_three_parts() -> None:
    """L-021."""
    key = TaskKey("shop", "a b", "DEV-1")
    parts = {"project_id": "shop", "task_group": "a b", "task_id": "DEV-1"}
    assert with_key({"task_id": "DEV-1", "x": 1}, key) == {"x": 1, **parts}
    with pytest.raises(UserError) as caught:
        with_key({"task_id": "other"}, key)
    assert str(caught.value) == "--task-key=shop:a b:DEV-1 and --task-id=other do not go together"


def test_nobody_to_ask_names_every_option() -> None:
    """L-019, U-15."""
    assert str(refuse(["task_id", "brief_path"])) == (
        "missing, and there is no terminal to ask on: --task-id=…, --task-brief=…"
    )
