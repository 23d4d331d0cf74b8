"""In which host's session are we? The innermost one, by parent process first (Z-098, 80 §10).

Pure: the processes and the environment are the caller's (`host_session_process`). A nested host
sees the outer host's variables, too; they are asked only when no parent is a host, and when they
tell of two hosts they tell nothing (L-061).
"""

from __future__ import annotations

import posixpath
from typing import Iterable, Mapping, NamedTuple, Sequence

from okstra_ctl.leads import runtimes
from okstra_ctl.providers import registry
from okstra_ctl.providers.base import ProviderSpec

HOSTS = ("claude", "codex")  # the providers whose session can be told (Z-004)

_INTERPRETERS = ("node", "bun", "deno")


class Process(NamedTuple):
    pid: int
    parent: int
    command: str  # the program's name or path
    arguments: Sequence[str] = ()  # argv, where it could be read


def innermost_host(
    processes: Iterable[Process], own_pid: int, environment: Mapping[str, str]
) -> str:
    """Return the runtime of the innermost host session, or an empty text."""
    by_pid = {process.pid: process for process in processes}
    specs = [registry.provider_spec(name) for name in HOSTS]
    seen: set[int] = set()
    process = by_pid.get(own_pid)
    while process and process.pid not in seen:
        seen.add(process.pid)
        process = by_pid.get(process.parent)
        for spec in specs if process else ():
            if process and _is_session(process, spec):
                return runtimes.runtime_of_provider(spec.name)
    told = [spec for spec in specs if any(environment.get(sign) for sign in spec.host_signs)]
    return runtimes.runtime_of_provider(told[0].name) if len(told) == 1 else ""


def _is_session(process: Process, spec: ProviderSpec) -> bool:
    names = [posixpath.basename(process.command)]
    arguments = list(process.arguments)
    if arguments:
        names.append(posixpath.basename(arguments[0]))
        if names[-1] in _INTERPRETERS and len(arguments) > 1:
            names.append(posixpath.basename(arguments[1]).removesuffix(".js"))
    return any(name.lstrip("-") in spec.process_names for name in names)
