"""The lead runtimes: which session can drive a run (L-102 to L-112, Z-001, Z-072).

Their names are the keys of one registry and are written nowhere else.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from okstra_ctl.roster.plan import NO_PROVIDER
from okstra_ctl.roster.runners import BACKENDS, CMUX_PANE
from okstra_kernel import UserError

AUTO = "auto"  # a request, not a runtime
EXTERNAL = "external"  # the runtime that is no session


class UnknownRuntimeError(UserError):
    """No such lead runtime."""


class LeadRuntime(NamedTuple):
    runtime: str
    agent: str  # the provider, or `none`
    label: str
    role_label: str
    session_accounting: str  # where usage and evidence of reading come from
    adapter_name: str
    adapter_dispatch_mode: str
    adapter_contract_path: str  # below prompts/
    backends: tuple[str, ...]

    @property
    def provider(self) -> str:
        """The host's own provider; empty for a harness (L-108)."""
        return "" if self.agent == NO_PROVIDER else self.agent

    def to_json(self) -> dict[str, Any]:
        """Return the entry as manifests have it (L-104)."""
        return {
            "runtime": self.runtime,
            "agent": self.agent,
            "label": self.label,
            "roleLabel": self.role_label,
            "sessionAccounting": self.session_accounting,
            "adapterName": self.adapter_name,
            "adapterDispatchMode": self.adapter_dispatch_mode,
            "adapterContractPath": self.adapter_contract_path,
            "terminalBackends": list(self.backends),
        }


_LOG, _ARTIFACTS = "session-transcript", "run-artifacts"


def _entry(runtime: str, agent: str, label: str, accounting: str, mode: str) -> LeadRuntime:
    contract = f"lead/adapters/{runtime}.md"
    role_label = f"{label.split()[0]} lead"  # as its adapter declares it
    return LeadRuntime(
        runtime, agent, label, role_label, accounting, runtime, mode, contract, BACKENDS
    )


_RUNTIMES = {
    entry.runtime: entry
    for entry in (
        _entry("claude-code", "claude", "Claude Code", _LOG, "host"),
        _entry("codex", "codex", "Codex", _ARTIFACTS, "team"),
        _entry("antigravity", "antigravity", "Antigravity", _ARTIFACTS, "team"),
        _entry(EXTERNAL, NO_PROVIDER, "External harness", _ARTIFACTS, "team"),
    )
}


def runtime_names() -> tuple[str, ...]:
    return tuple(_RUNTIMES)


def lead_runtime_info(name: str) -> LeadRuntime:
    """Return a runtime's entry. Raises UnknownRuntimeError (L-105); `cmux` is none (L-110)."""
    info = _RUNTIMES.get(name)
    if info is None:
        allowed = ", ".join(_RUNTIMES)
        raise UnknownRuntimeError(f"unknown lead runtime: {name!r}; allowed: {allowed}")
    return info


def with_cmux_dispatch(info: LeadRuntime) -> LeadRuntime:
    """Return the entry for a run on cmux panes: one adapter, whoever leads (L-109)."""
    contract = "lead/adapters/cmux.md"
    return info._replace(
        adapter_name="cmux", adapter_dispatch_mode="team", adapter_contract_path=contract
    )


def for_backend(name: str, backend: str) -> LeadRuntime:
    """Return the entry that a run on this terminal backend uses. Raises UnknownRuntimeError."""
    info = lead_runtime_info(name)
    return with_cmux_dispatch(info) if backend == CMUX_PANE else info


def is_artifact_only_runtime(name: str) -> bool:
    """Whether usage and resume come from run artifacts, not from a session log (L-106)."""
    return lead_runtime_info(name).session_accounting == _ARTIFACTS


def native_provider_for_host(name: str) -> str:
    """Return the provider of a host's own session; empty for `external` (L-108)."""
    return lead_runtime_info(name).provider


def runtime_of_provider(provider: str) -> str:
    """Return the runtime in which a provider leads; empty if there is none."""
    return next((info.runtime for info in _RUNTIMES.values() if info.provider == provider), "")
