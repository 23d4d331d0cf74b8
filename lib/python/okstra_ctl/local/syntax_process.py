"""Asks `bash -n` and `node --check` of a script, for `local/syntax` (H-030).

Both read the script on stdin and run nothing of it. Node is asked where there is one: once for a
script, once for a module, and it counts only when neither will do.
"""

from __future__ import annotations

import functools
import os
import re
import shutil

from okstra_ctl.local import file_kind, line_text, syntax
from okstra_ctl.local.hit import Hit, Look

NO_NODE = "JavaScript is not judged: there is no node"
NO_BASH = "shell scripts are not judged: there is no bash"
TIMEOUT = 10  # seconds for one script
_BASH_SAYS = re.compile(r"^[^:\n]*(?::[^:\n]*)??: line (\d+): (.*)$", re.MULTILINE)
_NODE_SAYS = re.compile(r"^\[(?:stdin|eval1)\]:(\d+)$|\[eval1\]:(\d+)", re.MULTILINE)
_NODE_ERROR = re.compile(r"^SyntaxError: (.*)$", re.MULTILINE)


def look(path: str, data: bytes) -> Look:
    """Return what the shell or node says of a script; nothing of another file."""
    kind = file_kind.kind(path, data)
    if kind == file_kind.SHELL:
        return _shell(path, data)
    return _script(path, data) if kind == file_kind.SCRIPT else Look()


def _shell(path: str, data: bytes) -> Look:
    if not _program("bash"):
        return Look(notes=(NO_BASH,))
    answer = _run([_program("bash"), "-p", "-O", "extglob", "-n", "/dev/stdin"], data)
    if answer is None:
        return Look(notes=(f"{path}: bash -n could not judge it",))
    status, said = answer
    found = _BASH_SAYS.search(said)
    texts = line_text.lines(data)
    if status == 0 or not found or not texts:
        return Look()
    return Look((syntax.rejected(path, int(found[1]), texts, "bash -n", found[2]),))


def _script(path: str, data: bytes) -> Look:
    if not _program("node"):
        return Look(notes=(NO_NODE,))
    faults: list[Hit] = []
    ways = {"a module": ["--input-type=module"], "a script": []}
    if path.endswith(".cjs"):
        del ways["a module"]
    if path.endswith(".mjs"):
        del ways["a script"]
    for what, words in ways.items():
        answer = _run([_program("node"), "--no-warnings", *words, "--check", "-"], data)
        if answer is None:
            return Look(notes=(f"{path}: node --check could not judge it",))
        if answer[0] == 0:
            return Look()
        found, error = _NODE_SAYS.search(answer[1]), _NODE_ERROR.search(answer[1])
        if not found or not error or not data:
            return Look(notes=(f"{path}: node --check could not judge it",))
        if "'<'" in error[1]:
            return Look(notes=(f"{path}: holds markup, which node alone does not take",))
        line = int(found[1] or found[2])
        texts = line_text.lines(data)
        faults.append(syntax.rejected(path, line, texts, f"node --check, of {what},", error[1]))
    return Look(tuple(faults[-1:]))


@functools.cache
def _program(name: str) -> str:
    return shutil.which(name) or ""


def _run(words: list[str], data: bytes) -> tuple[int, str] | None:
    """Return exit status and stderr; None for a program that does not come to an end."""
    import subprocess

    kept = ("PATH", "HOME", "TMPDIR")
    environment = {name: os.environ[name] for name in kept if name in os.environ}
    environment["LC_ALL"] = "C"
    try:
        done = subprocess.run(
            words, input=data, capture_output=True, timeout=TIMEOUT, env=environment
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.returncode, done.stderr.decode("utf-8", "replace")
