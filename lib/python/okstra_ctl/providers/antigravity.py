"""Antigravity's `agy`: nothing of it could be checked against the real program (Z-113, 80 §1)."""

from __future__ import annotations

from okstra_ctl.providers import plain_worker
from okstra_ctl.providers.base import LeadLaunch, ProviderSpec

SPEC = ProviderSpec(
    name="antigravity",
    label="Antigravity",
    executable="agy",
    worker_wrapper="okstra-antigravity-exec.sh",
    worker_words=plain_worker.no_words,
    read_turn=plain_worker.read,
    roles=("lead", "analyser", "critic", "executor", "verifier"),
    # With a plain prompt `agy` ends after its answer; this flag keeps the session open (L-124).
    lead=LeadLaunch(executable="agy", model_flag="--model", prompt_flag="--prompt-interactive"),
    verified=False,
    needed_flags=("--model", "--prompt-interactive"),
)
