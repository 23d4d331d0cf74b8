"""The settings there are, and which of their values counts (P-312 to P-314, R-218 to R-221). Pure.

The order of U-21: flag, environment, project, user, default. A project's values count only once
the project is trusted (Z-102).
"""

from __future__ import annotations

from typing import Callable, Mapping, NamedTuple

from okstra_kernel import UserError, texts

PROJECT, GLOBAL, ALL = "project", "global", "all"
SCOPES = (PROJECT, GLOBAL, ALL)


class Setting(NamedTuple):
    key: str  # as it is typed
    member: str  # as it stands in the file
    scopes: tuple[str, ...]  # where it can be kept
    flag: str  # the option that has the last word; empty: none
    variable: str  # likewise, of the environment
    default: str
    about: str  # what it does, one line
    values: str  # what it can be
    check: Callable[[str], bool]


class Origin(NamedTuple):
    """One rung of the order; the first with a value that counts wins."""

    name: str  # "environment", "project", "user", "default"
    value: str  # empty: none there
    source: str  # variable or file
    counts: bool


def _is_path(value: str) -> bool:
    return bool(value.strip()) and value.isprintable()


def _is_language(value: str) -> bool:
    return value in texts.LANGUAGES


SETTINGS = (
    Setting(
        "pr-template-path",
        "prTemplatePath",
        (PROJECT, GLOBAL),
        "--pr-template-path",
        "",
        "",
        "The pull request template that a release handoff starts from.",
        "a path; ~ and a relative path are resolved when it is used",
        _is_path,
    ),
    Setting(
        "language",
        "language",
        (GLOBAL,),
        "",
        texts.VARIABLE,
        "",
        "The language in which a person is asked; without it, the locale's.",
        " or ".join(texts.LANGUAGES),
        _is_language,
    ),
)


def setting(key: str) -> Setting:
    """Return a setting by its key. Raises UserError with the keys there are (P-314)."""
    for one in SETTINGS:
        if one.key == key:
            return one
    raise UserError(f"unknown setting: {key!r}; known: {', '.join(s.key for s in SETTINGS)}")


def scope(one: Setting | None, wanted: str, default: str) -> str:
    """Return the scope to use, checked. Raises UserError."""
    if wanted and wanted not in SCOPES:
        raise UserError(f"unknown scope: {wanted!r}; known: {', '.join(SCOPES)}")
    found = wanted or (default if one is None or default in (ALL, *one.scopes) else one.scopes[0])
    if one and found not in (ALL, *one.scopes):
        raise UserError(f"{one.key} is kept in the scope {one.scopes[0]} only, not {found}")
    return found


def checked(one: Setting, value: str) -> str:
    """Return a value that may be stored. Raises UserError saying what it can be."""
    if not one.check(value):
        raise UserError(f"not a value of {one.key}: {value!r}; it is {one.values}")
    return value


def origins(
    one: Setting,
    environment: Mapping[str, str],
    stored: Mapping[str, tuple[str, str]],
    trusted: bool,
) -> list[Origin]:
    """Return where a value could come from, the strongest first.

    `stored` has, by scope, the file and the value in it.
    """
    found = []
    if one.variable:
        value = environment.get(one.variable, "")
        found.append(Origin("environment", value, one.variable, one.check(value)))
    for place, name in ((PROJECT, "project"), (GLOBAL, "user")):
        if place in one.scopes and place in stored:
            source, value = stored[place]
            counts = one.check(value) and (place != PROJECT or trusted)
            found.append(Origin(name, value, source, counts))
    return [*found, Origin("default", one.default, "", bool(one.default))]


def effective(rungs: list[Origin]) -> Origin | None:
    """Return the rung whose value counts, or None for a setting without one."""
    return next((rung for rung in rungs if rung.value and rung.counts), None)
