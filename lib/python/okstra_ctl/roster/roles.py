"""The roles, and how the plan's words and the registry's go together (L-133, L-209).

Plan and worker ids say `leader` and `implementer` where registry and flags say `lead` and
`executor`. People may write either word; nothing else in okstra translates them.
"""

from __future__ import annotations

from typing import NamedTuple

from okstra_kernel import UserError


class Role(NamedTuple):
    plan: str
    registry: str
    in_roster: bool


LEADER = "leader"
IMPLEMENTER = "implementer"
CRITIC = "critic"
REPORT_WRITER = "report-writer"

_ROLES = (
    Role(LEADER, "lead", False),
    Role(IMPLEMENTER, "executor", True),
    Role("analyser", "analyser", True),
    Role("verifier", "verifier", True),
    Role(CRITIC, CRITIC, False),
    Role(REPORT_WRITER, REPORT_WRITER, True),
)
_BY_WORD = {word: role for role in _ROLES for word in (role.plan, role.registry)}
PLAN_ROLES = tuple(role.plan for role in _ROLES)


def role(word: str) -> Role:
    """Return the role that either word names. Raises UserError."""
    found = _BY_WORD.get(word.strip().casefold())
    if found is None:
        raise UserError(f"unknown role: {word!r}; known: {', '.join(PLAN_ROLES)}")
    return found
