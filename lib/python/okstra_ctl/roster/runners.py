"""How a worker is started, and on which terminal backends a run can be (L-158, L-166, D-010).

Two vocabularies share a word: `cli-wrapper` is a runner, and the backend without a surface.
"""

from __future__ import annotations

NATIVE_SESSION = "native-session"
CLI_WRAPPER, TMUX_PANE, CMUX_PANE = "cli-wrapper", "tmux-pane", "cmux-pane"
BACKENDS = (CLI_WRAPPER, TMUX_PANE, CMUX_PANE)


def runner(provider: str, host_provider: str, backend: str) -> str:
    """Return the runner of a worker. `host_provider` is empty for a host without a session.

    On cmux panes okstra starts all workers itself, the host's own, too.
    """
    own = bool(host_provider) and provider == host_provider
    return NATIVE_SESSION if own and backend != CMUX_PANE else CLI_WRAPPER
