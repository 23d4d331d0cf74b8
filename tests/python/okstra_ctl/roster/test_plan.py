from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from okstra_ctl.providers import models, registry
from okstra_ctl.roster import plan, profiles_files
from okstra_ctl.roster.plan import Assignment, Defaults, Host, Plan
from okstra_ctl.roster.selection import Flags, select
from okstra_kernel import UserError

CATALOG = models.parse(
    """
schemaVersion: 1
defaults:
  claude: {lead: M2, analyser: M2, verifier: M2, executor: M2, critic: M2, report-writer: M2}
  codex: {lead: M1, verifier: M1}
models:
  claude: {M2: {executionValue: m2}, other: {}}
  codex: {M1: {executionValue: m1}}
""",
    "f",
)
CLAUDE, CODEX = Host("claude-code", "claude"), Host("codex", "codex")
EXTERNAL = Host("external", "")


def made(task_type: str, host: Host, defaults: Defaults | None = None, **flags: Any) -> Plan:
    selection = select(Flags(**flags), profiles_files.load_role_profile(task_type))
    return plan.make_plan(selection, host, CATALOG, defaults or Defaults())


def test_a_plan_is_what_the_manifest_records() -> None:
    """L-161."""
    found = made("implementation", CODEX._replace(terminal_backend="cmux-pane"), critic="off")
    assert [found.lead.json(), *(one.json() for one in found.workers)] == [
        {
            **{"provider": "codex", "role": "leader", "model": "M1", "modelExecutionValue": "m1"},
            "runner": "native-session",
        },
        *(
            {
                **{"workerId": worker_id, "provider": provider, "role": role, "model": model},
                **{"modelExecutionValue": model.lower(), "runner": "cli-wrapper"},
            }
            for worker_id, provider, role, model in [
                ("claude-implementer", "claude", "implementer", "M2"),
                ("claude-verifier", "claude", "verifier", "M2"),
                ("codex-verifier", "codex", "verifier", "M1"),
                ("report-writer", "claude", "report-writer", "M2"),
            ]
        ),
    ]
    assert found.critic is None
    assert found.executor_worker_id == "claude-implementer"
    assert found.executor == found.workers[0]._replace(role="executor")
    assert found.providers == ("claude", "codex")


@pytest.mark.parametrize(
    ("host", "runners"),
    [
        (CLAUDE, ["native-session", "cli-wrapper", "native-session"]),
        (CODEX, ["cli-wrapper", "native-session", "cli-wrapper"]),
        (CLAUDE._replace(terminal_backend="tmux-pane"), ["native-session", "cli-wrapper"]),
        (CLAUDE._replace(terminal_backend="cmux-pane"), ["cli-wrapper"] * 3),
        (EXTERNAL, ["cli-wrapper"] * 3),
    ],
)
def test_who_is_started_by_whom(host: Host, runners: list[str]) -> None:
    """L-158: claude-analyser, codex-analyser, report-writer of claude."""
    found = [one.runner for one in made("error-analysis", host).workers]
    assert found[: len(runners)] == runners


@pytest.mark.parametrize(
    ("host", "defaults", "flags", "lead"),
    [
        (CLAUDE, {}, {}, ("M2", "m2")),
        (CLAUDE, {"lead": "other"}, {}, ("other", "other")),
        (CLAUDE, {"lead": "nonsense"}, {"lead_model": "x"}, ("x", "x")),  # L-151
        (CODEX, {"lead": "other"}, {}, ("M1", "m1")),  # L-153
        (Host("antigravity", "antigravity"), {}, {}, ("", "")),
        (CLAUDE._replace(current_session=True), {"lead": "other"}, {}, ("unknown", "")),  # L-152
        (
            *(CLAUDE._replace(current_session=True, attested_model="y"), {"lead": "other"}),
            *({}, ("y", "y")),
        ),
        (EXTERNAL, {"lead": "other"}, {}, ("", "")),
    ],
)
def test_the_leads_model(
    host: Host, defaults: dict[str, str], flags: dict[str, str], lead: tuple[str, str]
) -> None:
    found = made("error-analysis", host, Defaults(**defaults), **flags).lead
    assert (found.model, found.execution_value) == lead
    assert found.provider == (host.provider or "none")


