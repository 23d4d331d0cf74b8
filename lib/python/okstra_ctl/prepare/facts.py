"""Everything prepare has settled about a run before it writes the bundle: one value, made once."""

from __future__ import annotations

from typing import Any, NamedTuple

from okstra_ctl.briefs.brief import Brief
from okstra_ctl.leads.runtimes import LeadRuntime
from okstra_ctl.prepare.inputs import PrepareInputs
from okstra_ctl.providers.capabilities import Capability
from okstra_ctl.roster.plan import Plan
from okstra_ctl.roster.profiles import Profile
from okstra_ctl.runs.run_ref import RunRef


class Accepted(NamedTuple):
    """What the checks found, before anything was written."""

    inputs: PrepareInputs
    home: str
    runtime: LeadRuntime  # with the cmux override, when the backend asks for it
    runtime_request: str
    resolution: dict[str, object]
    host_runtime: str
    backend: str
    current_session: bool
    session_id: str
    brief: Brief
    brief_path: str  # relative to the project where it lies inside, else absolute
    brief_sha256: str
    clarification: str  # the text that is carried in; empty when there is none
    prior_errors: str  # digest of earlier runs; empty when nothing in it can be acted on
    evidence: list[tuple[str, str]]  # path, what it is
    related: list[tuple[str, str]]  # task key, where its latest run lies
    work_category: str
    base_commit: str
    profile: Profile
    profile_text: str  # includes expanded
    plan: Plan
    lead_label: str  # the model for people
    capability: Capability | None  # of the lead's CLI, where it was probed
    versions: dict[str, str]


class Run(NamedTuple):
    """A run that has its number."""

    accepted: Accepted
    ref: RunRef
    started_at: str
    argv: list[str]  # canonical
    checkout: list[tuple[str, str]]

    @property
    def inputs(self) -> PrepareInputs:
        return self.accepted.inputs


Members = dict[str, Any]
