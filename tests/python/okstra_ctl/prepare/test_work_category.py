from __future__ import annotations

import pytest

from okstra_ctl.prepare.work_category import resolve_work_category
from okstra_kernel import UserError


@pytest.mark.parametrize(
    ("given", "recorded", "category"),
    [
        ("", "", "feature"),
        ("", "bugfix", "bugfix"),
        (" ops ", "bugfix", "ops"),
        ("", "unknown", "feature"),
        ("improvement", "", "improvement"),
    ],
)
def test_resolve_work_category(given: str, recorded: str, category: str) -> None:
    """L-082, P-235."""
    assert resolve_work_category(given, recorded) == category


@pytest.mark.parametrize("word", ["unknown", "Bugfix", "bug", "feature,ops"])
def test_another_word_is_refused_with_the_five(word: str) -> None:
    with pytest.raises(UserError) as caught:
        resolve_work_category(word, "bugfix")
    assert str(caught.value) == (
        f"unknown work category: --work-category={word}; "
        "known: bugfix, feature, refactor, ops, improvement"
    )
