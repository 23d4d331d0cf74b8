"""What `seed` does about states that are there already (C-050 to C-053). Pure."""

from __future__ import annotations

from typing import NamedTuple

from okstra_kernel import UserError

CREATE, RESUME, REUSE, ARCHIVE = "create", "resume", "reuse", "archive-and-create"
RESTART = "--restart-from-round0"


class Found(NamedTuple):
    """A state file: whether it is there, and what is wrong with it (nothing, for a valid one)."""

    path: str
    present: bool
    fault: str = ""

    @property
    def valid(self) -> bool:
        return self.present and not self.fault


def decide(work: Found, final: Found, *, same_groups: bool, restart: bool) -> str:
    """Return one of the four actions. Raises UserError where only a restart could help.

    `same_groups`: the working state was made from the groups that are given now.
    """
    if not work.present and not final.present:
        return CREATE
    if restart:
        return ARCHIVE
    if final.valid:
        return REUSE  # a valid end is never computed again (C-051)
    for found in (final, work):
        if found.present and not found.valid:
            raise UserError(
                f"not a state that can be gone on with: {found.path}: {found.fault}",
                next_step=f"{RESTART} keeps the old bytes and begins anew",
            )
    if not same_groups:
        raise UserError(
            f"{work.path} was made from other groups than these",
            next_step=f"{RESTART} keeps the old bytes and begins anew",
        )
    return RESUME
