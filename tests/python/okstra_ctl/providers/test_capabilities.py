from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from okstra_ctl.providers import capabilities, registry
from okstra_ctl.providers.capabilities import Capability
from okstra_kernel import UserError, schemas, strict_json

HELP = """Usage: x [options] [--never]

Options:
  -c, --config <key=value>
          Sets it; `--deep` is another matter
  --allowedTools, --allowed-tools <tools...>
                                        --wrapped and more of the same sentence
  -d, --debug [filter]                  Enable, e.g. --debug=hooks
      --no-daemon
  -i, --image <FILE>...
  -p, --print                           Print, see --verbose
"""


def test_flags_are_read_from_the_list_and_not_from_descriptions() -> None:
    assert capabilities.parse_flags(HELP) == (
        *("--allowed-tools", "--allowedTools", "--config", "--debug", "--image", "--no-daemon"),
        *("--print", "-c", "-d", "-i", "-p"),
    )


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("codex-cli 0.171.0\n", "0.171.0"),
        ("2.1.332 (Claude Code)", "2.1.332"),
        ("v1.2.3-beta.1\nmore", "1.2.3-beta.1"),
        ("", ""),
        ("error 7", ""),
    ],
)
def test_versions(text: str, version: str) -> None:
    assert capabilities.parse_version(text) == version


@given(st.text())
def test_any_text_is_a_help_and_a_version(text: str) -> None:
    assert all(flag.startswith("-") for flag in capabilities.parse_flags(text))
    capabilities.parse_version(text)


@pytest.mark.parametrize(
    ("provider", "version", "checked"),
    [
        ("claude", "2.1.197", True),
        ("claude", "2.1.332", True),
        ("claude", "2.1.33", False),
        ("claude", "2.10.0", False),
        ("codex", "", None),
        ("antigravity", "1.0.0", None),
    ],
)
def test_the_range_that_was_measured(provider: str, version: str, checked: bool | None) -> None:
    spec = registry.provider_spec(provider)
    assert capabilities.in_checked_range(spec, version) is checked


def test_a_flag_that_drifted_away_is_named() -> None:
    """Z-015."""
    spec = registry.provider_spec("grok")
    assert capabilities.missing_flags(spec, Capability("grok", "/g", "1", ("-d", "-p"))) == ("-m",)
    assert capabilities.missing_flags(spec, Capability("grok", "/g", "1", ())) == ()


def test_what_is_written_is_read() -> None:
    found = Capability("codex", "/a b/codex", "0.171.0", ("--no-daemon", "-s"))
    value = capabilities.to_json([found], "2026-01-01T00:00:00Z")
    record = strict_json.parse(json.dumps(value), "f")
    assert capabilities.from_json(record) == {"codex": found}
    assert schemas.check(value, "capabilities") == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"schemaVersion": 2}', "f: $.schemaVersion: written by another okstra"),
        (
            '{"schemaVersion": 1, "providers": []}',
            "f: $.providers: expected an object, found a list",
        ),
        (
            '{"schemaVersion": 1, "providers": {"codex": {"executable": 1}}}',
            "f: $.providers.codex.executable: expected text, found a number",
        ),
    ],
)
def test_a_record_that_is_none_is_refused(text: str, message: str) -> None:
    with pytest.raises(UserError) as caught:
        capabilities.from_json(strict_json.parse(text, "f"))
    assert str(caught.value) == message
