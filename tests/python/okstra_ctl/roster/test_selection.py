from __future__ import annotations

from typing import Any

import pytest

from okstra_ctl.roster import profiles_files
from okstra_ctl.roster.selection import Flags, Slot, parse_critic, select
from okstra_kernel import UserError


def slots(task_type: str, **flags: Any) -> dict[str, list[str]]:
    """Return each role's places as <provider>[/<model>]; roles without a place are left out."""
    selection = select(Flags(**flags), profiles_files.load_role_profile(task_type))
    return {
        role: ["/".join(filter(None, slot)) for slot in places]
        for role, places in selection.slots.items()
        if places
    }


@pytest.mark.parametrize(
    ("flags", "analysers", "writer"),
    [
        ({}, ["claude", "codex"], "claude"),
        ({"workers": "codex,claude,codex,"}, ["codex", "claude"], "claude"),
        ({"workers": " grok , antigravity , codex "}, ["grok", "antigravity", "codex"], "codex"),
        ({"workers": "codex"}, ["codex", "codex"], "codex"),
        ({"workers": "grok,antigravity"}, ["grok", "antigravity"], "claude"),
        ({"role_count": ("analyser=3",)}, ["claude", "codex", "antigravity"], "claude"),
        ({"role_count": ("analyser=3",), "workers": "codex,claude"}, None, "claude"),
        (
            {"role_model": ("analyser=local/lint",)},
            ["local/lint", "claude"],
            "claude",
        ),
        (
            {"role_model": ("analyser=local/lint", "analyser=local/trace")},
            ["local/lint", "local/trace"],
            "claude",
        ),
        (
            {"role_model": ("analyser=codex/a", "analyser=codex/b"), "workers": "claude,codex"},
            ["codex/a", "codex/b", "claude"],
            "claude",
        ),
        ({"role_model": ("analyser=grok",)}, ["grok", "claude"], "claude"),
        ({"role_model": ("report-writer=codex/x",)}, ["claude", "codex"], "codex/x"),
        ({"report_writer_model": "m"}, ["claude", "codex"], "claude/m"),
        ({"report_writer_model": "codex/m"}, ["claude", "codex"], "codex/m"),
        ({"report_writer_model": "m/n"}, ["claude", "codex"], "claude/m/n"),
    ],
)
def test_flags_become_places(
    flags: dict[str, Any], analysers: list[str] | None, writer: str
) -> None:
    found = slots("error-analysis", **flags)
    expected = analysers or ["codex", "claude", "codex"]  # the third begins anew
    assert found == {"analyser": expected, "report-writer": [writer]}


def test_an_implementation_has_an_executor_and_verifiers() -> None:
    found = {"implementer": ["claude"], "verifier": ["claude", "codex"]}
    found["report-writer"] = ["claude"]
    assert slots("implementation") == found
    assert slots("implementation", executor=" Codex ") == found | {"implementer": ["codex"]}
    chosen = slots("implementation", executor="codex", role_model=("executor=codex/x",))
    assert chosen == found | {"implementer": ["codex/x"]}


@pytest.mark.parametrize(
    ("flags", "critic"),
    [
        ({"critic": " Codex "}, ["codex"]),
        ({"critic": "off"}, None),
        ({"critic": ""}, None),
        ({"role_count": ("critic=1",)}, ["claude"]),
        ({"role_model": ("critic=grok/x",)}, ["grok/x"]),
        ({"critic": "grok", "role_model": ("critic=grok/x",)}, ["grok/x"]),
        ({"critic": "off", "role_count": ("critic=0",)}, None),
    ],
)
def test_a_critic_is_there_when_it_is_asked_for(
    flags: dict[str, Any], critic: list[str] | None
) -> None:
    """L-147."""
    assert slots("error-analysis", **flags).get("critic") == critic


@pytest.mark.parametrize("task_type", profiles_files.task_types())
def test_no_critic_can_be_said_in_every_phase(task_type: str) -> None:
    assert parse_critic(" OFF", profiles_files.load_role_profile(task_type)) == "off"


@pytest.mark.parametrize(
    ("flags", "lead"),
    [
        ({}, Slot("")),
        ({"lead_model": "m"}, Slot("", "m")),
        ({"lead_provider": " Codex ", "lead_model": "m"}, Slot("codex", "m")),
        ({"lead_model": "codex/m"}, Slot("codex", "m")),
        ({"role_model": ("lead=codex/m",)}, Slot("codex", "m")),
        ({"role_model": ("leader=codex",), "lead_model": "m"}, Slot("codex", "m")),
    ],
)
def test_the_lead_that_was_asked_for(flags: dict[str, Any], lead: Slot) -> None:
    profile = profiles_files.load_role_profile("error-analysis")
    assert select(Flags(**flags), profile).lead == lead


