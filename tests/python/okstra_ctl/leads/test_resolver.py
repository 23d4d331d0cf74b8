from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from okstra_ctl.leads.resolver import Resolution, leading_words, resolve, split_run_arguments
from okstra_kernel import UserError

VALUED = {"--directive", "--base-ref"}


@pytest.mark.parametrize(
    ("argv", "requested", "rest"),
    [
        ("", "auto", ""),
        ("claude --yes", "claude-code", "--yes"),
        ("claude-code", "claude-code", ""),
        ("codex --project-id p codex", "codex", "--project-id p codex"),
        ("antigravity", "antigravity", ""),
        ("external", "external", ""),
        ("--task-id t codex", "auto", "--task-id t codex"),
        ("codex --lead-runtime external", "external", ""),
        ("codex --lead-runtime=external --yes", "external", "--yes"),
        ("codex --lead-runtime=", "codex", ""),
        ("codex --lead-runtime", "codex", ""),
        ("codex --lead-runtime= --yes --lead-runtime", "codex", "--yes"),
        ("--lead-runtime codex --lead-runtime external --yes", "external", "--yes"),
        ("--lead-runtime cmux", "cmux", ""),
        ("--lead-runtime auto", "auto", ""),
        ("codex -- --lead-runtime external", "codex", "-- --lead-runtime external"),
        ("--lead-runtime-request auto", "auto", "--lead-runtime-request auto"),
    ],
)
def test_the_selection_is_taken_out_of_the_words(argv: str, requested: str, rest: str) -> None:
    """L-056 to L-059."""
    assert split_run_arguments(argv.split(), VALUED) == (requested, rest.split())


@pytest.mark.parametrize("word", ["gemini", "agy", "grok", "cmux", "Codex", "claud", ""])
def test_another_leading_word_is_refused(word: str) -> None:
    """L-057."""
    with pytest.raises(UserError) as caught:
        split_run_arguments([word, "--lead-runtime", "codex"], VALUED)
    known = "claude, claude-code, codex, antigravity, external"
    assert str(caught.value) == f"not a lead: {word!r}; known: {known}"
    assert caught.value.status == 2


@given(st.lists(st.text().filter(lambda w: not w.startswith("--lead-runtime"))))
def test_all_other_words_stay_as_they_are(words: list[str]) -> None:
    assert split_run_arguments(["codex", *words], VALUED) == ("codex", words)
    assert split_run_arguments(["--lead-runtime=external", *words], ()) == ("external", words)


@pytest.mark.parametrize(
    "argv",
    [
        "codex --directive --lead-runtime=external --base-ref --yes",
        "codex --directive --lead-runtime --base-ref external",
        "codex --directive",
    ],
)
def test_a_value_is_no_request_and_no_consent(argv: str) -> None:
    """L-059, XS-09: both front doors read the same words alike."""
    assert split_run_arguments(argv.split(), VALUED) == ("codex", argv.split()[1:])


@pytest.mark.parametrize(
    ("requested", "variable", "session", "tmux", "resolved", "reason"),
    [
        ("codex", "external", "claude-code", True, "codex", "explicit"),
        ("external", "", "", False, "external", "explicit"),
        ("auto", "antigravity", "codex", True, "antigravity", "OKSTRA_RUNTIME_HOST"),
        ("", " codex ", "", False, "codex", "OKSTRA_RUNTIME_HOST"),
        ("auto", "", "codex", True, "codex", "host-session"),
        ("auto", "  ", "", True, "external", "tmux-available"),
    ],
)
def test_precedence(
    requested: str, variable: str, session: str, tmux: bool, resolved: str, reason: str
) -> None:
    """L-060."""
    found = resolve(requested, variable, session, tmux)
    assert found == Resolution(requested or "auto", resolved, reason)


def test_a_resolution_becomes_json() -> None:
    assert resolve("auto", "codex", "", False).to_json() == {
        "requestedRuntime": "auto",
        "resolvedRuntime": "codex",
        "reason": "OKSTRA_RUNTIME_HOST",
    }


@pytest.mark.parametrize(
    ("requested", "variable", "message"),
    [
        ("cmux", "codex", "--lead-runtime: unknown lead runtime: 'cmux'; allowed: claude-code, "),
        ("auto", "foo", "OKSTRA_RUNTIME_HOST: unknown lead runtime: 'foo'; allowed: claude-code"),
        ("auto", "auto", "OKSTRA_RUNTIME_HOST: unknown lead runtime: 'auto'; allowed: "),
        ("auto", "", "no lead was named, and none can be told from where this runs"),
    ],
)
def test_nothing_is_guessed(requested: str, variable: str, message: str) -> None:
    """L-061, L-062."""
    with pytest.raises(UserError) as caught:
        resolve(requested, variable, "", False)
    assert str(caught.value).startswith(message)
    assert caught.value.status == 2


def test_who_names_no_lead_is_told_the_words() -> None:
    with pytest.raises(UserError) as caught:
        resolve("auto", "", "", False)
    assert caught.value.next_step == f"okstra run <{'|'.join(leading_words())}>"
