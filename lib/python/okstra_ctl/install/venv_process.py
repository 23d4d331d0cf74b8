"""The virtual environment of one version: made with pip as the user configured it, compiled, tried.

It is built below a temporary name. What pip writes into scripts is that name, so they are put right
before the folder gets its own.
"""

from __future__ import annotations

import os
import sys
from typing import Callable

from okstra_ctl.install import layout
from okstra_kernel import Refusal

Tell = Callable[[str], None]  # takes one line for the user
_PIP = ("-m", "pip", "--quiet", "--no-input", "--disable-pip-version-check")
_TRY = "import docopt, jinja2, jsonschema, markdown_it, pyflakes, rich, yaml"
_LAST = 15  # lines of a failed program that are shown


def make(build: str, final: str, tell: Tell) -> None:
    """Make the environment of a version that is built at `build` and will lie at `final`.

    Raises Refusal, after telling what the program that failed said last.
    """
    venv = os.path.join(build, layout.VENV)
    _run([sys.executable, "-I", "-m", "venv", venv], "cannot make a virtual environment", tell)
    python = _python(build)
    wanted = os.path.join(build, layout.REQUIREMENTS)
    tell("getting the Python packages it runs on")
    install = [python, "-I", *_PIP, "install", "--no-compile", "-r", wanted]
    _run(install, "cannot get the Python packages", tell)
    _run([python, "-I", *_PIP, "check"], "the Python packages do not fit together", tell)
    _rename_in_scripts(venv, build, final)


def reuse(old: str, build: str, final: str) -> None:
    """Copy the environment of the version at `old`, whose packages and Python are the same."""
    import shutil

    venv = os.path.join(build, layout.VENV)
    shutil.copytree(os.path.join(old, layout.VENV), venv, symlinks=True)
    _rename_in_scripts(venv, old, final)


def finish(build: str, tell: Tell) -> None:
    """Compile all Python in a build, and try it. Raises Refusal as `make` does."""
    python = _python(build)
    packages = os.path.join(build, "lib", "python")
    compile_all = [python, "-I", "-m", "compileall", "-q", "-j", "0"]
    _run([*compile_all, packages, os.path.join(build, layout.VENV, "lib")], "cannot compile", tell)
    _run([python, "-I", "-c", _TRY], "the Python packages do not work", tell)
    okstra = os.path.join(build, "bin", "okstra")
    _run(["/bin/bash", "-p", okstra, "version", "--json"], "what was built does not start", tell)


def works(version: str) -> bool:
    """Say whether the environment of an installed version starts, and with the Python of now.

    An upgrade of the system's Python leaves an environment without its packages.
    """
    import subprocess

    show = "import sys; sys.stdout.write(str(sys.version_info[:2]))"
    command = [_python(version), "-I", "-c", f"{show}; {_TRY}"]
    try:
        run = subprocess.run(command, capture_output=True, encoding="utf-8", env=_environment())
    except OSError:
        return False
    return run.returncode == 0 and run.stdout.strip() == str(tuple(sys.version_info[:2]))


def _python(version: str) -> str:
    return os.path.join(version, layout.VENV, "bin", "python3")


def _environment() -> dict[str, str]:
    """Return the user's variables, with pip's among them, but none that names another Python."""
    return {name: value for name, value in os.environ.items() if name != "OKSTRA_PYTHON"}


def _run(command: list[str], trouble: str, tell: Tell) -> None:
    import subprocess

    try:
        run = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
            env=_environment(),
        )
    except OSError as err:
        raise Refusal(f"{trouble}: {command[0]}: {err.strerror}") from err
    if run.returncode == 0:
        return
    for line in run.stdout.strip().splitlines()[-_LAST:]:
        tell(line)
    raise Refusal(f"{trouble}: exit status {run.returncode}", next_step="try again")


def _rename_in_scripts(venv: str, old: str, new: str) -> None:
    """Put right the path that pip wrote into the scripts of an environment."""
    from okstra_kernel import store

    scripts = os.path.join(venv, "bin")
    for entry in [*os.scandir(scripts)]:
        if not entry.is_file(follow_symlinks=False) or entry.stat().st_size > 100_000:
            continue
        with open(entry.path, "rb") as stream:
            data = stream.read()
        fresh = data.replace(os.fsencode(old), os.fsencode(new))
        if fresh != data:
            store.write(scripts, entry.name, fresh, mode=entry.stat().st_mode & 0o777)
