"""okstra's own engines: no CLI, no network, no model behind them (H-030, H-033).

Its model names are engines.
"""

from __future__ import annotations

from okstra_ctl.providers import local_worker, usage
from okstra_ctl.providers.base import ProviderSpec

EVENT = local_worker.EVENT

SPEC = ProviderSpec(
    name="local",
    label="Local",
    executable="",
    worker_wrapper="okstra-local-exec.sh",
    worker_words=local_worker.words,
    read_turn=local_worker.read,
    roles=("analyser", "critic", "verifier", "report-writer"),
    any_model=False,
    read_usage=usage.free,
)
