"""The files beside a prompt (D-102), as `lib/okstra/worker-exec.sh` names them too."""

from __future__ import annotations


def transcript(prompt_path: str) -> str:
    """Return where the CLI's output goes."""
    return f"{prompt_path.removesuffix('.md')}.log"


def status(prompt_path: str) -> str:
    """Return where the wrapper tells how it goes."""
    return f"{prompt_path.removesuffix('.md')}.status.json"


def launch_log(prompt_path: str) -> str:
    """Return where a wrapper complains before it has a transcript: of its arguments (D-103)."""
    return f"{prompt_path.removesuffix('.md')}.launch.log"
