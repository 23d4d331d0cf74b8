"""What every module stands on; it imports nothing of okstra."""

from __future__ import annotations

from typing import Sequence


class UserError(Exception):
    """What the user can put right: one line on stderr and an exit status, no traceback (Z-060).

    `next_step` is a command or an act that puts it right, shown on a line of its own (U-18);
    `details` are all the faults that were found, where there may be many, a line each.
    """

    status = 2  # wrong usage or unusable input; a subclass may have another of the table's

    def __init__(self, message: str, *, next_step: str = "", details: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.next_step = next_step
        self.details = tuple(details)


class Refusal(UserError):
    """What was given can be used, but the state of things forbids it, or the answer was no."""

    status = 1


class Busy(UserError):
    """Another process holds what this one needs; trying again later may succeed."""

    status = 75
