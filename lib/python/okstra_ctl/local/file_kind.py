"""Which language a file is in: by its name, else by its first line. Pure."""

from __future__ import annotations

import posixpath
import re

PYTHON, SHELL, JSON, YAML, TOML, SCRIPT = "python", "shell", "json", "yaml", "toml", "javascript"

_BY_ENDING = {
    ".py": PYTHON,
    ".pyi": PYTHON,
    ".sh": SHELL,
    ".bash": SHELL,
    ".json": JSON,
    ".yaml": YAML,
    ".yml": YAML,
    ".toml": TOML,
    ".js": SCRIPT,
    ".mjs": SCRIPT,
    ".cjs": SCRIPT,
}
_SHEBANG = re.compile(
    rb"#![ \t]*\S*?(?:\benv[ \t]+(?:-\S+[ \t]+)*)?\b(python|bash|dash|ash|sh)[0-9.]*(?:\s|$)"
)
# Programs that read these take comments in them.
_WITH_COMMENTS = re.compile(
    r"(.*/)?([tj]sconfig[^/]*\.json|\.vscode/.*|\.?devcontainer[^/]*\.json|\.eslintrc\.json)"
)


def kind(path: str, data: bytes) -> str:
    """Return the language of a file, or an empty text for one that no engine reads as code."""
    if _WITH_COMMENTS.fullmatch(path):
        return ""
    ending = posixpath.splitext(path)[1].lower()
    if ending in _BY_ENDING:
        return _BY_ENDING[ending]
    found = None if ending else _SHEBANG.match(data[:200])
    if not found:
        return ""
    return PYTHON if found[1] == b"python" else SHELL


def dialect(path: str, data: bytes) -> str:
    """Return the shell that a script names; bash where it names none."""
    found = _SHEBANG.match(data[:200])
    return {b"sh": "sh", b"dash": "dash", b"ash": "dash"}.get(found[1] if found else b"", "bash")
