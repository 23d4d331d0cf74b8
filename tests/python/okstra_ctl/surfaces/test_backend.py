from __future__ import annotations

from typing import NoReturn

import pytest

from okstra_ctl.surfaces import backend
from okstra_ctl.surfaces.backend import Observation, resolve_backend
from okstra_kernel import Refusal, UserError

PLAIN = Observation(cmux_variables=False)
TMUX = PLAIN._replace(tmux_pane=True)
CMUX = Observation(True, socket="ok", workspace=True, tmux_pane=True)
DENIED, MISSING = CMUX._replace(socket="denied"), CMUX._replace(socket="missing")
UNREACHABLE, LOST = CMUX._replace(socket="unreachable"), CMUX._replace(workspace=False)


def unasked() -> NoReturn:
    raise AssertionError("asked for nothing")


@pytest.mark.parametrize(
    ("seen", "reason"),
    [
        (CMUX, ""),
        (PLAIN, "environment"),
        (CMUX._replace(cmux_variables=False), "environment"),
        (DENIED, "denied"),
        (MISSING, "gone"),
        (UNREACHABLE, "gone"),
        (LOST, "gone"),
        (LOST._replace(socket="denied"), "denied"),
    ],
)
def test_why_cmux_is_out_of_reach(seen: Observation, reason: str) -> None:
    """L-176."""
    assert backend.cmux_loss(seen) == reason


@pytest.mark.parametrize(
    ("runtime", "seen", "previous", "found"),
    [
        ("claude-code", PLAIN, "", "cli-wrapper"),
        ("claude-code", TMUX, "", "cli-wrapper"),
        ("external", TMUX, "", "tmux-pane"),
        ("external", PLAIN, "", "cli-wrapper"),
        ("codex", PLAIN, "tmux-pane", "cli-wrapper"),  # L-175: not taken over
        ("external", DENIED, "cli-wrapper", "tmux-pane"),
    ],
)
def test_what_is_detected(runtime: str, seen: Observation, previous: str, found: str) -> None:
    """L-168, D-014."""
    assert resolve_backend("", runtime, "t", lambda: seen, lambda: previous) == found


@pytest.mark.parametrize("runtime", ["claude-code", "codex", "external"])
def test_cmux_wins_wherever_it_is_usable(runtime: str) -> None:
    """D-012, L-174: a step up is never refused, so the last run is not even looked for."""
    assert resolve_backend("  ", runtime, "t", lambda: CMUX, unasked) == "cmux-pane"


@pytest.mark.parametrize("value", ["cli-wrapper", " tmux-pane ", "cmux-pane"])
def test_a_given_value_is_taken_without_looking(value: str) -> None:
    """L-169."""
    assert resolve_backend(value, "codex", "t", unasked, unasked) == value.strip()


@pytest.mark.parametrize("value", ["mixed", "cmux", "CLI-WRAPPER", "auto"])
def test_another_value_is_refused(value: str) -> None:
    with pytest.raises(UserError) as caught:
        resolve_backend(value, "codex", "t", unasked, unasked)
    allowed = "cli-wrapper, tmux-pane, cmux-pane"
    expected = f"not a terminal backend: --terminal-backend={value}; allowed: {allowed}"
    assert (str(caught.value), caught.value.status) == (expected, 2)


@pytest.mark.parametrize(
    ("seen", "observation", "remedy"),
    [
        (PLAIN, "no cmux variables", "outside its sandbox (codex: -s danger-full-access)"),
        (DENIED, "may not connect to it", "outside its sandbox (codex: -s danger-full-access)"),
        (MISSING, "does not answer", "start cmux again"),
        (LOST, "does not answer", "start cmux again"),
    ],
)
@pytest.mark.parametrize("runtime", ["codex", "external"])
def test_a_silent_step_down_is_refused(
    runtime: str, seen: Observation, observation: str, remedy: str
) -> None:
    """L-172, P-130."""
    with pytest.raises(Refusal) as caught:
        resolve_backend("", runtime, "error-analysis", lambda: seen, lambda: "cmux-pane")
    text = str(caught.value)
    assert text.startswith("the last error-analysis run of this task had its workers on cmux panes")
    parts = (observation, "background processes", remedy, "--terminal-backend cli-wrapper")
    assert [part for part in parts if part not in text] == []
    assert len(text) <= 500  # cli.printable cuts there
