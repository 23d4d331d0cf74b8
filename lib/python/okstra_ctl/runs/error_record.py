"""What an error of a run looks like, and which claims of its cause are believed (D-170 to D-179).

Workers read an unreachable or a login-protected target as a sandbox that blocks them. A record that
exists can be quoted later, however doubtful, so that a claim without proof is never recorded: the
check comes before the append (D-178). Pure.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from okstra_kernel import UserError, iso_time

SCHEMA_VERSION = 1
ROLES = ("lead", "worker", "report-writer")
_PROVIDERS = ("claude", "codex", "antigravity", "grok", "local")
AGENTS = (
    *_PROVIDERS,
    *(f"{one}-lead" for one in _PROVIDERS),
    *(f"{one}-worker" for one in _PROVIDERS),
    "report-writer",
)
CONTRACT_VIOLATION, TOOL_FAILURE, CLI_FAILURE = "contract-violation", "tool-failure", "cli-failure"
TYPES = (CONTRACT_VIOLATION, TOOL_FAILURE, CLI_FAILURE)
SANDBOX_DENIED, UNKNOWN = "sandbox-denied", "unknown"
CAUSES = (SANDBOX_DENIED, "service-unavailable", "auth-failed", UNKNOWN)
PROBES = ("targetProbe", "controlProbe")
TERMS = ("sandbox", "not permitted", "permission denied", "eperm")  # "blocked" is none (D-177)
OBSERVED, WORKER_SIDECAR = "observed", "worker-sidecar"
WIDEST = 1 << 53  # whole numbers beyond it are not safe in JSON


class Origin(NamedTuple):
    """Whose error it is; the same for all entries of a sidecar."""

    task_key: str
    phase: str
    agent: str
    agent_role: str
    model: str | None
    source: str = OBSERVED
    sidecar: str | None = None  # the file that the worker wrote; None when observed


class Entry(NamedTuple):
    """One error, as the caller saw it or a worker wrote it down."""

    ts: int  # seconds since 1970, UTC
    error_type: str
    message: str
    stderr_excerpt: str | None = None
    context: dict[str, Any] | None = None
    command: str | None = None
    exit_code: int | None = None
    duration_ms: int | None = None


def check_origin(origin: Origin) -> None:
    """Raise UserError, naming the value, for an agent or a role that is none (D-173)."""
    _one_of("agent", origin.agent, AGENTS)
    _one_of("agent role", origin.agent_role, ROLES)
    if not origin.phase.strip():
        raise UserError(f"a phase cannot be blank: {origin.phase!r}")


def check_entry(entry: Entry) -> None:
    """Raise UserError for an entry that may not be recorded (D-173, D-175 to D-177)."""
    _one_of("error type", entry.error_type, TYPES)
    if not entry.message.strip():
        raise UserError(f"a message cannot be blank: {entry.message!r}")
    for name, number in (("exit code", entry.exit_code), ("duration", entry.duration_ms)):
        if number is not None and not -WIDEST < number < WIDEST:
            raise UserError(f"not a number that fits: {name} {str(number)[:30]}")
    if entry.duration_ms is not None and entry.duration_ms < 0:
        raise UserError(f"a duration cannot be negative: {entry.duration_ms}")
    context = entry.context or {}
    cause = context.get("cause", UNKNOWN)
    if cause not in CAUSES:
        raise UserError(f"context.cause: not a cause: {cause!r}; allowed: {', '.join(CAUSES)}")
    if cause == SANDBOX_DENIED:
        _check_probes(context.get("causeEvidence"))
    if cause == UNKNOWN:
        _check_prose(entry.message)


def record(entry: Entry, origin: Origin, recorded_at: str) -> dict[str, Any]:
    """Return the record of an entry that was checked; nothing is shortened yet (D-172)."""
    return {
        "schemaVersion": SCHEMA_VERSION,
        "ts": iso_time.show(entry.ts),
        "recordedAt": recorded_at,
        "taskKey": origin.task_key,
        "phase": origin.phase,
        "agent": origin.agent,
        "agentRole": origin.agent_role,
        "model": origin.model,
        "errorType": entry.error_type,
        "message": entry.message,
        "command": entry.command,
        "exitCode": entry.exit_code,
        "durationMs": entry.duration_ms,
        "stderrExcerpt": entry.stderr_excerpt,
        "context": _context(entry.context),
        "source": origin.source,
        "sidecar": origin.sidecar,
    }


def _one_of(what: str, value: str, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise UserError(f"not an {what}: {value!r}; allowed: {', '.join(allowed)}")


def _check_probes(evidence: object) -> None:
    """Demand the two outputs that show a denial: the target's, and of a control that works."""
    if not isinstance(evidence, dict):
        raise UserError(f"context.causeEvidence: {SANDBOX_DENIED} needs {' and '.join(PROBES)}")
    for name in PROBES:
        text = evidence.get(name)
        if not isinstance(text, str) or not text.strip():
            raise UserError(f"context.causeEvidence.{name}: {SANDBOX_DENIED} needs this output")


def _check_prose(message: str) -> None:
    folded = message.casefold()
    for term in TERMS:
        if term in folded:
            raise UserError(
                f"the message claims {term!r} without a cause",
                next_step=f"attach both probes ({', '.join(PROBES)}), or state the cause that was "
                "really verified in context.cause",
            )


def _context(context: dict[str, Any] | None) -> dict[str, Any] | None:
    """Return a context whose evidence holds the two probes alone (D-176)."""
    if context is None or "causeEvidence" not in context:
        return context
    given = context["causeEvidence"]
    kept = {
        n: given[n] for n in PROBES if isinstance(given, dict) and isinstance(given.get(n), str)
    }
    rest = {name: value for name, value in context.items() if name != "causeEvidence"}
    return {**rest, "causeEvidence": kept} if kept else rest
