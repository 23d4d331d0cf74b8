"""The one place from which git is run (Z-042, G-021, Z-118).

Git runs code that a repository names: hooks, a file-system monitor. None of it runs here. What
the caller's environment says of a repository does not hold either: the folder given decides.
"""

from __future__ import annotations

import os
from typing import NamedTuple

from okstra_kernel import UserError, short_process

_QUIET = (
    *("-c", "core.fsmonitor=false"),
    *("-c", f"core.hooksPath={os.devnull}"),
    *("-c", "core.untrackedCache=false"),
    *("-c", "diff.external="),
    *("-c", "credential.helper="),
    *("-c", "protocol.allow=never"),  # an object that a partial clone lacks is not fetched (U-27)
)
TIMEOUT = 60  # seconds


class Answer(NamedTuple):
    status: int
    out: str  # stdout as it is; a path that is not UTF-8 keeps its bytes as surrogates
    err: str


def run(folder: str, *words: str) -> Answer:
    """Run git in a folder, without input, and return its answer. Raises UserError."""
    command = ["git", "-C", folder, "--no-optional-locks", *_QUIET, *words]
    try:
        done = short_process.run(command, environment(), timeout=TIMEOUT)
    except FileNotFoundError:
        raise UserError("git is not installed", next_step="install git") from None
    except TimeoutError:
        raise UserError(f"git {words[0]} took more than {TIMEOUT} s in {folder}") from None
    except OSError as err:
        raise UserError(f"git cannot be started: {err.strerror}") from err
    return Answer(done.status, _text(done.out), _text(done.err))


def line(folder: str, *words: str) -> str:
    """Return git's answer of one line, or an empty text where git has none."""
    answer = run(folder, *words)
    return answer.out.rstrip("\n") if answer.status == 0 else ""


def environment() -> dict[str, str]:
    """Return the environment for git: the caller's, without what names repositories or programs."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return {**kept, "GIT_TERMINAL_PROMPT": "0", "GIT_PAGER": "cat", "LC_ALL": "C"}


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")
