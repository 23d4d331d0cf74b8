"""The lead gate: what keeps a runtime from leading a run that is not render-only (Z-001, L-113)."""

from __future__ import annotations

from okstra_ctl.leads.runtimes import LeadRuntime
from okstra_ctl.providers import registry
from okstra_kernel import Refusal


def check_lead_gate(info: LeadRuntime, backend: str, *, render_only: bool) -> None:
    """Raise Refusal if this runtime cannot lead on this terminal backend (L-114, L-116)."""
    if render_only:
        return
    if not info.provider or registry.provider_spec(info.provider).lead is None:
        raise Refusal(
            f"okstra starts no session for this lead, it runs it itself: {info.runtime}",
            next_step=f"okstra run {info.runtime}",
        )
    if backend not in info.backends:
        listed = ", ".join(info.backends)
        raise Refusal(f"{info.runtime} cannot dispatch on {backend}; it can on: {listed}")
