from __future__ import annotations

import pytest

from okstra_ctl.leads import launch
from okstra_ctl.providers.registry import UnknownProviderError


def test_only_a_lead_that_gives_up_a_protection_has_a_note() -> None:
    """L-126, P-197."""
    assert [launch.sandbox_waiver_note(name) for name in ("claude", "antigravity")] == ["", ""]
    note = launch.sandbox_waiver_note("codex")
    assert all(word in note for word in ("files", "network", "cmux", "worker CLIs"))


def test_a_granted_waiver_is_recorded() -> None:
    """Z-006."""
    at = "2026-01-01T00:00:00Z"
    assert launch.waiver_record("codex", "--yes", at) == {
        "flags": ["-s", "danger-full-access"],
        "note": launch.sandbox_waiver_note("codex"),
        "grantedBy": "--yes",
        "at": at,
    }


@pytest.mark.parametrize(
    ("provider", "session", "command"),
    [
        ("claude", "id", "cd '/a b' && claude --resume id"),
        ("claude", "", "cd '/a b' && okstra run 'x y'"),
        ("codex", "id", "cd '/a b' && okstra run 'x y'"),
    ],
)
def test_a_lead_is_taken_up_again(provider: str, session: str, command: str) -> None:
    """L-183."""
    assert launch.resume_command(provider, "/a b", session, ["okstra", "run", "x y"]) == command


def test_who_cannot_lead_has_no_launch() -> None:
    with pytest.raises(UnknownProviderError, match="cannot lead: grok"):
        launch.sandbox_waiver_note("grok")