ANALYSIS, BUILD, HANDOFF = "error-analysis", "implementation", "release-handoff"


@pytest.mark.parametrize(
    ("task_type", "flags", "message"),
    [
        (ANALYSIS, {"workers": "codex-verifier"}, "unknown workers: codex-verifier; "),
        (ANALYSIS, {"workers": "x,codex,y"}, "unknown workers: x, y; error-analysis takes prov"),
        (BUILD, {"workers": "local"}, "unknown workers: local; "),
        (
            *(ANALYSIS, {"critic": "gpt"}),
            "not a critic: --critic=gpt; error-analysis allows: claude, codex, antigravity, grok,"
            " local, off",
        ),
        (
            *(BUILD, {"critic": "codex"}),
            "not a critic: --critic=codex; implementation allows: off",
        ),
        (HANDOFF, {"critic": "codex"}, "not a critic: --critic=codex; release-handoff allows: off"),
        (ANALYSIS, {"critic": "off", "role_count": ("critic=1",)}, "--critic off contradicts"),
        (
            *(ANALYSIS, {"critic": "codex", "role_model": ("critic=grok/x",)}),
            "--critic=codex contradicts --role-model critic=grok",
        ),
        (ANALYSIS, {"executor": "codex"}, "error-analysis has no such role: --executor=codex"),
        (
            *(BUILD, {"executor": "grok"}),
            "grok cannot be implementer in implementation; these can: claude, codex, antigravity",
        ),
        (BUILD, {"executor": "gemini"}, "unknown provider: 'gemini'"),
        (
            *(ANALYSIS, {"role_model": ("report-writer=antigravity/x",)}),
            "antigravity cannot be report-writer in error-analysis; these can: claude, codex",
        ),
        (BUILD, {"role_model": ("verifier=local/lint",)}, "local cannot be verifier in impl"),
        (ANALYSIS, {"role_model": ("verifier=codex/x",)}, "error-analysis has no such role: "),
        (ANALYSIS, {"role_model": ("boss=codex/x",)}, "unknown role: 'boss'"),
        (ANALYSIS, {"role_model": ("analyser",)}, "expected <role>=<value>: --role-model analyser"),
        (ANALYSIS, {"role_model": ("analyser=",)}, "expected <role>=<value>: "),
        (ANALYSIS, {"role_model": ("analyser=codex/ ",)}, "no model behind the slash: "),
        (
            *(ANALYSIS, {"role_model": ("report-writer=codex/x", "report-writer=claude/x")}),
            "error-analysis takes 1 to 1 of the role report-writer: 2",
        ),
        (
            *(ANALYSIS, {"role_model": ("analyser=codex/x",) * 3, "role_count": ("analyser=2",)}),
            "--role-model names more places than --role-count: analyser=2",
        ),
        (ANALYSIS, {"role_count": ("analyser=5",)}, "error-analysis takes 2 to 4 of the role"),
        (ANALYSIS, {"role_count": ("analyser=1",)}, "error-analysis takes 2 to 4 of the role"),
        (ANALYSIS, {"role_count": ("analyser=two",)}, "not a number of places: --role-count"),
        (ANALYSIS, {"role_count": ("analyser=²",)}, "not a number of places: --role-count"),
        (ANALYSIS, {"role_count": ("analyser=2", "analyser=3")}, "given more than once: "),
        (
            *(ANALYSIS, {"workers": "claude,codex,antigravity,grok,local"}),
            "error-analysis takes 2 to 4 of the role analyser: 5",
        ),
        (ANALYSIS, {"lead_provider": "grok"}, "cannot lead: grok; these can: claude, codex, "),
        (ANALYSIS, {"lead_provider": "local"}, "cannot lead: local; these can: "),
        (ANALYSIS, {"lead_provider": "x"}, "unknown provider: 'x'"),
        (
            *(ANALYSIS, {"lead_provider": "claude", "lead_model": "codex/x"}),
            "two flags ask for different leads: codex and claude",
        ),
        (
            *(ANALYSIS, {"lead_model": "a", "role_model": ("lead=claude/b",)}),
            "two flags ask for different leads: a and b",
        ),
        (
            *(ANALYSIS, {"report_writer_model": "a", "role_model": ("report-writer=claude/b",)}),
            "--report-writer-model=a contradicts --role-model report-writer=",
        ),
        (
            *(ANALYSIS, {"report_writer_model": "antigravity/x"}),
            "antigravity cannot be report-writer in error-analysis",
        ),
    ],
)
def test_a_choice_that_cannot_be_is_refused(
    task_type: str, flags: dict[str, Any], message: str
) -> None:
    with pytest.raises(UserError) as caught:
        slots(task_type, **flags)
    assert str(caught.value).startswith(message)
    assert caught.value.status == 2