@pytest.mark.parametrize(
    ("defaults", "flags", "model"),
    [
        ({}, {}, "M2"),
        ({"report_writer": "other"}, {}, "other"),
        ({"report_writer": "nonsense"}, {"report_writer_model": "x"}, "x"),
        ({"report_writer": "nonsense"}, {"provider_models": {"claude": "y"}}, "y"),
        ({"report_writer": "nonsense"}, {"workers": "codex"}, ""),
        ({}, {"role_model": ("report-writer=codex/z",)}, "z"),
    ],
)
def test_the_report_writers_model(
    defaults: dict[str, str], flags: dict[str, Any], model: str
) -> None:
    found = made("error-analysis", CODEX, Defaults(**defaults), **flags)
    assert found.workers[-1].model == model


def test_a_provider_flag_counts_for_workers_that_name_no_model() -> None:
    """L-149; the lead has a flag of its own."""
    flags = {"claude": "x", "codex": ""}
    found = made(
        *("final-verification", CLAUDE),
        provider_models=flags,
        role_model=("verifier=claude", "verifier=claude/y"),
        critic="codex",
    )
    models_of = [(one.worker_id, one.model) for one in found.workers]
    assert models_of == [
        ("claude-verifier", "x"),
        ("claude-verifier-2", "y"),
        ("report-writer", "x"),
    ]
    assert found.lead.model == "M2"
    assert found.critic == Assignment("codex", "critic", "", "", "cli-wrapper", "codex-critic")


@pytest.mark.parametrize(
    ("variable", "defaults"),
    [
        ("OKSTRA_DEFAULT_LEAD_MODEL", Defaults(lead="x")),
        ("OKSTRA_DEFAULT_REPORT_WRITER_MODEL", Defaults(report_writer="x")),
    ],
)
def test_a_variable_with_an_unknown_model_is_named(variable: str, defaults: Defaults) -> None:
    """L-154."""
    with pytest.raises(UserError) as caught:
        made("error-analysis", CLAUDE, defaults)
    assert str(caught.value) == f"{variable}: unknown model of claude: 'x'; known: M2, other"


@pytest.mark.parametrize(
    ("host", "provider", "message"),
    [
        (CODEX, "claude", "the host codex leads with codex, not with: claude"),
        (EXTERNAL, "claude", "the host external leads with no session of its own, not with: "),
    ],
)
def test_the_host_decides_who_leads(host: Host, provider: str, message: str) -> None:
    """L-150."""
    with pytest.raises(plan.HostCapabilityMismatch) as caught:
        made("error-analysis", host, lead_provider=provider)
    assert str(caught.value).startswith(message)
    assert made("error-analysis", CODEX, lead_provider="codex").lead.provider == "codex"


@pytest.mark.parametrize("model", ["-x", "a\nb"])
def test_a_model_that_would_be_an_option_is_refused(model: str) -> None:
    with pytest.raises(UserError, match="not a model's name: "):
        made("error-analysis", CLAUDE, provider_models={"claude": model})


def test_an_engine_is_a_model_of_local() -> None:
    with pytest.raises(UserError, match="unknown model of local: lint; known: "):
        made("error-analysis", CLAUDE, role_model=("analyser=local/lint",))  # not in this catalog


slot = st.tuples(st.sampled_from(registry.provider_ids("verifier")), st.sampled_from("ab"))


@given(st.lists(slot, min_size=1, max_size=4), st.booleans())
def test_a_plan_written_as_flags_makes_the_same_plan_again(
    slots: list[tuple[str, str]], critic: bool
) -> None:
    """L-100."""
    words = tuple(f"verifier={p}/{m}" for p, m in slots if p != "local")
    profile = profiles_files.load_role_profile("final-verification")
    first = made("final-verification", CLAUDE, role_model=words, critic="codex" if critic else "")
    counts, references = plan.role_words(first, profile)
    again = made(
        "final-verification", CLAUDE, role_count=tuple(counts), role_model=tuple(references)
    )
    assert again == first
    assert len(set(first.worker_ids)) == len(first.workers)
