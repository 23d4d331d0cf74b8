"""What was found out about the installed CLIs, and what that means (Z-015, Z-090).

A record is of the moment it was probed. It never says what a provider is, only which version and
which flags this machine's CLI has.
"""

from __future__ import annotations

import re
from typing import Any, Iterable, Mapping, NamedTuple

from okstra_ctl.providers.base import ProviderSpec
from okstra_kernel import strict_json

FILE = "capabilities.json"  # below okstra's home (20 §4)
SCHEMA_VERSION = 1

_INDENT = 10  # blanks before a flag in a help text, at most


class Capability(NamedTuple):
    """One installed CLI. A version or flags that could not be read are empty."""

    provider: str
    executable: str  # absolute path
    version: str
    flags: tuple[str, ...]  # what its help names, sorted

    def takes(self, flag: str) -> bool:
        """Whether the help names this flag. Of a help that could not be read nothing is known."""
        return flag in self.flags


def parse_version(text: str) -> str:
    """Return the first version number in what `--version` printed, or an empty text."""
    found = re.search(r"\d+(?:\.\d+){1,3}(?:-[0-9A-Za-z.]+)?", text)
    return found[0] if found else ""


def parse_flags(help_text: str) -> tuple[str, ...]:
    """Return the flags that a help text lists: those that begin a line, with their aliases.

    A line that is indented further belongs to a description, which may name other flags.
    """
    flags: set[str] = set()
    for line in help_text.splitlines():
        rest = line.lstrip(" ")
        if len(line) - len(rest) > _INDENT:
            continue
        while found := re.match(r"(--?[A-Za-z][\w-]*)(?:[ =][<\[][^>\]]*[>\]](?:\.\.\.)?)?", rest):
            flags.add(found[1])
            rest = rest[found.end() :]
            if not rest.startswith((", ", " | ", "|")):
                break
            rest = rest.lstrip(", |")
    return tuple(sorted(flags))


def missing_flags(spec: ProviderSpec, capability: Capability) -> tuple[str, ...]:
    """Return the flags okstra uses that this CLI's help does not name (Z-015); none if unread."""
    if not capability.flags:
        return ()
    return tuple(flag for flag in spec.needed_flags if not capability.takes(flag))


def in_checked_range(spec: ProviderSpec, version: str) -> bool | None:
    """Return whether this version lies in the range that was measured; None: nobody can tell."""
    if spec.checked_versions is None or not version:
        return None
    low, high = map(_numbers, spec.checked_versions)
    return low <= _numbers(version) <= high


def to_json(capabilities: Iterable[Capability], probed_at: str) -> dict[str, Any]:
    """Return the file's value, as `from_json` reads it. `probed_at` is a time (`iso_time`)."""
    providers = {
        one.provider: {
            "executable": one.executable,
            "version": one.version,
            "flags": list(one.flags),
        }
        for one in capabilities
    }
    return {"schemaVersion": SCHEMA_VERSION, "probedAt": probed_at, "providers": providers}


def from_json(record: strict_json.Record) -> Mapping[str, Capability]:
    """Return the capabilities by provider. Raises UserError, naming the member at fault."""
    if record.integer("schemaVersion") != SCHEMA_VERSION:
        raise record.fault("schemaVersion", "written by another okstra")
    by_name = record.record("providers")
    found = {name: by_name.record(name) for name in by_name.members}
    return {
        name: Capability(
            name, one.text("executable"), one.text("version"), tuple(one.texts("flags"))
        )
        for name, one in found.items()
    }


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", version.partition("-")[0])))
