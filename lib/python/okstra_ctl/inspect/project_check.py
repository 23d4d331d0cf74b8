"""`okstra check-project`: may okstra be used here, and what would put it right (L-192)?"""

from __future__ import annotations

import os
import shlex
from typing import Any, NamedTuple

from okstra_ctl.inspect import project_check_files as files
from okstra_kernel import UserError, display
from okstra_project.dirs import okstra_home
from okstra_project.root import resolve_project_root

OK, WARN, FAIL = "ok", "warn", "fail"


class Check(NamedTuple):
    name: str
    state: str
    detail: str
    fix: str = ""  # a command or an act


def report(project_root: str, *, as_json: bool) -> tuple[int, str]:
    """Return 0 if nothing fails, else 1, and the checks."""
    checks = [_home()]
    try:
        root = resolve_project_root(project_root, os.getcwd())
        checks = [Check("project-root", OK, root), *_project(root), *checks]
    except UserError as err:
        root = ""
        checks = [Check("project-root", FAIL, str(err), err.next_step), *checks]
    status = int(any(check.state == FAIL for check in checks))
    if display.wants_json(as_json):
        return status, display.document(_document(status, root, checks))
    return status, "\n".join(line for check in checks for line in _lines(check))


def _project(root: str) -> list[Check]:
    links = files.links(root)
    if links:
        return [Check("links", FAIL, f"a link: {links}", f"rm {shlex.quote(links)}")]
    return [_record(root), _trust(root), _exclude(root), _tasks(root)]


def _record(root: str) -> Check:
    """Judge project.json, which is where the project's id stands."""
    try:
        id = files.project_id(root)
    except UserError as err:
        return Check("project-json", FAIL, str(err), err.next_step)
    if not id:
        return Check("project-json", WARN, "not registered yet", "okstra.sh registers it")
    return Check("project-json", OK, f"project id {id}")


def _trust(root: str) -> Check:
    try:
        state = files.trust(okstra_home(), root)
    except UserError as err:
        return Check("trust", FAIL, str(err))
    if state == files.UNTRUSTED:
        return Check("trust", WARN, "its .okstra is only read", "okstra trust")
    return Check("trust", OK, state)


def _exclude(root: str) -> Check:
    try:
        state = files.exclude(root)
    except UserError as err:
        return Check("git-exclude", FAIL, str(err), err.next_step)
    if state == files.VISIBLE:
        return Check("git-exclude", WARN, "git sees .okstra/", "okstra.sh hides it")
    return Check("git-exclude", OK, state)


def _home() -> Check:
    try:
        home = okstra_home()
        return Check("home", *files.home(home))
    except UserError as err:
        return Check("home", FAIL, str(err), err.next_step)


def _tasks(root: str) -> Check:
    try:
        count, broken = files.tasks(root)
    except UserError as err:
        return Check("tasks", FAIL, str(err), err.next_step)
    if broken:
        fault, fix = broken[0]
        more = f" and {len(broken) - 1} more" if broken[1:] else ""
        return Check("tasks", FAIL, f"{fault}{more}", fix)
    return Check("tasks", OK, f"{count} tasks")


def _document(status: int, root: str, checks: list[Check]) -> dict[str, Any]:
    rows = [check._asdict() for check in checks]
    return {"schemaVersion": 1, "ok": status == 0, "projectRoot": root or None, "checks": rows}


def _lines(check: Check) -> list[str]:
    lines = [f"{check.state:<5} {check.name:<13} {display.visible(check.detail)}"]
    return [*lines, f"      next: {display.visible(check.fix)}"] if check.fix else lines
