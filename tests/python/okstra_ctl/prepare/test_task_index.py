from __future__ import annotations

import pytest

from okstra_ctl.prepare import task_index
from okstra_kernel import UserError, assets

TASK = {"taskKey": "shop:a|b:T-1", "projectId": "shop", "taskGroup": "a|b", "taskId": "T-1"}
TASK |= {"workCategory": "bugfix", "workStatus": "", "taskBriefPath": "brief <1>\n.md"}
RUN = {"taskType": "error-analysis", "seq": "001", "status": "prepared", "reportPath": None}
RUN |= {"startedAt": "2026-01-02T03:04:05Z", "manifestPath": "runs/m.json"}
NOW = "2026-01-02T03:04:06Z"
NONE = "\N{EN DASH}"


def test_the_index_shows_the_task_and_its_runs_and_lets_no_value_break_a_table() -> None:
    text = assets.text(*task_index.TEMPLATE)
    second = {**RUN, "seq": "002", "reportPath": "{{TASK_KEY}}"}
    assert task_index.task_index(text, TASK, [RUN, second], NOW).splitlines() == [
        "# shop:a\\|b:T-1",
        "",
        "Made by okstra at 2026-01-02T03:04:06Z; changes made here are lost with the next run.",
        "",
        "| | |",
        "|---|---|",
        "| Project | shop |",
        "| Group | a\\|b |",
        "| Task | T-1 |",
        "| Category | bugfix |",
        f"| Work status | {NONE} |",
        "| Brief | brief &lt;1> .md |",
        "",
        "## Runs",
        "",
        "| Task type | Run | Status | Started | Manifest | Report |",
        "|---|---|---|---|---|---|",
        f"| error-analysis | 001 | prepared | 2026-01-02T03:04:05Z | runs/m.json | {NONE} |",
        "| error-analysis | 002 | prepared | 2026-01-02T03:04:05Z | runs/m.json | {{TASK_KEY}} |",
    ]


def test_a_token_that_nothing_fills_is_named() -> None:
    with pytest.raises(UserError, match=r"^task-index\.template\.md: no value for OTHER"):
        task_index.task_index("{{TASK_ID}} {{OTHER}}", TASK, [RUN], NOW)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (None, NONE),
        ("", NONE),
        (7, "7"),
        ("a|b", "a\\|b"),
        ("a\\|b", "a\\\\\\|b"),
        ("<b>&amp;", "&lt;b>&amp;amp;"),
        ("one\r\ntwo", "one  two"),
    ],
)
def test_a_cell_stays_one_cell(value: object, shown: str) -> None:
    assert task_index.cell(value) == shown
