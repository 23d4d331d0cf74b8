from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from okstra_ctl.cli import parse
from okstra_ctl.prepare.canonical_argv import canonical_argv
from okstra_ctl.prepare.inputs import OPTIONS, PrepareInputs, from_arguments
from okstra_ctl.prepare.launcher import HIDDEN_OPTIONS

ROOT = Path(__file__).parents[4]
COMMAND = (ROOT / "bin/okstra-render-bundle").read_text(encoding="utf-8")
USAGE = ast.literal_eval(re.findall(r'"""(?:.*?)"""', COMMAND, re.DOTALL)[0])

# What was one act of the user's, or is a front end's business (P-207, L-101).
NOT_REPEATED = {
    *("terminal_backend", "trust", "qa_waiver", "approve_plan_ack", "yes"),
    *("lead_runtime_request", "runtime_resolution_json"),
}
FLAGS = {"approve_plan_ack", "no_direction", "render_only", "trust", "yes"}
LISTS = {"role_counts", "role_models"}
TEXTS = sorted(set(OPTIONS.values()) - FLAGS - LISTS)

# An argument holds no NUL, and halves of surrogate pairs come from file names only.
WORDS = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), min_size=1)
SHARP = st.sampled_from(["--", "-x", "--yes", "=", "a=b", " ", "\n", 'it\'s "x" `y` $z', "결제 "])
VALUES = WORDS | SHARP


@st.composite
def fields(draw: st.DrawFn) -> dict[str, Any]:
    found: dict[str, Any] = draw(st.dictionaries(st.sampled_from(TEXTS), VALUES))
    found.update(draw(st.dictionaries(st.sampled_from(sorted(FLAGS)), st.just(True))))
    for name in sorted(LISTS):
        if values := draw(st.lists(VALUES, max_size=3)):
            found[name] = tuple(values)
    if draw(st.booleans()):
        found["plan_verification_enabled"] = False
    return found


def inputs(given: dict[str, Any]) -> PrepareInputs:
    ids = {"project_id": "shop", "task_group": "g", "task_id": "t", "task_type": "error-analysis"}
    return PrepareInputs("/assets", "/프로젝트 x", "/cwd", **{**ids, **given})


@given(fields())
def test_render_bundle_reads_back_what_was_recorded(given: dict[str, Any]) -> None:
    """P-201, P-202, L-099: the same inputs, but for what was one act of the user's."""
    made = inputs(given)
    argv = canonical_argv(made, [], current_session=False)
    assert argv[-1] == "--yes"
    read = parse(USAGE + HIDDEN_OPTIONS, "render-bundle", argv)
    again = inputs(from_arguments(read))
    kept = {name: value for name, value in given.items() if name not in NOT_REPEATED}
    assert again == inputs({**kept, "yes": True})
    assert read["--project-root"] == "/프로젝트 x"


@pytest.mark.parametrize(
    ("given", "current", "words"),
    [
        ({}, False, ["--workers=claude,codex"]),
        ({"workers_override": "codex,claude"}, False, ["--workers=codex,claude"]),
        ({"role_counts": ("analyser=3",)}, False, ["--role-count=analyser=3"]),
        ({"role_models": ("critic=codex",)}, False, ["--role-model=critic=codex"]),
        ({"lead_model": "opus", "claude_model": "opus", "critic": "off"}, True, ["--critic=off"]),
    ],
)
def test_workers_and_models(given: dict[str, Any], current: bool, words: list[str]) -> None:
    """P-203, P-205, P-206, L-100."""
    argv = canonical_argv(inputs(given), ["claude", "codex"], current_session=current)
    assert argv == [
        "--project-root=/프로젝트 x",
        "--project-id=shop",
        "--task-group=g",
        "--task-id=t",
        "--task-type=error-analysis",
        *words,
        "--yes",
    ]
