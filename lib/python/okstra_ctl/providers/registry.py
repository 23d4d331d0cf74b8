"""The providers, and the words that start one of them as a lead (L-117 to L-130).

Pure: whether a CLI is installed, and whether the user lets its sandbox go, is the caller's duty.
"""

from __future__ import annotations

from okstra_ctl.providers import antigravity, claude, codex, grok, local
from okstra_ctl.providers.base import LeadLaunch, ProviderSpec
from okstra_ctl.providers.capabilities import Capability
from okstra_kernel import UserError

_SPECS = (claude.SPEC, codex.SPEC, antigravity.SPEC, grok.SPEC, local.SPEC)
_LIKE = {"leader": "lead", "implementer": "executor", "planner": "executor"}
_BY_NAME = {spec.name: spec for spec in _SPECS}


class UnknownProviderError(UserError, ValueError):
    """No such provider, or not one that can do this."""


def provider_spec(name: str) -> ProviderSpec:
    """Return a provider by its name; blanks around it and case do not count (L-117).

    Raises UnknownProviderError.
    """
    spec = _BY_NAME.get(name.strip().casefold())
    if spec is None:
        raise UnknownProviderError(f"unknown provider: {name!r}; known: {', '.join(_BY_NAME)}")
    return spec


def all_specs() -> tuple[ProviderSpec, ...]:
    """Return every provider."""
    return _SPECS


def provider_ids(role: str = "") -> tuple[str, ...]:
    """Return the providers that support a role of the registry; without one, all (L-119)."""
    return tuple(spec.name for spec in _SPECS if not role or role in spec.roles)


def refuse_role(provider: str, role: str) -> None:
    """Raise UnknownProviderError for a provider that cannot take a role, naming those that can.

    To plan is to decide what an executor does: who cannot do the one does not do the other (H-033).
    """
    spec = provider_spec(provider)
    word = _LIKE.get(role, role)
    if word not in spec.roles:
        able = ", ".join(provider_ids(word)) or "none"
        raise UnknownProviderError(f"{spec.name} cannot be {role}; these can: {able}")


def lead_launch_spec(provider: str) -> LeadLaunch:
    """Return how a provider is started as a lead. Raises UnknownProviderError (L-130, H-033)."""
    spec = provider_spec(provider)
    if spec.lead is None:
        able = ", ".join(one.name for one in _SPECS if one.lead)
        raise UnknownProviderError(f"cannot lead: {spec.name}; these can: {able}")
    return spec.lead


def lead_launch_argv(
    provider: str,
    model: str,
    prompt: str,
    session_id: str = "",
    waive_sandbox: bool = True,
    capabilities: Capability | None = None,
) -> list[str]:
    """Return the words that start a lead (L-053, L-128).

    Without the waiver's words they are for showing what was declined (L-129).

    `capabilities` is what was probed of this CLI: with it come the words that isolate the session,
    those its help knows, and `--` before a prompt that looks like an option (Z-090). Raises
    UnknownProviderError for a provider that cannot lead.
    """
    launch = lead_launch_spec(provider)
    argv = [launch.executable]
    if waive_sandbox:
        argv += launch.sandbox_waiver
    if capabilities:
        argv += [
            word for group in launch.isolation if capabilities.takes(group[0]) for word in group
        ]
    if model:
        argv += [launch.model_flag, model]
    if session_id and launch.session_id_flag:
        argv += [launch.session_id_flag, session_id]
    if launch.prompt_flag:
        argv.append(launch.prompt_flag)
    if capabilities and prompt.startswith("-"):
        argv.append("--")
    return [*argv, prompt]
