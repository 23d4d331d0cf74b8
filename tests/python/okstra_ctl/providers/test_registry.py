from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from okstra_ctl.providers import registry
from okstra_ctl.providers.capabilities import Capability
from okstra_kernel import UserError

ID = "6b1c0000-0000-4000-8000-000000000000"
OLD_CODEX = Capability("codex", "/bin/codex", "0.1.0", ("--add-dir", "-c", "-m", "-s"))
CODEX = OLD_CODEX._replace(version="0.171.0", flags=(*OLD_CODEX.flags, "--no-daemon"))
CLAUDE = Capability("claude", "/bin/claude", "2.1.332", ())
WAIVER = ["-s", "danger-full-access"]


@pytest.mark.parametrize(
    ("provider", "argv"),
    [
        ("claude", ["claude", "--model", "m", "--session-id", ID, "P"]),
        ("codex", ["codex", "-s", "danger-full-access", "-m", "m", "P"]),
        ("antigravity", ["agy", "--model", "m", "--prompt-interactive", "P"]),
    ],
)
def test_a_lead_is_started_with_exactly_these_words(provider: str, argv: list[str]) -> None:
    """L-053."""
    assert registry.lead_launch_argv(provider, "m", "P", ID) == argv


def test_words_without_a_value_are_left_out() -> None:
    assert registry.lead_launch_argv("claude", "", "P") == ["claude", "P"]
    assert registry.lead_launch_argv("codex", "m", "P", waive_sandbox=False) == [
        *("codex", "-m", "m", "P")  # L-129
    ]


@pytest.mark.parametrize(
    ("provider", "record", "prompt", "argv"),
    [
        (
            *("codex", CODEX, "---\nx"),
            ["codex", *WAIVER, "--no-daemon", "-c", "allow_login_shell=false", "--", "---\nx"],
        ),
        ("codex", OLD_CODEX, "x", ["codex", *WAIVER, "-c", "allow_login_shell=false", "x"]),
        ("claude", CLAUDE, "-x", ["claude", "--", "-x"]),
        ("claude", CLAUDE, "x", ["claude", "x"]),
        ("claude", None, "-x", ["claude", "-x"]),
    ],
)
def test_a_capability_record_adds_what_the_cli_can_take(
    provider: str, record: Capability | None, prompt: str, argv: list[str]
) -> None:
    """Z-090."""
    assert registry.lead_launch_argv(provider, "", prompt, capabilities=record) == argv


@given(prompt=st.text(), model=st.text(), session=st.text())
def test_the_prompt_is_the_last_word_whatever_it_holds(
    prompt: str, model: str, session: str
) -> None:
    for provider in registry.provider_ids("lead"):
        argv = registry.lead_launch_argv(provider, model, prompt, session)
        record = CODEX._replace(provider=provider)
        probed = registry.lead_launch_argv(provider, model, prompt, session, capabilities=record)
        assert (argv[-1], probed[-1]) == (prompt, prompt)
        assert (probed[-2] == "--") >= prompt.startswith("-")


def test_a_name_is_found_whatever_its_case_and_blanks() -> None:
    assert registry.provider_spec(" Codex ").name == "codex"


@pytest.mark.parametrize("name", ["", "gemini", "codex-verifier", "code x"])
def test_an_unknown_provider_is_named_with_those_there_are(name: str) -> None:
    with pytest.raises(registry.UnknownProviderError) as caught:
        registry.provider_spec(name)
    assert isinstance(caught.value, UserError) and isinstance(caught.value, ValueError)
    known = "claude, codex, antigravity, grok, local"
    assert str(caught.value) == f"unknown provider: {name!r}; known: {known}"


def test_who_supports_which_role() -> None:
    """L-118, Z-071."""
    table = {
        role: registry.provider_ids(role)
        for role in ("lead", "analyser", "critic", "executor", "verifier", "report-writer")
    }
    everybody = ("claude", "codex", "antigravity", "grok", "local")
    assert table == {
        "lead": everybody[:3],
        "analyser": everybody,
        "critic": everybody,
        "executor": everybody[:3],
        "verifier": everybody,
        "report-writer": ("claude", "codex", "local"),
    }
    assert registry.provider_ids() == everybody


@pytest.mark.parametrize("name", ["grok", "local"])
def test_who_cannot_lead_is_told_who_can(name: str) -> None:
    """L-130, H-033."""
    with pytest.raises(registry.UnknownProviderError) as caught:
        registry.lead_launch_argv(name, "m", "P")
    assert str(caught.value) == f"cannot lead: {name}; these can: claude, codex, antigravity"


def test_what_was_not_measured_says_so() -> None:
    """Z-113."""
    assert [n for n in registry.provider_ids() if not registry.provider_spec(n).verified] == [
        *("antigravity", "grok")
    ]
