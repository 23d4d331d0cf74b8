"""Worker ids: `<provider>-<role>`, then `-2`, `-3` for the same pair again (L-134, D-002, D-003).

The number counts positions in roster order, never a row's ordinal in its role. The report writer is
always `report-writer`.
"""

from __future__ import annotations

from typing import Callable, Iterable, Mapping, Sequence, TypeVar

from okstra_ctl.providers import registry
from okstra_ctl.roster import roles
from okstra_kernel import UserError

_Row = TypeVar("_Row")


def roster_order(rows: Iterable[_Row], role_of: Callable[[_Row], str]) -> list[_Row]:
    """Return the rows that are in the roster, in its order; `role_of` gives a plan role (L-136).

    Implementers, then the others as they come, then the report writer; no lead, no critic.
    """
    listed = [row for row in rows if roles.role(role_of(row)).in_roster]
    ends = {roles.IMPLEMENTER: 0, roles.REPORT_WRITER: 2}
    return sorted(listed, key=lambda row: ends.get(role_of(row), 1))


def worker_ids(rows: Sequence[tuple[str, str]]) -> list[str]:
    """Return the id of each (provider, plan role), which stand in roster order."""
    seen: dict[tuple[str, str], int] = {}
    ids = []
    for provider, role in rows:
        count = seen[provider, role] = seen.get((provider, role), 0) + 1
        if role == roles.REPORT_WRITER:
            ids.append(role)
        else:
            ids.append(f"{provider}-{role}" + (f"-{count}" if count > 1 else ""))
    return ids


def provider_of(worker_id: str, assigned: Mapping[str, str]) -> str:
    """Return the provider of a slot id (L-143).

    `assigned` maps the ids of the run's assignments to their providers; the report writer's
    provider stands only there. Raises UserError.
    """
    if worker_id in assigned:
        return assigned[worker_id]
    provider, dash, _ = worker_id.partition("-")
    if not dash or provider not in registry.provider_ids():
        raise UserError(f"not a worker id: {worker_id!r}")
    return provider


def providers_of(ids: Iterable[str]) -> list[str]:
    """Return the providers of slot ids: each once, in order, without the report writer (L-142)."""
    kept = [one.strip() for one in ids]
    kept = [one for one in kept if one and one != roles.REPORT_WRITER]
    return list(dict.fromkeys(provider_of(one, {}) for one in kept))


def pane_title(worker_id: str) -> str:
    """Return the title of a worker's pane (L-138)."""
    return f"{worker_id}-worker"
