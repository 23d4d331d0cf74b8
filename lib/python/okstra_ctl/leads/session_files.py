"""The id of the session that leads: fresh, or of the session we are in (L-180, P-192)."""

from __future__ import annotations

import os
from typing import Mapping

from okstra_ctl.leads import runtimes, session_id
from okstra_ctl.providers import registry


def new_session_id() -> str:
    """Return a fresh id, a random UUID: what claude's session flag needs (L-180, 80 §2)."""
    digits = bytearray(os.urandom(16))
    digits[6] = digits[6] & 0x0F | 0x40  # version 4
    digits[8] = digits[8] & 0x3F | 0x80  # the variant of RFC 9562
    text = digits.hex()
    return "-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:]))


def current_session_id(runtime: str, environment: Mapping[str, str], folder: str) -> str:
    """Return the id of the host session that this process is in, or "" if it cannot be told.

    The host's variable first; for Claude Code then the newest log of `folder`, which is the
    caller's current directory, never the project's root (L-181). Raises UnknownRuntimeError.
    """
    provider = runtimes.lead_runtime_info(runtime).provider
    if not provider:
        return ""
    variable = registry.provider_spec(provider).session_variable
    told = environment.get(variable, "").strip() if variable else ""
    if told or runtimes.is_artifact_only_runtime(runtime):
        return told
    return newest_claude_session(folder, claude_config_folder(environment))


def claude_config_folder(environment: Mapping[str, str]) -> str:
    """Return where Claude Code keeps its settings and logs (Z-097)."""
    home = environment.get("HOME") or os.path.expanduser("~")
    return environment.get("CLAUDE_CONFIG_DIR") or os.path.join(home, ".claude")


def newest_claude_session(folder: str, config_folder: str) -> str:
    """Return the id of the newest session log of a working folder, or "" if there is none."""
    name = session_id.claude_folder(os.path.realpath(folder))
    logs = []
    try:
        with os.scandir(os.path.join(config_folder, "projects", name)) as entries:
            for entry in entries:
                if entry.name.endswith(".jsonl") and entry.is_file():
                    logs.append((entry.stat().st_mtime_ns, entry.name))
    except OSError:
        return ""
    return max(logs)[1].removesuffix(".jsonl") if logs else ""
