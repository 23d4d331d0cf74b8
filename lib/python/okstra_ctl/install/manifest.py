"""The list of what an installation wrote, and of which version is in use (L-187, Z-104).

Removal goes by this list alone: what it does not name, or what no longer has the content that it
names, is the user's.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from okstra_ctl.install import layout
from okstra_kernel import UserError, strict_json

RUNTIME = "auto"  # what gets installed does not depend on who runs it (L-187)
_LINK = "link:"  # begins the entry of a link; its target follows


class Version(NamedTuple):
    id: str
    installed_at: str  # ISO-8601, UTC
    files: dict[str, str]  # path below the version's folder -> `entry_of_…`


class Manifest(NamedTuple):
    versions: tuple[Version, ...] = ()
    current: str = ""
    previous: str = ""

    def version(self, name: str) -> Version | None:
        return next((one for one in self.versions if one.id == name), None)


def entry_of_link(target: str) -> str:
    """Return what stands in the list for a link; for a file it is its sha256."""
    return _LINK + target


def with_version(manifest: Manifest, version: Version) -> Manifest:
    """Return the manifest with this version listed, whatever was listed under its name."""
    others = tuple(one for one in manifest.versions if one.id != version.id)
    return manifest._replace(versions=(*others, version))


def in_use(manifest: Manifest, linked: str) -> Manifest:
    """Return the manifest as the link tells it: it is switched first, and decides.

    `linked` is the version that `current` names, or empty.
    """
    if linked == manifest.current:
        return manifest
    previous = manifest.current if linked else manifest.previous
    return manifest._replace(current=linked, previous=previous)


def switched(manifest: Manifest, name: str) -> Manifest:
    """Return the manifest after the switch to a version; the one before is kept for a rollback."""
    if name == manifest.current:
        return manifest
    return manifest._replace(current=name, previous=manifest.current)


def superfluous(manifest: Manifest) -> list[Version]:
    """Return the versions that are neither in use nor the one before."""
    kept = (manifest.current, manifest.previous)
    return [one for one in manifest.versions if one.id not in kept]


def without(manifest: Manifest, gone: list[Version]) -> Manifest:
    return manifest._replace(versions=tuple(v for v in manifest.versions if v not in gone))


def to_json(manifest: Manifest, links: dict[str, str]) -> dict[str, Any]:
    """Return the manifest as its file holds it."""
    return {
        "schemaVersion": 1,
        "runtimeRequest": RUNTIME,
        "runtime": "unresolved",
        "current": manifest.current,
        "previous": manifest.previous,
        "links": links,
        "versions": [
            {"id": one.id, "installedAt": one.installed_at, "files": one.files}
            for one in manifest.versions
        ],
    }


def from_record(record: strict_json.Record) -> Manifest:
    """Return the manifest that a file holds. Raises UserError naming the member at fault."""
    if record.integer("schemaVersion") != 1:
        raise UserError(f"{record.where}.schemaVersion: this okstra reads 1 (Z-112)")
    versions = tuple(map(_version, record.records("versions")))
    return Manifest(versions, record.text("current", ""), record.text("previous", ""))


def _version(row: strict_json.Record) -> Version:
    files = row.record("files")
    entries = {path: files.text(path) for path in files.members}
    for path in entries:
        if path.startswith("/") or ".." in path.split("/"):
            raise row.fault("files", f"not a path below a version: {path}")
    name = row.text("id")
    if layout.version_of(layout.target_of(name)) != name:
        raise row.fault("id", f"not a version's name: {name}")
    return Version(name, row.text("installedAt"), entries)
