"""What the installer's words ask for, for both front ends: `install.sh` and `okstra install`."""

from __future__ import annotations

import os
from typing import Mapping, NamedTuple

from okstra_ctl.install import install_files, uninstall_files
from okstra_ctl.install.venv_process import Tell
from okstra_kernel import UserError
from okstra_project import dirs


class Wish(NamedTuple):
    """The options of one call, as the usage texts name them."""

    rollback: bool = False
    uninstall: bool = False
    probe: bool = False
    purge: bool = False
    yes: bool = False
    dry_run: bool = False


def wish(options: Mapping[str, object]) -> Wish:
    """Return the wish that options such as `{"--dry-run": True}` tell; others are left out."""
    return Wish(*(bool(options.get(_option(name))) for name in Wish._fields))


def words(wished: Wish) -> list[str]:
    """Return the options that tell this wish."""
    return [_option(name) for name, on in zip(Wish._fields, wished, strict=True) if on]


def _option(field: str) -> str:
    return f"--{field.replace('_', '-')}"


def do(source: str, wished: Wish, tell: Tell) -> str:
    """Do what is wished with the tree at `source`; return what to say. Raises UserError."""
    _check(wished)
    home = os.path.realpath(dirs.okstra_home())  # may be a link, to another disk (XI-23)
    if wished.rollback:
        return install_files.rollback(home, dry_run=wished.dry_run)
    if wished.uninstall:
        return uninstall_files.uninstall(
            home, purge=wished.purge, yes=wished.yes, dry_run=wished.dry_run
        )
    text = install_files.install(source, home, tell, dry_run=wished.dry_run)
    if wished.dry_run:
        return text
    found = _probe(home, tell) if wished.probe else []
    return "\n".join([text, *found, *_way_to_it(home)])


def _check(wished: Wish) -> None:
    if wished.rollback and wished.uninstall:
        raise UserError("these do not go together: --rollback, --uninstall")
    if wished.probe and (wished.rollback or wished.uninstall):
        raise UserError("--probe goes with an installation only")
    if (wished.purge or wished.yes) and not wished.uninstall:
        raise UserError("--purge and --yes go with --uninstall only")


def _probe(home: str, tell: Tell) -> list[str]:
    """Store what the AI CLIs on this machine can do; return a line for each (Z-090)."""
    from okstra_ctl.providers import capabilities_process

    tell("asking the installed AI CLIs for their versions and options")
    return capabilities_process.probe_and_store(home)


def _way_to_it(home: str) -> list[str]:
    """Return the lines that a shell's start file needs, if it does not have them."""
    import shlex

    folder = os.path.join(home, "bin")  # the link, which stays the same from version to version
    lines = []
    if os.path.realpath(dirs.okstra_dir(os.environ.get("HOME", ""))) != home:
        lines.append(f"export OKSTRA_HOME={shlex.quote(home)}")
    known = os.environ.get("PATH", "").split(os.pathsep)
    if folder not in map(os.path.realpath, known) and folder not in known:
        lines.append(f"export PATH={shlex.quote(folder)}:$PATH")
    return ["next: add to your shell's start file:", *(f"  {x}" for x in lines)] if lines else []
