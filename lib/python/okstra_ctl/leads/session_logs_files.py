"""Where the logs of a host's session lie: found by its id, never by folder or time (Z-097, 80 §5).

An id comes from a transcript or a manifest, so it is checked before it becomes part of a path.
"""

from __future__ import annotations

import os
import re
from typing import Iterator, Mapping

from okstra_ctl.leads.session_files import claude_config_folder

_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{7,63}")
_ENDING = ".jsonl"


def claude(session: str, environment: Mapping[str, str]) -> list[str]:
    """Return the logs of a Claude Code session, those of its subagents after its own."""
    if not _ID.fullmatch(session):
        return []
    base = os.path.join(claude_config_folder(environment), "projects")
    found: list[str] = []
    for folder in _folders(base):
        own = os.path.join(folder, f"{session}{_ENDING}")
        found += [own] if os.path.isfile(own) else []
        found += _files(os.path.join(folder, session, "subagents"), "agent-", _ENDING)
    return found


def codex(thread: str, environment: Mapping[str, str]) -> list[str]:
    """Return the rollout logs of a Codex thread; a resumed one has gone on in the same file."""
    if not _ID.fullmatch(thread):
        return []
    home = environment.get("HOME") or os.path.expanduser("~")
    base = environment.get("CODEX_HOME") or os.path.join(home, ".codex")
    days = [
        day
        for year in _folders(os.path.join(base, "sessions"))
        for month in _folders(year)
        for day in _folders(month)
    ]
    return [path for day in days for path in _files(day, "rollout-", f"-{thread}{_ENDING}")]


def _folders(place: str) -> list[str]:
    return [entry.path for entry in _entries(place) if entry.is_dir()]


def _files(place: str, start: str, end: str) -> list[str]:
    return [
        entry.path
        for entry in _entries(place)
        if entry.name.startswith(start) and entry.name.endswith(end) and entry.is_file()
    ]


def _entries(place: str) -> Iterator[os.DirEntry[str]]:
    try:
        with os.scandir(place) as entries:
            yield from sorted(entries, key=lambda entry: entry.name)
    except OSError:
        return
