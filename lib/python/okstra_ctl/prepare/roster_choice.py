"""From the options to the run's plan of workers and lead (L-148, P-071 step 6)."""

from __future__ import annotations

from okstra_ctl.leads.runtimes import LeadRuntime
from okstra_ctl.prepare.environment import Environment
from okstra_ctl.prepare.inputs import PrepareInputs
from okstra_ctl.providers import models, models_files
from okstra_ctl.roster import plan as plans
from okstra_ctl.roster import selection
from okstra_ctl.roster.profiles import Profile


def choose(
    inputs: PrepareInputs,
    profile: Profile,
    runtime: LeadRuntime,
    backend: str,
    current_session: bool,
    environment: Environment,
) -> tuple[plans.Plan, str]:
    """Return the plan, and the lead's model as people call it. Raises UserError."""
    flags = selection.Flags(
        workers=inputs.workers_override,
        role_count=inputs.role_counts,
        role_model=inputs.role_models,
        provider_models={
            "claude": inputs.claude_model,
            "codex": inputs.codex_model,
            "antigravity": inputs.antigravity_model,
        },
        executor=inputs.executor,
        critic=inputs.critic,
        lead_provider=inputs.lead_provider,
        lead_model=inputs.lead_model,
        report_writer_model=inputs.report_writer_model,
    )
    catalog = models_files.load_catalog()
    host = plans.Host(runtime.runtime, runtime.provider, backend, current_session)
    defaults = plans.Defaults(
        environment.value(plans.LEAD_VARIABLE), environment.value(plans.REPORT_WRITER_VARIABLE)
    )
    made = plans.make_plan(selection.select(flags, profile), host, catalog, defaults)
    return made, _label(catalog, made.lead)


def _label(catalog: models.Catalog, lead: plans.Assignment) -> str:
    known = catalog.models.get(lead.provider, {}).get(lead.model)
    return known.display_name if known else lead.model or "the default of its CLI"
