"""`okstra trust`: whether a project's `.okstra/` is honoured, shown and decided (Z-102, G-020)."""

from __future__ import annotations

import os
from typing import Any, NamedTuple

from okstra_kernel import Refusal, display, store
from okstra_project import trust_files
from okstra_project.dirs import OKSTRA_DIR_NAME, okstra_dir, okstra_home
from okstra_project.root import resolve_project_root

Answer = tuple[int, str]
VIA = "okstra trust"


class State(NamedTuple):
    """What is so now. `present`: there is an `.okstra/` at all."""

    root: str
    present: bool
    trusted: bool
    holdings: list[str]


def show(project: str, *, as_json: bool) -> Answer:
    """Tell whether the project is trusted, and what trust allows; exit 1 for a no."""
    state = _state(project)
    status = 0 if state.trusted else 1
    if display.wants_json(as_json):
        return status, display.document(_document(state, changed=False))
    return status, _told(state)


def grant(project: str, *, yes: bool, as_json: bool) -> Answer:
    """Ask, unless `yes`, and record the trust. Raises Refusal where there is nothing to trust."""
    state = _state(project)
    if not state.present:
        raise Refusal(
            f"nothing to trust yet: no {OKSTRA_DIR_NAME}/ in {state.root}",
            next_step="prepare a first task there with okstra.sh",
        )
    if state.trusted:
        return _answer(state, as_json, changed=False)
    from okstra_ctl.runs import config_files
    from okstra_project import trust_question

    home = okstra_home()
    lang = config_files.language(home, os.environ)
    if not yes and not trust_question.ask(state.root, state.holdings, lang, flag="--yes"):
        raise Refusal(f"not trusted, the answer was no: {state.root}")
    return _record(state, VIA, as_json)


def revoke(project: str, *, as_json: bool) -> Answer:
    state = _state(project)
    if not state.trusted:
        return _answer(state, as_json, changed=False)
    return _record(state, "revoked", as_json)


def _record(state: State, via: str, as_json: bool) -> Answer:
    from okstra_ctl.runs import index_files

    home = okstra_home()
    index_files.open_home(home)
    trust_files.record(home, state.root, via, trusted=via == VIA)
    return _answer(state._replace(trusted=via == VIA), as_json, changed=True)


def _state(project: str) -> State:
    root = resolve_project_root(project, os.getcwd())
    store.refuse_links(root, OKSTRA_DIR_NAME)
    present = os.path.isdir(okstra_dir(root))
    trusted = present and trust_files.is_trusted(okstra_home(), root)
    return State(root, present, trusted, trust_files.holdings(root) if present else [])


def _answer(state: State, as_json: bool, *, changed: bool) -> Answer:
    if as_json:
        return 0, display.document(_document(state, changed))
    word = "trusted" if state.trusted else "not trusted"
    return 0, f"{word if changed else f'{word} already'}: {display.visible(state.root)}"


def _document(state: State, changed: bool) -> dict[str, Any]:
    return {
        "schemaVersion": 1,
        "ok": state.trusted,
        "projectRoot": state.root,
        "present": state.present,
        "trusted": state.trusted,
        "changed": changed,
        "holdings": state.holdings,
    }


def _told(state: State) -> str:
    if not state.present:
        return f"nothing to trust yet: no {OKSTRA_DIR_NAME}/ in {display.visible(state.root)}"
    word = "trusted" if state.trusted else "not trusted"
    lines = [f"{word}: {display.visible(state.root)}"]
    return "\n".join([*lines, *(f"  {display.visible(item)}" for item in state.holdings)])
