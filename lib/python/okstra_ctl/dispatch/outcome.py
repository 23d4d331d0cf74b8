"""How a dispatch ended, and why: one of a closed list of reasons (D-076, Z-014, Z-093). Pure.

Exit 0 is not success: what counts is the result in the outbox, and the CLI's own final event
agreeing with it. A used-up quota, a limited rate and a missing login are told from what the CLI
said before its result is looked at.
"""

from __future__ import annotations

from typing import NamedTuple

from okstra_ctl.dispatch.wrapper_status import FAILED, RUNNING, TIMEOUT, WrapperStatus
from okstra_ctl.providers.turn import QUOTA, Turn

LAUNCH_FAILED = "launch-failed"
PERMISSION_BLOCKED = "permission-blocked"
IDLE_TIMEOUT, DEADLINE = "idle-timeout", "deadline"
INCOMPLETE, INVALID, MISSING = "incomplete-result", "invalid-result", "missing-result"
TOUCHED, CRASHED, CANCELLED = "touched-checkout", "crashed", "cancelled"
KILLED = 137  # exit status: 128 + SIGKILL
NOT_STARTED = (126, 127)  # a shell's exit status for a program that it could not start
REASONS = (
    *(LAUNCH_FAILED, "auth-required", QUOTA, "rate-limited", PERMISSION_BLOCKED, IDLE_TIMEOUT),
    *(DEADLINE, INCOMPLETE, INVALID, MISSING, TOUCHED, CRASHED, CANCELLED),
)


class Outcome(NamedTuple):
    """`status` is that of a dispatch record: in-progress, held, or one of the terminal ones."""

    status: str
    reason: str = ""
    reset_at: int = 0  # seconds since 1970; 0: not known
    detail: str = ""  # for people


IN_PROGRESS = Outcome("in-progress")


class Product(NamedTuple):
    """What lies in the outbox: `fault` is empty for a sound result, else one of the reasons."""

    fault: str
    detail: str = ""


def of_silence(age: float, *, grace: float) -> Outcome:
    """Judge a dispatch whose wrapper has left no sign. `age` is in seconds since its start."""
    if age <= grace:
        return IN_PROGRESS
    return Outcome("error", LAUNCH_FAILED, detail="the wrapper left neither transcript nor status")


def of_life(status: WrapperStatus, *, alive: bool, quiet: float, patience: float) -> Outcome:
    """Judge a dispatch that has not ended. `quiet` is in seconds since the last heartbeat.

    A wrapper that is gone left a status that nobody will finish; its watcher would have by now.
    """
    if status.state != RUNNING:
        raise ValueError(status.state)
    if alive or quiet <= patience:
        return IN_PROGRESS
    return Outcome("error", CRASHED, detail="its wrapper is gone")


def abandoned(status: WrapperStatus) -> WrapperStatus:
    """Return the status that a wrapper which is gone should have left."""
    return status._replace(state=FAILED, exit_code=KILLED, reason=CRASHED)


def of_end(status: WrapperStatus, turn: Turn, product: Product, *, touched: str) -> Outcome:
    """Judge a dispatch whose wrapper has ended.

    `touched`: what of the user's checkout a turn changed that must change nothing; else empty.
    A CLI that somebody killed did not say by it how its turn went: its result and its own last
    event do, so that a complete turn is not paid for again (XF-04).
    """
    if status.state == TIMEOUT:
        return Outcome("timeout", status.reason or DEADLINE)
    if status.reason == CANCELLED:
        return Outcome("error", CANCELLED)
    if turn.failure and not _went_well(status, turn, product):
        state = "held" if turn.failure == QUOTA and turn.reset_at else "error"
        return Outcome(state, turn.failure, turn.reset_at, turn.message)
    if touched:
        return Outcome("error", TOUCHED, detail=touched)
    blocked = turn.denied or (turn.refused if turn.ok else ())
    if product.fault == MISSING and blocked:
        return Outcome("error", PERMISSION_BLOCKED, detail=f"denied: {', '.join(blocked)}")
    if status.exit_code in NOT_STARTED and turn.finished is not True and product.fault == MISSING:
        return Outcome("error", LAUNCH_FAILED, detail=_crash(status, turn))
    badly = turn.finished is False or (turn.finished and not turn.ok)
    if badly or (status.exit_code != 0 and (product.fault or not _was_killed(status))):
        return Outcome("error", CRASHED, detail=_crash(status, turn))
    if turn.denied:
        return Outcome("error", PERMISSION_BLOCKED, detail=f"denied: {', '.join(turn.denied)}")
    if product.fault:
        return Outcome("error", product.fault, detail=product.detail)
    return Outcome("completed")


def _went_well(status: WrapperStatus, turn: Turn, product: Product) -> bool:
    """Tell whether words of a quota or a login are a sound answer's own: its subject."""
    own = status.exit_code == 0 or _was_killed(status)
    return own and not product.fault and (turn.ok or turn.finished is None)


def _was_killed(status: WrapperStatus) -> bool:
    """Tell whether the exit status is somebody else's word: KILL, or a wrapper that was killed."""
    return status.exit_code == KILLED or status.reason == CRASHED


def _crash(status: WrapperStatus, turn: Turn) -> str:
    if status.exit_code != 0:
        return f"exit status {status.exit_code}{f': {turn.message}' if turn.message else ''}"
    return turn.message or "its final event is missing, or says that the turn failed"
