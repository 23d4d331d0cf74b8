"""Grok's community CLI: its help was read, no run of it proves success (Z-071, Z-113, 80 §12)."""

from __future__ import annotations

from okstra_ctl.providers import plain_worker
from okstra_ctl.providers.base import ProviderSpec

SPEC = ProviderSpec(
    name="grok",
    label="Grok",
    executable="grok",
    worker_wrapper="okstra-grok-exec.sh",
    worker_words=plain_worker.grok_words,
    read_turn=plain_worker.read,
    roles=("analyser", "critic", "verifier"),
    verified=False,
    checked_versions=("1.0.1", "1.0.1"),
    needed_flags=("-p", "-m", "-d"),
)
