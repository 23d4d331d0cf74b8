"""Who works in a run, with which model and how started: the selection, resolved (L-148 to L-161).

Pure: the caller passes the host, the environment's two defaults and the catalog. The run's list of
workers is always a projection of this plan.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from okstra_ctl.providers import models
from okstra_ctl.roster import roles, runners, worker_ids
from okstra_ctl.roster.profiles import Profile
from okstra_ctl.roster.selection import Selection, Slot
from okstra_kernel import UserError

NO_PROVIDER = "none"  # of a lead that is a harness (Z-072)
UNKNOWN_MODEL = "unknown"  # what a host attests that does not tell (L-152)

LEAD_VARIABLE = "OKSTRA_DEFAULT_LEAD_MODEL"
REPORT_WRITER_VARIABLE = "OKSTRA_DEFAULT_REPORT_WRITER_MODEL"
_DEFAULTS_FOR = "claude"  # the two variables name models of this provider (L-153)


class HostCapabilityMismatch(UserError):
    """The lead that was asked for is not the host's (L-150)."""


class Host(NamedTuple):
    """The runtime that leads. Its provider is empty for one without a session of its own."""

    runtime: str
    provider: str
    terminal_backend: str = ""
    current_session: bool = False  # the lead is the session that prepares (L-152)
    attested_model: str = UNKNOWN_MODEL


class Defaults(NamedTuple):
    """The values of the two variables; empty: not set (L-152 to L-154)."""

    lead: str = ""
    report_writer: str = ""


_NO_DEFAULTS = Defaults()


class Assignment(NamedTuple):
    """`model` is for people, `execution_value` for the CLI; both empty: no model flag (L-156)."""

    provider: str
    role: str  # the plan's word; in the executor binding the registry's (L-133)
    model: str
    execution_value: str
    runner: str
    worker_id: str = ""

    def json(self) -> dict[str, Any]:
        """Return it as manifests have it (L-160, L-161); `workerId` only where there is one."""
        worker = {"workerId": self.worker_id} if self.worker_id else {}
        return {
            **worker,
            "provider": self.provider,
            "role": self.role,
            "model": self.model,
            "modelExecutionValue": self.execution_value,
            "runner": self.runner,
        }


class Plan(NamedTuple):
    lead: Assignment
    workers: tuple[Assignment, ...]  # in roster order
    critic: Assignment | None  # not in the roster; its id, for dispatch, is <provider>-critic
    executor_worker_id: str  # empty: no executor

    @property
    def executor(self) -> Assignment | None:
        """The executor binding: the implementer's place, in the registry's word (L-133)."""
        for one in self.workers:
            if one.worker_id and one.worker_id == self.executor_worker_id:
                return one._replace(role=roles.role(one.role).registry)
        return None

    @property
    def worker_ids(self) -> tuple[str, ...]:
        return tuple(one.worker_id for one in self.workers)

    @property
    def providers(self) -> tuple[str, ...]:
        """The providers in use, each once: workers, then the critic (L-162)."""
        used = [*self.workers, *([self.critic] if self.critic else [])]
        return tuple(dict.fromkeys(one.provider for one in used))


def make_plan(
    selection: Selection, host: Host, catalog: models.Catalog, defaults: Defaults = _NO_DEFAULTS
) -> Plan:
    """Return the plan of a run. Raises UserError; HostCapabilityMismatch for another's lead."""
    rows = [(role, slot) for role, slots in selection.slots.items() for slot in slots]
    listed = worker_ids.roster_order(rows, lambda row: row[0])
    ids = worker_ids.worker_ids([(slot.provider, role) for role, slot in listed])
    workers = tuple(
        _assign(role, slot, selection, host, catalog, defaults)._replace(worker_id=worker_id)
        for (role, slot), worker_id in zip(listed, ids, strict=True)
    )
    critics = [
        _assign(roles.CRITIC, slot, selection, host, catalog, defaults)._replace(
            worker_id=f"{slot.provider}-{roles.CRITIC}"
        )
        for slot in selection.slots.get(roles.CRITIC, ())
    ]
    executor = next((one.worker_id for one in workers if one.role == roles.IMPLEMENTER), "")
    lead = _lead(selection.lead, host, catalog, defaults)
    return Plan(lead, workers, next(iter(critics), None), executor)


def role_words(plan: Plan, profile: Profile) -> tuple[list[str], list[str]]:
    """Return the values of --role-count and --role-model that make this plan again (L-100)."""
    chosen = [*plan.workers, *([plan.critic] if plan.critic else [])]
    counts = dict.fromkeys(profile.roles, 0)
    references = []
    for one in chosen:
        counts[one.role] += 1
        model = f"/{one.model}" if one.model else ""
        references.append(f"{one.role}={one.provider}{model}")
    return [f"{role}={count}" for role, count in counts.items()], references


def _assign(
    role: str,
    slot: Slot,
    selection: Selection,
    host: Host,
    catalog: models.Catalog,
    defaults: Defaults,
) -> Assignment:
    asked = slot.model or selection.provider_models.get(slot.provider, "")
    if asked:
        model = models.resolve_model(catalog, slot.provider, asked)
    elif role == roles.REPORT_WRITER and slot.provider == _DEFAULTS_FOR and defaults.report_writer:
        model = _from_variable(catalog, REPORT_WRITER_VARIABLE, defaults.report_writer)
    else:
        model = models.default_model(catalog, slot.provider, roles.role(role).registry)
    how = runners.runner(slot.provider, host.provider, host.terminal_backend)
    return _assignment(role, model, how)


def _lead(slot: Slot, host: Host, catalog: models.Catalog, defaults: Defaults) -> Assignment:
    if slot.provider and slot.provider != host.provider:
        own = host.provider or "no session of its own"
        raise HostCapabilityMismatch(
            f"the host {host.runtime} leads with {own}, not with: {slot.provider}"
        )
    if not host.provider:
        return Assignment(NO_PROVIDER, roles.LEADER, "", "", runners.CLI_WRAPPER)
    if slot.model:
        model = models.resolve_model(catalog, host.provider, slot.model)
    elif host.current_session:
        name = host.attested_model or UNKNOWN_MODEL
        value = "" if name == UNKNOWN_MODEL else name
        model = models.Model(host.provider, name, value, name)
    elif host.provider == _DEFAULTS_FOR and defaults.lead:
        model = _from_variable(catalog, LEAD_VARIABLE, defaults.lead)
    else:
        model = models.default_model(catalog, host.provider, roles.role(roles.LEADER).registry)
    return _assignment(roles.LEADER, model, runners.NATIVE_SESSION)


def _assignment(role: str, model: models.Model, how: str) -> Assignment:
    return Assignment(model.provider, role, model.name, model.execution_value, how)


def _from_variable(catalog: models.Catalog, variable: str, value: str) -> models.Model:
    try:
        return models.known_model(catalog, _DEFAULTS_FOR, value)
    except UserError as err:
        raise UserError(f"{variable}: {err}") from err
