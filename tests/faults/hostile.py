"""Surroundings that try to run code in every program they reach (XS-01, XS-03, XS-04).

Whatever runs appends its name to the file `$RAN`. A naive script shows that they do bite.
"""

from __future__ import annotations

from pathlib import Path

from faults.sandbox import Sandbox

MODULES = (
    *("json", "re", "docopt", "yaml", "jinja2", "jsonschema", "sitecustomize", "usercustomize"),
    *("okstra_boot", "okstra_ctl", "okstra_kernel", "okstra_project", "fcntl", "subprocess"),
)
FUNCTIONS = (
    *("cd", "printf", "git", "exec", "set", "unset", "local", "read", "readlink", "trap", "mktemp"),
    *("okstra_python", "okstra_help", "okstra_launch", "python3", "env", "type"),
)
PROGRAMS = (
    *("core.fsmonitor", "core.pager", "core.editor", "core.askPass", "core.alternateRefsCommand"),
    *("diff.external", "diff.x.textconv", "filter.x.clean", "filter.x.smudge", "gpg.program"),
)


def surround(box: Sandbox) -> dict[str, str]:
    """Fill project and a folder beside it with traps; return the environment that springs them."""
    ran, evil = box.live / "ran", box.live / "evil"
    evil.mkdir()
    for folder in (box.project, evil):
        _modules(folder)
    (evil / "env.sh").write_text('echo BASH_ENV >>"$RAN"\n', encoding="utf-8")
    _repository(box, evil)
    functions = {
        f"BASH_FUNC_{name}%%": f'() {{ echo "function {name}" >>"$RAN"; command {name} "$@"; }}'
        for name in FUNCTIONS
    }
    return box.env(
        RAN=str(ran),
        BASH_ENV=str(evil / "env.sh"),
        ENV=str(evil / "env.sh"),
        SHELLOPTS="xtrace",
        PS4='$(echo PS4 >>"$RAN")',
        PROMPT_COMMAND='echo PROMPT_COMMAND >>"$RAN"',
        CDPATH=str(evil),
        GLOBIGNORE="*",
        IFS="/-",
        PYTHONPATH=f"{evil}:{box.project}",
        PYTHONSTARTUP=str(evil / "json.py"),
        PYTHONINSPECT="",
        **functions,
    )


def git_variables(box: Sandbox) -> dict[str, str]:
    """Return variables that lead git to another repository and to programs (XS-03)."""
    other, evil = box.live / "other", box.live / "evil"
    if not other.exists():
        other.mkdir()
        box.git("init", "-q", "--template=", folder=other)
    return {
        "GIT_DIR": str(other / ".git"),
        "GIT_WORK_TREE": str(other),
        "GIT_INDEX_FILE": str(other / "index"),
        "GIT_COMMON_DIR": str(other / ".git"),
        "GIT_CEILING_DIRECTORIES": str(box.live),
        "GIT_CONFIG_COUNT": "2",
        "GIT_CONFIG_KEY_0": "core.fsmonitor",
        "GIT_CONFIG_VALUE_0": _trap(evil, "GIT_CONFIG_COUNT"),
        "GIT_CONFIG_KEY_1": "core.hooksPath",
        "GIT_CONFIG_VALUE_1": str(evil),
        "GIT_CONFIG_GLOBAL": str(evil / "included"),
        "GIT_SSH_COMMAND": _trap(evil, "GIT_SSH_COMMAND"),
        "GIT_EXTERNAL_DIFF": _trap(evil, "GIT_EXTERNAL_DIFF"),
        "GIT_PAGER": _trap(evil, "GIT_PAGER"),
        "GIT_EDITOR": _trap(evil, "GIT_EDITOR"),
        "GIT_ASKPASS": _trap(evil, "GIT_ASKPASS"),
        "GIT_TRACE": str(evil / "traced"),
    }


def ran(box: Sandbox) -> set[str]:
    """Return what ran since the last call."""
    path = box.live / "ran"
    names = set(path.read_text(encoding="utf-8").split("\n")) - {""} if path.exists() else set()
    path.unlink(missing_ok=True)
    return names


def _modules(folder: Path) -> None:
    for name in MODULES:
        text = f'import os\nopen(os.environ["RAN"], "a").write("module {name}\\n")\n'
        (folder / f"{name}.py").write_text(text, encoding="utf-8")
    for name in ("okstra_ctl", "okstra_kernel"):  # a package comes before a module
        package = folder / name
        package.mkdir()
        (package / "__init__.py").write_text((folder / f"{name}.py").read_text("utf-8"), "utf-8")


def _program(path: Path, name: str) -> Path:
    text = f'#!/bin/sh\necho "{name} $0" >>"$RAN"\ncase $0 in *filter.*) cat ;; esac\n'
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)
    return path


def _trap(evil: Path, name: str) -> str:
    """Make a program that tells its name; return it as a word of a shell command."""
    return f"'{_program(evil / name, 'program')}'"


def _repository(box: Sandbox, evil: Path) -> None:
    """Let the repository's own configuration, hooks and attributes name programs (XS-04)."""
    hooks = box.project / ".git" / "hooks"
    hooks.mkdir(exist_ok=True)
    for name in ("post-checkout", "post-index-change", "pre-commit", "reference-transaction"):
        _program(hooks / name, "hook")
        _program(evil / name, "hook")
    included = f"[core]\n\tsshCommand = {_trap(evil, 'core.sshCommand')}\n"
    (evil / "included").write_text(included, encoding="utf-8")
    for name in PROGRAMS:
        box.git("config", name, _trap(evil, name))
    box.git("config", "filter.x.required", "true")
    box.git("config", "include.path", str(evil / "included"))
    box.git("config", "alias.rev-parse", f"!{_trap(evil, 'alias')}")
    box.git("config", "credential.helper", f"!{_trap(evil, 'credential')}")
    attributes = box.project / ".git" / "info" / "attributes"
    attributes.parent.mkdir(exist_ok=True)
    attributes.write_text("* filter=x diff=x\n", encoding="utf-8")
