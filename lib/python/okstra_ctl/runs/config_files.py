"""Where settings are kept: a project's `project.json`, the user's `config.json` (P-312, P-313)."""

from __future__ import annotations

import os
from typing import Any, Mapping, NamedTuple

from okstra_ctl.runs import config
from okstra_kernel import Refusal, UserError, strict_json, texts
from okstra_project import project_json
from okstra_project.dirs import project_json_path

FILENAME = "config.json"
LOCK = "config.lock"
SCHEMA_VERSION = 1


class Place(NamedTuple):
    """Whose settings are asked for."""

    home: str
    project_root: str  # empty: no project around


def origins(
    one: config.Setting, place: Place, environment: Mapping[str, str]
) -> list[config.Origin]:
    """Return where a setting's value could come from, the strongest first. Raises UserError."""
    stored = {config.GLOBAL: (user_path(place.home), _member(one, _user(place.home)))}
    trusted = False
    if place.project_root and config.PROJECT in one.scopes:
        value = _member(one, project_json.read(place.project_root))
        stored[config.PROJECT] = (project_json_path(place.project_root), value)
        trusted = bool(value) and _is_trusted(place)
    return config.origins(one, environment, stored, trusted)


def value(key: str, place: Place, environment: Mapping[str, str]) -> str:
    """Return the value of a setting that counts, or an empty text. Raises UserError."""
    found = config.effective(origins(config.setting(key), place, environment))
    return found.value if found else ""


def language(home: str, environment: Mapping[str, str]) -> str:
    """Return the language in which to ask (L-199). A file that cannot be read has no say."""
    try:
        kept = _member(config.setting("language"), _user(home))
    except UserError:
        kept = ""
    return texts.language(environment, kept)


def change(one: config.Setting, scope: str, place: Place, value: str | None) -> bool:
    """Store a value, or drop it (None). Return whether anything changed. Raises UserError."""
    if scope == config.ALL:
        raise UserError(f"a value is kept in one scope: --scope={config.ALL} is for reading")
    from okstra_ctl.runs import index_files  # what only a change needs

    index_files.open_home(place.home)
    if scope == config.GLOBAL:
        return _change_user(place.home, {one.member: value})
    if not place.project_root:
        raise UserError("no project here", next_step="pass --project-root=<folder>")
    if not project_json.project_id(place.project_root):
        raise Refusal(
            f"this project is not registered yet: {place.project_root}",
            next_step="prepare a first task with okstra.sh, or pass --scope=global",
        )
    return project_json.change(place.home, place.project_root, {one.member: value})


def user_path(home: str) -> str:
    return os.path.join(home, FILENAME)


def _user(home: str) -> strict_json.Record | None:
    path = user_path(home)
    return strict_json.read(path).versioned(SCHEMA_VERSION) if os.path.lexists(path) else None


def _member(one: config.Setting, record: strict_json.Record | None) -> str:
    return record.text(one.member, "") if record else ""


def _is_trusted(place: Place) -> bool:
    from okstra_project import trust_files

    return trust_files.is_trusted(place.home, place.project_root)


def _change_user(home: str, members: dict[str, Any]) -> bool:
    from okstra_kernel import locks, store

    with locks.hold(home, LOCK):
        record = _user(home)
        before = record.members if record else {}
        after = {"schemaVersion": SCHEMA_VERSION, **before, **members}
        after = {name: value for name, value in after.items() if value is not None}
        if after == before or (not before and len(after) == 1):
            return False
        store.write_json(home, FILENAME, after, mode=store.PRIVATE)
        return True
