"""Codex, as measured (80 §1, §2, §7 to §10).

Its sandbox is inherited by all that it starts: a worker CLI cannot write its own settings in there,
and the socket of cmux answers EPERM. A lead under it can run nothing, hence the waiver (L-125).
"""

from __future__ import annotations

from okstra_ctl.providers import codex_usage, codex_worker
from okstra_ctl.providers.base import LeadLaunch, ProviderSpec

_SESSION = "CODEX_THREAD_ID"
_SIGNS = (_SESSION, "CODEX_SESSION_ID")

SPEC = ProviderSpec(
    name="codex",
    label="Codex",
    executable="codex",
    worker_wrapper="okstra-codex-exec.sh",
    worker_words=codex_worker.words,
    read_turn=codex_worker.read,
    read_usage=codex_usage.of_stream,
    roles=("lead", "analyser", "critic", "executor", "verifier", "report-writer"),
    lead=LeadLaunch(
        executable="codex",
        model_flag="-m",
        sandbox_waiver=("-s", "danger-full-access"),
        sandbox_waiver_note=(
            "Codex is started without its sandbox: in this session nothing isolates your files or"
            " your network from it.\nThe reason: inside its sandbox Codex can neither reach cmux"
            " nor start the worker CLIs, so no okstra run would work."
        ),
        isolation=(("--no-daemon",), ("-c", "allow_login_shell=false")),
    ),
    checked_versions=("0.171.0", "0.171.0"),
    needed_flags=("-s", "-m", "-c", "-C", "--add-dir", "--no-daemon"),
    process_names=("codex",),
    session_variable=_SESSION,
    host_signs=_SIGNS,
    host_markers=(*_SIGNS, "CODEX_CI", "CODEX_VERSION", "CODEX_SANDBOX_NETWORK_DISABLED"),
)
