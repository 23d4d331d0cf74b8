"""`okstra config`: settings shown, explained and changed (P-312, R-219, U-21)."""

from __future__ import annotations

import os
from typing import Any, NamedTuple

from okstra_ctl.runs import config, config_files
from okstra_kernel import display
from okstra_project.dirs import okstra_home
from okstra_project.root import resolve_project_root, resolve_project_root_safe

Answer = tuple[int, str]


class Ask(NamedTuple):
    """What the command line says besides key and value."""

    scope: str  # empty: the default
    show_origin: bool
    project_root: str  # empty: the one around the current folder
    as_json: bool

    @property
    def place(self) -> config_files.Place:
        cwd = os.getcwd()
        if self.project_root:
            return config_files.Place(okstra_home(), resolve_project_root(self.project_root, cwd))
        return config_files.Place(okstra_home(), resolve_project_root_safe("", cwd))


def get(key: str, ask: Ask) -> Answer:
    """Print the value that counts; exit 1 for a setting without one."""
    one = config.setting(key)
    scope = config.scope(one, ask.scope, config.ALL)
    found = config.effective(_within(scope, config_files.origins(one, ask.place, os.environ)))
    status = 0 if found else 1
    if ask.as_json:
        return status, display.document({"schemaVersion": 1, "ok": bool(found), **_row(one, found)})
    if not found:
        return status, ""
    origin = f"{_origin(found)}\t" if ask.show_origin else ""
    return status, f"{origin}{display.visible(found.value)}"


def put(key: str, value: str, ask: Ask) -> Answer:
    one = config.setting(key)
    scope = config.scope(one, ask.scope, config.PROJECT)
    return _changed(one, scope, ask, config.checked(one, value))


def unset(key: str, ask: Ask) -> Answer:
    one = config.setting(key)
    return _changed(one, config.scope(one, ask.scope, config.PROJECT), ask, None)


def show(key: str | None, ask: Ask) -> Answer:
    """Print the settings with the value in each scope, and the one that counts."""
    scope = config.scope(None, ask.scope, config.ALL)
    shown = [config.setting(key)] if key else list(config.SETTINGS)
    place = ask.place
    rows = []
    for one in shown:
        rungs = _within(scope, config_files.origins(one, place, os.environ))
        rows.append((one, rungs, config.effective(rungs)))
    if display.wants_json(ask.as_json):
        settings = [{**_row(one, found), "origins": _rungs(rungs)} for one, rungs, found in rows]
        return 0, display.document({"schemaVersion": 1, "ok": True, "settings": settings})
    cells = [[one.key, f.value if f else "-", _origin(f) if f else ""] for one, _, f in rows]
    return 0, display.table(["setting", "value", "from"], cells)


def explain(key: str, ask: Ask) -> Answer:
    """Print what a setting does, what it can be, and where its value comes from now."""
    one = config.setting(key)
    rungs = config_files.origins(one, ask.place, os.environ)
    found = config.effective(rungs)
    if ask.as_json:
        about = {"about": one.about, "values": one.values, "flag": one.flag or None}
        answer = {**_row(one, found), **about, "origins": _rungs(rungs)}
        return 0, display.document({"schemaVersion": 1, "ok": True, **answer})
    lines = [f"{one.key}: {one.about}", f"values: {one.values}", "order, the first counts:"]
    lines += [f"  flag         {one.flag}"] if one.flag else []
    lines += [f"  {rung.name:<12} {_told(rung)}" for rung in rungs]
    now = f"{display.visible(found.value)} ({found.name})" if found else "not set"
    return 0, "\n".join([*lines, f"now: {now}"])


def _changed(one: config.Setting, scope: str, ask: Ask, value: str | None) -> Answer:
    changed = config_files.change(one, scope, ask.place, value)
    if ask.as_json:
        answer = {"key": one.key, "value": value, "scope": scope, "changed": changed}
        return 0, display.document({"schemaVersion": 1, "ok": True, **answer})
    done = "unset" if value is None else f"set to {display.visible(value)}"
    return 0, f"{one.key}: {done if changed else 'unchanged'} ({scope})"


def _within(scope: str, rungs: list[config.Origin]) -> list[config.Origin]:
    """Leave out what is not of the scope asked for."""
    name = {config.PROJECT: "project", config.GLOBAL: "user"}.get(scope)
    return [rung for rung in rungs if name in (None, rung.name)]


def _row(one: config.Setting, found: config.Origin | None) -> dict[str, Any]:
    value, origin = (found.value, found.name) if found else (None, None)
    return {"key": one.key, "value": value, "origin": origin}


def _rungs(rungs: list[config.Origin]) -> list[dict[str, Any]]:
    return [
        {"origin": r.name, "value": r.value or None, "source": r.source or None, "counts": r.counts}
        for r in rungs
    ]


def _origin(found: config.Origin) -> str:
    return display.visible(f"{found.name}:{found.source}" if found.source else found.name)


def _told(rung: config.Origin) -> str:
    source = f"  ({display.visible(rung.source)})" if rung.source else ""
    why = "" if rung.counts or not rung.value else "; does not count"
    if why and rung.name == "project":
        why += " until okstra trust"
    return f"{display.visible(rung.value) or '-'}{source}{why}"
