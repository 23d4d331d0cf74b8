from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from okstra_ctl.runs.run_numbers import following, show, used

TYPE = "error-analysis"


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("final-report-error-analysis-004.md", 4),
        ("final-report-error-analysis-004.data.json", 4),  # P-178
        ("claude-analyser-error-analysis-012.status.json", 12),
        ("duty-contracts-error-analysis-007", 7),
        ("error-analysis-1000.json", 1000),
        ("004", 4),  # instruction-set/004
        ("run-009", 9),  # archive/run-009
        ("final-report-error-analysis-0005.md", 5),
        ("결제\n-error-analysis-003.md", 3),
        ("final-report-error-analysis-04.md", None),
        ("final-report-error-analysis-004", 4),
        ("final-report-error-analysis-004x.md", None),
        ("final-report-requirements-discovery-004.md", None),
        ("final-report-errorXanalysis-004.md", None),
        (".final-report-error-analysis-004.md.1a.tmp", None),
        (".agent-invocations", None),
        ("final-report-error-analysis-٠٠٤.md", None),
        ("my-004.md", None),
        ("", None),
    ],
)
def test_used(name: str, number: int | None) -> None:
    """P-177, Z-075."""
    assert used([name], TYPE) == ([] if number is None else [number])


@given(st.lists(st.integers(1, 10**6)), st.sampled_from(["", ".md", ".data.json", ".status.json"]))
def test_the_next_number_is_above_all_that_were_used(numbers: list[int], ending: str) -> None:
    """P-176, P-179: gaps stay, and the next run finds what this one wrote."""
    names = [f"final-report-{TYPE}-{show(number)}{ending}" for number in numbers]
    assert used(names, TYPE) == numbers
    assert int(following(used(names, TYPE))) == max(numbers, default=0) + 1


@given(st.lists(st.text(max_size=40)))
def test_no_name_is_a_fault(names: list[str]) -> None:
    assert all(number >= 0 for number in used(names, TYPE))


def test_a_number_has_three_digits_or_more() -> None:
    assert [following(x) for x in ([], [1], [7, 3], [999])] == ["001", "002", "008", "1000"]
