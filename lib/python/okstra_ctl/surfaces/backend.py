"""On which terminal backend a run's workers are shown: decided once, in prepare (L-166 to L-178).

Pure. A value that is given is taken as it is. Otherwise cmux wins where it is usable. A task that
had cmux panes is never moved off them in silence: background workers show nothing, and a lead
believes its manifest (L-173).
"""

from __future__ import annotations

from typing import Callable, NamedTuple

from okstra_ctl.leads.runtimes import EXTERNAL
from okstra_ctl.roster.runners import BACKENDS, CLI_WRAPPER, CMUX_PANE, TMUX_PANE
from okstra_kernel import Refusal, UserError

OK, DENIED, MISSING, UNREACHABLE = "ok", "denied", "missing", "unreachable"  # of a socket (L-177)
ENVIRONMENT, GONE = "environment", "gone"  # with `denied`: why cmux is out of reach (L-176)


class Observation(NamedTuple):
    """What was seen of the terminal around this process."""

    cmux_variables: bool  # the environment names a cmux workspace
    socket: str = MISSING  # verdict of the socket probe
    workspace: bool = False  # the lead's workspace can be asked for: the cmux CLI was found
    tmux_pane: bool = False  # the caller sits in a tmux that answers


class Cause(NamedTuple):
    observation: str
    remedy: str  # may be empty


_UNSANDBOX = "start the lead outside its sandbox (codex: -s danger-full-access)"
_CAUSES = {
    ENVIRONMENT: Cause(
        "this process has no cmux variables: a sandbox removed them, or this terminal is not"
        " inside cmux",
        _UNSANDBOX,
    ),
    DENIED: Cause("cmux is running, but this process may not connect to it", _UNSANDBOX),
    GONE: Cause("cmux does not answer, or its workspace is gone", "start cmux again"),
}


def parse_requested(text: str) -> str:
    """Return the value of --terminal-backend, "" if none is given. Raises UserError (L-169)."""
    value = text.strip()
    if value and value not in BACKENDS:
        allowed = ", ".join(BACKENDS)
        raise UserError(f"not a terminal backend: --terminal-backend={value}; allowed: {allowed}")
    return value


def resolve_backend(
    requested: str,
    runtime: str,
    task_type: str,
    observe: Callable[[], Observation],
    previous: Callable[[], str],
) -> str:
    """Return the run's terminal backend (D-016, P-128).

    `observe` and `previous`, the backend of the last run of this task and type, are called only
    when they are needed. Raises UserError for a bad value, Refusal for a silent step down (L-172).
    """
    given = parse_requested(requested)
    if given:
        return given
    seen = observe()
    detected = detect(runtime, seen)
    if detected != CMUX_PANE and previous() == CMUX_PANE:
        raise _step_down(task_type, cmux_loss(seen))
    return detected


def detect(runtime: str, seen: Observation) -> str:
    """Return what the surroundings offer (L-168, D-014)."""
    if not cmux_loss(seen):
        return CMUX_PANE
    return TMUX_PANE if runtime == EXTERNAL and seen.tmux_pane else CLI_WRAPPER


def cmux_loss(seen: Observation) -> str:
    """Return why cmux is out of reach: `environment`, `denied`, `gone`, or "" if it is not."""
    if not seen.cmux_variables:
        return ENVIRONMENT
    if seen.socket == DENIED:
        return DENIED
    return "" if seen.socket == OK and seen.workspace else GONE


def cause(reason: str) -> Cause:
    """Return what is observed for a reason of `cmux_loss`, and what helps (L-178)."""
    return _CAUSES[reason]


def _step_down(task_type: str, reason: str) -> Refusal:
    why = cause(reason)
    remedy = f" To keep the panes: {why.remedy}." if why.remedy else ""
    return Refusal(
        f"the last {task_type} run of this task had its workers on cmux panes; now"
        f" {why.observation}. Going on would move the workers to background processes with nothing"
        f" to watch.{remedy} To do so on purpose: --terminal-backend {CLI_WRAPPER}"
    )
