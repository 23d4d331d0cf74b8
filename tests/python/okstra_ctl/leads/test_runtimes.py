from __future__ import annotations

import re
from pathlib import Path

import pytest

from okstra_ctl.leads import runtimes
from okstra_ctl.leads.gate import check_lead_gate
from okstra_ctl.leads.runtimes import UnknownRuntimeError, for_backend, lead_runtime_info
from okstra_kernel import Refusal, assets

NAMES = ("claude-code", "codex", "antigravity", "external")
BACKENDS = ("cli-wrapper", "tmux-pane", "cmux-pane")


def test_the_runtimes_in_their_order() -> None:
    """L-102, L-103, L-106, L-108, Z-072."""
    assert runtimes.runtime_names() == NAMES
    table = [
        (info.agent, info.provider, runtimes.is_artifact_only_runtime(info.runtime))
        for info in map(lead_runtime_info, NAMES)
    ]
    assert table == [
        ("claude", "claude", False),
        ("codex", "codex", True),
        ("antigravity", "antigravity", True),
        ("none", "", True),
    ]
    assert lead_runtime_info("external").label == "External harness"


def test_an_entry_becomes_json() -> None:
    """L-104."""
    assert lead_runtime_info("codex").to_json() == {
        "runtime": "codex",
        "agent": "codex",
        "label": "Codex",
        "roleLabel": "Codex lead",
        "sessionAccounting": "run-artifacts",
        "adapterName": "codex",
        "adapterDispatchMode": "team",
        "adapterContractPath": "lead/adapters/codex.md",
        "terminalBackends": list(BACKENDS),
    }


@pytest.mark.parametrize("name", NAMES)
def test_a_runtime_agrees_with_its_adapter(name: str) -> None:
    info = lead_runtime_info(name)
    text = Path(assets.path("prompts", info.adapter_contract_path)).read_text(encoding="utf-8")
    declared = dict(re.findall(r"^(\w+): (.+)$", text.split("---")[1], re.MULTILINE))
    expected = (info.runtime, info.role_label, info.session_accounting)
    fields = ("runtime", "leadRoleLabel", "sessionAccounting")
    assert tuple(declared[field] for field in fields) == expected


@pytest.mark.parametrize("name", NAMES)
def test_on_cmux_panes_every_lead_has_the_one_adapter(name: str) -> None:
    """L-109."""
    assert for_backend(name, "cmux-pane") == lead_runtime_info(name)._replace(
        adapter_name="cmux",
        adapter_dispatch_mode="team",
        adapter_contract_path="lead/adapters/cmux.md",
    )
    assert for_backend(name, "tmux-pane") == lead_runtime_info(name)
    assets.path("prompts", "lead/adapters/cmux.md")


@pytest.mark.parametrize("name", ["cmux", "auto", "claude", "", "Codex"])
def test_another_word_is_no_runtime(name: str) -> None:
    """L-105, L-110."""
    with pytest.raises(UnknownRuntimeError) as caught:
        lead_runtime_info(name)
    assert str(caught.value) == f"unknown lead runtime: {name!r}; allowed: {', '.join(NAMES)}"
    assert caught.value.status == 2


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("render_only", [True, False])
def test_the_gate(name: str, backend: str, render_only: bool) -> None:
    """L-114, Z-001."""
    info = for_backend(name, backend)
    if name != "external" or render_only:
        check_lead_gate(info, backend, render_only=render_only)
        return
    with pytest.raises(Refusal) as caught:
        check_lead_gate(info, backend, render_only=render_only)
    assert (caught.value.status, caught.value.next_step) == (1, "okstra run external")


def test_the_gate_refuses_a_backend_that_is_not_listed() -> None:
    info = lead_runtime_info("codex")._replace(backends=("cli-wrapper",))
    with pytest.raises(Refusal, match="codex cannot dispatch on cmux-pane; it can on: cli-wrap"):
        check_lead_gate(info, "cmux-pane", render_only=False)
    check_lead_gate(info, "cmux-pane", render_only=True)


def test_a_provider_leads_in_one_runtime() -> None:
    found = [runtimes.runtime_of_provider(name) for name in ("claude", "codex", "grok")]
    assert found == ["claude-code", "codex", ""]
    assert runtimes.native_provider_for_host("claude-code") == "claude"
