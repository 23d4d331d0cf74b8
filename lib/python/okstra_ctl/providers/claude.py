"""Claude Code, as measured (80 §1 to §6, §10)."""

from __future__ import annotations

from okstra_ctl.providers import claude_usage, claude_worker
from okstra_ctl.providers.base import LeadLaunch, ProviderSpec

_SESSION = "CLAUDE_CODE_SESSION_ID"
_SIGNS = ("CLAUDECODE", _SESSION)

SPEC = ProviderSpec(
    name="claude",
    label="Claude",
    executable="claude",
    worker_wrapper="okstra-claude-exec.sh",
    worker_words=claude_worker.words,
    read_turn=claude_worker.read,
    read_usage=claude_usage.of_stream,
    roles=("lead", "analyser", "critic", "executor", "verifier", "report-writer"),
    lead=LeadLaunch(executable="claude", model_flag="--model", session_id_flag="--session-id"),
    checked_versions=("2.1.197", "2.1.332"),
    needed_flags=(
        "--model",
        "--session-id",
        "--print",
        "--output-format",
        "--verbose",
        "--allowedTools",
        "--permission-mode",
        "--add-dir",
    ),
    process_names=("claude", "claude-code"),
    session_variable=_SESSION,
    host_signs=_SIGNS,
    host_markers=(*_SIGNS, "CLAUDE_PID", "CLAUDE_CODE_ENTRYPOINT", "AI_AGENT"),
)
