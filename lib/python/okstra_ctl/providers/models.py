"""The model catalog: defaults by provider and role, display names, prices (L-120, Z-073).

A name the catalog does not know is passed on as it is: CLIs resolve aliases themselves, and learn
new ones sooner than this file (80 §2). Only the engines of `local` are a closed list, and a name
from an environment default must be known (L-154; `known_model`). Prices are in USD per million
tokens; None is an unknown price, which is never 0.
"""

from __future__ import annotations

from typing import Mapping, NamedTuple

from okstra_ctl.providers import registry
from okstra_kernel import UserError, strict_yaml

_ENTRY = {"displayName", "executionValue", "price", "recorded"}
_PRICE = ("input", "output", "cacheRead", "cacheWrite")


class Price(NamedTuple):
    input: float
    output: float
    cache_read: float
    cache_write: float


class Model(NamedTuple):
    """A model as people name it, and as its CLI takes it (L-156). Empty: no model flag."""

    provider: str
    name: str
    execution_value: str
    display_name: str
    price: Price | None = None
    recorded: str = ""  # the day the entry was written down


class Catalog(NamedTuple):
    defaults: Mapping[str, Mapping[str, str]]  # provider → role (in the registry's words) → name
    models: Mapping[str, Mapping[str, Model]]  # provider → name


def parse(text: str, source: str) -> Catalog:
    """Return the catalog that a file's text holds. Raises UserError, naming what is wrong in it."""
    value = strict_yaml.parse(text, source)
    _only(value, {"schemaVersion", "defaults", "models"}, source)
    if value.get("schemaVersion") != "1":
        raise UserError(f"{source}: schemaVersion: expected 1, found {value.get('schemaVersion')}")
    models = {
        registry.provider_spec(provider).name: {
            name: _model(provider, name, entry, f"{source}: models.{provider}.{name}")
            for name, entry in _mapping(entries, f"{source}: models.{provider}").items()
        }
        for provider, entries in _mapping(value.get("models"), f"{source}: models").items()
    }
    return Catalog(_defaults(value.get("defaults"), models, f"{source}: defaults"), models)


def default_model(catalog: Catalog, provider: str, role: str) -> Model:
    """Return a provider's default model for a role, in the registry's words.

    One with empty names where there is none: no model flag is passed.
    """
    name = catalog.defaults.get(provider, {}).get(role, "")
    return catalog.models[provider][name] if name else Model(provider, "", "", "")


def resolve_model(catalog: Catalog, provider: str, name: str) -> Model:
    """Return the model that a user named. Raises UserError for what cannot be a model's name."""
    name = name.strip()
    if not name or name.startswith("-") or not name.isprintable():
        raise UserError(f"not a model's name: {name!r}")
    known = _find(catalog, provider, name)
    if known:
        return known
    if not registry.provider_spec(provider).any_model:
        names = ", ".join(catalog.models.get(provider, {}))
        raise UserError(f"unknown model of {provider}: {name}; known: {names}")
    return Model(provider, name, name, name)


def known_model(catalog: Catalog, provider: str, name: str) -> Model:
    """Return a model of the catalog. Raises UserError for a name that is not in it (L-154)."""
    known = _find(catalog, provider, name.strip())
    if known is None:
        names = ", ".join(catalog.models.get(provider, {}))
        raise UserError(f"unknown model of {provider}: {name!r}; known: {names}")
    return known


def price(catalog: Catalog, provider: str, name: str) -> Price | None:
    """Return what a model costs; None where no price of it was written down on a known day.

    `name` is the catalog's, or the one that its CLI takes.
    """
    known = catalog.models.get(provider, {})
    same = (one for one in known.values() if name.casefold() in _names(one))
    found = next(same, None)
    return found.price if found and found.recorded else None


def _names(model: Model) -> tuple[str, str]:
    return model.name.casefold(), model.execution_value.casefold()


def _find(catalog: Catalog, provider: str, name: str) -> Model | None:
    models = catalog.models.get(provider, {})
    same = (model for known, model in models.items() if known.casefold() == name.casefold())
    return next(same, None)


def _defaults(
    value: object, models: Mapping[str, Mapping[str, Model]], place: str
) -> Mapping[str, Mapping[str, str]]:
    defaults: dict[str, dict[str, str]] = {}
    for provider, by_role in _mapping(value, place).items():
        spec = registry.provider_spec(provider)
        here = f"{place}.{provider}"
        defaults[spec.name] = {}
        for role, name in _mapping(by_role, here).items():
            if role not in spec.roles:
                raise UserError(f"{here}: {spec.name} does not support the role: {role}")
            if not isinstance(name, str) or (name and name not in models.get(spec.name, {})):
                raise UserError(f"{here}.{role}: not a model of this file: {name}")
            defaults[spec.name][role] = name
    return defaults


def _model(provider: str, name: str, entry: object, place: str) -> Model:
    members = _mapping(entry, place)
    _only(members, _ENTRY, place)
    texts = {key: members.get(key, "") for key in _ENTRY - {"price"}}
    for key, value in texts.items():
        if not isinstance(value, str):
            raise UserError(f"{place}.{key}: expected text")
    return Model(
        provider,
        name,
        execution_value=str(texts["executionValue"]) or name,
        display_name=str(texts["displayName"]) or name,
        price=_price(members.get("price", ""), f"{place}.price"),
        recorded=str(texts["recorded"]),
    )


def _price(value: object, place: str) -> Price | None:
    if value == "":
        return None
    members = _mapping(value, place)
    _only(members, set(_PRICE), place)
    try:
        amounts = [float(str(members[key])) for key in _PRICE]
    except (KeyError, ValueError):
        amounts = []
    if not amounts or not all(0 <= amount < float("inf") for amount in amounts):
        raise UserError(f"{place}: expected amounts for {', '.join(_PRICE)}")
    return Price(*amounts)


def _mapping(value: object, place: str) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise UserError(f"{place}: expected a mapping")
    return value


def _only(members: Mapping[str, object], known: set[str], place: str) -> None:
    for key in members:
        if key not in known:
            raise UserError(f"{place}: unknown: {key}; known: {', '.join(sorted(known))}")
