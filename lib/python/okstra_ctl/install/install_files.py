"""Install the okstra of a source tree: build beside, then switch one link (Z-104, L-186, L-189).

Order, so that a kill at any moment leaves the version in use working and the next run completes it:
build below a temporary name, list the files, give the build its name, switch, list what is in use,
remove what is older than the version before.
"""

from __future__ import annotations

import os
from typing import NamedTuple

from okstra_ctl.install import (
    home_files,
    layout,
    link_files,
    manifest,
    manifest_files,
    tree_files,
    venv_process,
)
from okstra_ctl.install.venv_process import Tell
from okstra_kernel import Refusal, iso_time, locks, store


class _Job(NamedTuple):
    source: str  # the tree to install
    home: str
    files: list[layout.Shipped]
    tell: Tell

    @property
    def wanted(self) -> str:
        with open(os.path.join(self.source, "VERSION"), encoding="utf-8") as stream:
            return layout.version_id(stream.read().strip(), self.files)

    def place(self, version: str) -> str:
        return os.path.join(self.home, layout.VERSIONS, version)


def install(source: str, home: str, tell: Tell, *, dry_run: bool = False) -> str:
    """Install the tree at `source` into `home`; return what there is to say.

    Raises UserError for a source that is not whole, Refusal for a home that must not be written
    or a build that failed; the version in use stays as it is then.
    """
    job = _Job(os.path.realpath(source), home, tree_files.shipped(source), tell)
    home_files.check(home)
    if dry_run:
        return _intent(job)
    home_files.make(home)
    with locks.hold(home, home_files.LOCK):
        return _install(job)


def rollback(home: str, *, dry_run: bool = False) -> str:
    """Put the version before into use; again, and the later one is back. Raises Refusal."""
    home_files.check(home)
    known = manifest_files.read(home)
    if not known.previous or not known.version(known.previous):
        raise Refusal(f"no version before to go back to: {home}", next_step="okstra install")
    line = f"{known.current} -> {known.previous}"
    if dry_run:
        return f"would switch: {line}"
    with locks.hold(home, home_files.LOCK):
        known = manifest_files.read(home)
        link_files.switch(home, known.previous)
        manifest_files.write(home, manifest.switched(known, known.previous))
    return f"switched: {line}\nnext: okstra install --rollback undoes this"


def _intent(job: _Job) -> str:
    present = manifest_files.read(job.home).current
    if layout.same_content(job.wanted, present):
        return f"installed already: okstra {present} in {job.home}"
    return f"would install: okstra {job.wanted} into {job.place(job.wanted)}, in use now: " + (
        present or "none"
    )


def _install(job: _Job) -> str:
    known = manifest_files.read(job.home)
    _remove_unfinished(job)
    name = _whole_version(job, known)
    if name and name == known.current:
        return f"nothing changed: okstra {name} is installed in {job.home}"
    if not name:
        name = layout.free_id(job.wanted, os.listdir(job.place("")))
        known = _build(job, known, name)
    link_files.switch(job.home, name)
    known = manifest.switched(known, name)
    manifest_files.write(job.home, known)
    kept = _prune(job, known)
    return "\n".join([_done(job, known), *kept])


def _whole_version(job: _Job, known: manifest.Manifest) -> str:
    """Return the installed version with just this content and every file as listed, or nothing."""
    for one in reversed(known.versions):
        if not layout.same_content(one.id, job.wanted) or not os.path.isdir(job.place(one.id)):
            continue
        changed = tree_files.differences(job.place(one.id), one.files)
        if not changed and venv_process.works(job.place(one.id)):
            return one.id
        for path in changed:
            job.tell(f"changed since it was installed, and left: {job.place(one.id)}/{path}")
    return ""


def _build(job: _Job, known: manifest.Manifest, name: str) -> manifest.Manifest:
    """Build a version and give it its name; return the manifest that lists it."""
    build = job.place(f"{layout.UNFINISHED}{os.urandom(4).hex()}")
    job.tell(f"installing okstra {name} into {job.home}")
    try:
        os.mkdir(build, 0o755)
        tree_files.copy(job.source, job.files, build)
        _environment(job, known, build, job.place(name))
        venv_process.finish(build, job.tell)
        now = iso_time.now()
        store.write_json(build, layout.BUILD_RECORD, _build_record(job, now))
        listed = manifest.Version(name, now, tree_files.entries(build))
        os.sync()  # what is switched to must outlive a power cut
        known = manifest.with_version(known, listed)
        manifest_files.write(job.home, known)
        os.rename(build, job.place(name))
    except OSError as err:
        raise Refusal(f"cannot install: {err.filename}: {err.strerror}") from err
    finally:
        tree_files.remove_all(build)
    return known


def _environment(job: _Job, known: manifest.Manifest, build: str, final: str) -> None:
    """Copy the environment in use when nothing would differ: fast, and without a network."""
    present = known.version(known.current)
    old = job.place(known.current)
    if present and _same_packages(old, build) and venv_process.works(old):
        listed = {path: was for path, was in present.files.items() if path.startswith("venv/")}
        if not tree_files.differences(old, listed):
            job.tell("taking the Python packages of the version in use")
            return venv_process.reuse(old, build, final)
    venv_process.make(build, final, job.tell)


def _same_packages(old: str, build: str) -> bool:
    texts = []
    for version in (old, build):
        try:
            with open(os.path.join(version, layout.REQUIREMENTS), "rb") as stream:
                texts.append(stream.read())
        except OSError:
            return False
    return texts[0] == texts[1]


def _build_record(job: _Job, now: str) -> dict[str, object]:
    with open(os.path.join(job.source, "VERSION"), encoding="utf-8") as stream:
        version = stream.read().strip()
    return {"schemaVersion": 1, "package": version, "builtAt": now, "repoRoot": job.source}


def _remove_unfinished(job: _Job) -> None:
    """Remove what a killed installation left; this one holds the lock, so no other builds."""
    link_files.remove_unfinished(job.home)
    for name in os.listdir(job.place("")):
        if name.startswith(layout.UNFINISHED):
            tree_files.remove_all(job.place(name))


def _prune(job: _Job, known: manifest.Manifest) -> list[str]:
    """Remove older versions as far as they are as listed; return a line for each file kept."""
    old = manifest.superfluous(known)
    kept: list[str] = []
    for one in old:
        kept += tree_files.remove_listed(job.place(one.id), one.files)
    if old:
        manifest_files.write(job.home, manifest.without(known, old))
    return [f"kept (not as it was installed): {path}" for path in kept]


def _done(job: _Job, known: manifest.Manifest) -> str:
    lines = [f"installed: okstra {known.current} in {job.home}"]
    if known.previous:
        lines.append(f"kept: okstra {known.previous}; back to it with: okstra install --rollback")
    return "\n".join(lines)
