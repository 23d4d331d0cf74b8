"""Ask each installed CLI for its version and its help (Z-090). It starts nothing else of them."""

from __future__ import annotations

import os
from typing import Sequence

from okstra_ctl.providers import capabilities, capabilities_files, registry
from okstra_ctl.providers.base import ProviderSpec
from okstra_ctl.runs import index_files

TIMEOUT = 20.0  # seconds for one question
_MOST = 1 << 20  # bytes of an answer that are looked at


def probe_and_store(home: str) -> list[str]:
    """Probe all, keep the record in `home`, and return one sentence for each CLI.

    Makes the home if it is not there. Raises UserError or Refusal if it cannot be written.
    """
    found = probe()
    index_files.open_home(home)
    capabilities_files.save(home, found)
    return report(found)


def probe(search_path: str | None = None) -> list[capabilities.Capability]:
    """Return what is known of each CLI on the search path (the caller's PATH, if none is given)."""
    import shutil

    specs = [registry.provider_spec(name) for name in registry.provider_ids()]
    places = [(s, shutil.which(s.executable, path=search_path)) for s in specs if s.executable]
    return [_ask(spec, os.path.abspath(place)) for spec, place in places if place]


def report(found: Sequence[capabilities.Capability]) -> list[str]:
    """Return one sentence for each provider's CLI, for people."""
    by_provider = {one.provider: one for one in found}
    specs = [registry.provider_spec(name) for name in registry.provider_ids()]
    return [_sentence(spec, by_provider.get(spec.name)) for spec in specs if spec.executable]


def _sentence(spec: ProviderSpec, found: capabilities.Capability | None) -> str:
    head = f"{spec.executable}{'' if spec.verified else ' (experimental)'}"
    if found is None:
        return f"{head}: not installed"
    parts = [f"version {found.version}" if found.version else "version unknown"]
    if capabilities.in_checked_range(spec, found.version) is False:
        versions = " to ".join(dict.fromkeys(spec.checked_versions or ()))
        parts.append(f"okstra was checked with {versions}")
    missing = capabilities.missing_flags(spec, found)
    if not found.flags:
        parts.append("its help could not be read")
    elif missing:
        parts.append(f"needed but not in its help: {' '.join(missing)}")
    return f"{head}: {', '.join(parts)}"


def _ask(spec: ProviderSpec, place: str) -> capabilities.Capability:
    version = capabilities.parse_version(_answer([place, "--version"]))
    flags = capabilities.parse_flags(_answer([place, "--help"]))
    return capabilities.Capability(spec.name, place, version, flags)


def _answer(argv: list[str]) -> str:
    """Return what a command prints; nothing if it fails or takes too long.

    It gets a process group of its own, which is ended with it: a CLI's Node wrapper that is killed
    alone leaves its child behind (80 §11).
    """
    import signal
    import subprocess

    pipe, null = subprocess.PIPE, subprocess.DEVNULL
    try:
        child = subprocess.Popen(argv, stdin=null, stdout=pipe, stderr=null, start_new_session=True)
    except OSError:
        return ""
    with child:
        try:
            data, _ = child.communicate(timeout=TIMEOUT)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            return ""
    return data[:_MOST].decode("utf-8", "replace") if child.returncode == 0 else ""
