from __future__ import annotations

import pytest

from okstra_ctl.providers import models, models_files, registry
from okstra_ctl.providers.models import Model, Price
from okstra_kernel import UserError

FILE = """
schemaVersion: 1
defaults:
  codex: {lead: "1.10", verifier: }
models:
  codex:
    1.10:
      displayName: One Ten
      executionValue: one-ten
      price: {input: 1.5, output: 2, cacheRead: 0, cacheWrite: 3}
      recorded: 2026-01-01
    plain: {}
  local: {lint: {}}
"""
CATALOG = models.parse(FILE, "f")
ONE_TEN = Model("codex", "1.10", "one-ten", "One Ten", Price(1.5, 2, 0, 3), "2026-01-01")


def test_a_default_is_a_model_or_none() -> None:
    assert models.default_model(CATALOG, "codex", "lead") == ONE_TEN
    nothing = Model("codex", "", "", "")
    assert models.default_model(CATALOG, "codex", "verifier") == nothing
    assert models.default_model(CATALOG, "codex", "critic") == nothing


def test_an_unknown_name_is_passed_on_and_its_price_is_unknown() -> None:
    """80 §2, Z-073."""
    assert models.resolve_model(CATALOG, "codex", " 1.10 ") == ONE_TEN
    assert models.resolve_model(CATALOG, "codex", "PLAIN") == Model(
        "codex", "plain", "plain", "plain"
    )
    assert models.resolve_model(CATALOG, "grok", "x/new-1") == Model(
        "grok", "x/new-1", "x/new-1", "x/new-1", None
    )


@pytest.mark.parametrize("name", ["", "  ", "-m", "a\x1b[0m", "a\nb", "a\0"])
def test_what_cannot_be_a_name_is_refused(name: str) -> None:
    with pytest.raises(UserError, match="not a model's name: "):
        models.resolve_model(CATALOG, "codex", name)


def test_the_engines_of_local_are_a_closed_list() -> None:
    with pytest.raises(UserError, match="unknown model of local: gpt; known: lint"):
        models.resolve_model(CATALOG, "local", "gpt")


def test_a_name_from_the_environment_must_be_known() -> None:
    assert models.known_model(CATALOG, "codex", "1.10") == ONE_TEN
    with pytest.raises(UserError, match=r"unknown model of codex: 'new'; known: 1\.10, plain"):
        models.known_model(CATALOG, "codex", "new")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("schemaVersion: 2", "f: schemaVersion: expected 1, found 2"),
        ("x: 1", "f: unknown: x; known: defaults, models, schemaVersion"),
        ("schemaVersion: 1", "f: models: expected a mapping"),
        ("schemaVersion: 1\nmodels: {codex: {m: {cost: 1}}}", "f: models.codex.m: unknown: cost"),
        (
            "schemaVersion: 1\nmodels: {codex: {m: {price: {input: 1}}}}",
            "f: models.codex.m.price: expected amounts",
        ),
        (
            "schemaVersion: 1\nmodels: {codex: {m: {price:"
            " {input: -1, output: 1, cacheRead: 1, cacheWrite: 1}}}}",
            "f: models.codex.m.price: expected amounts",
        ),
        (
            "schemaVersion: 1\nmodels: {codex: {}}\ndefaults: {codex: {lead: m}}",
            "f: defaults.codex.lead: not a model of this file: m",
        ),
        (
            "schemaVersion: 1\nmodels: {}\ndefaults: {grok: {executor: }}",
            "f: defaults.grok: grok does not support the role: executor",
        ),
        ("schemaVersion: 1\nmodels: {gemini: {}}", "unknown provider: 'gemini'"),
    ],
)
def test_a_damaged_catalog_is_named_with_its_place(text: str, message: str) -> None:
    with pytest.raises(UserError) as caught:
        models.parse(text, "f")
    assert str(caught.value).startswith(message)


def test_okstras_own_catalog_names_each_role_of_each_provider() -> None:
    catalog = models_files.load_catalog()
    assert {name: set(roles) for name, roles in catalog.defaults.items()} == {
        name: set(registry.provider_spec(name).roles) for name in registry.provider_ids()
    }
    assert list(catalog.models["local"]) == ["lint", "syntax", "trace"]  # H-030
    assert models.default_model(catalog, "local", "analyser").name == "trace"
    assert all(m.recorded for by_name in catalog.models.values() for m in by_name.values())
    prices = {m.price for m in catalog.models["claude"].values()}
    assert prices == {None}  # unknown until somebody writes down a source
