"""What goes with starting a lead: the waiver's note and record, and how to take it up again."""

from __future__ import annotations

from typing import Any, Sequence

from okstra_ctl.providers import registry


def sandbox_waiver_note(provider: str) -> str:
    """Return what the user is told before its sandbox is waived; "" if it has none (L-126).

    Raises UnknownProviderError.
    """
    launch = registry.lead_launch_spec(provider)
    return launch.sandbox_waiver_note if launch.sandbox_waiver else ""


def waiver_record(provider: str, granted_by: str, at: str) -> dict[str, Any]:
    """Return `sandboxWaiver` of the run manifest (Z-006). `granted_by` is `tty` or `--yes`.

    Raises UnknownProviderError.
    """
    launch = registry.lead_launch_spec(provider)
    return {
        "flags": list(launch.sandbox_waiver),
        "note": launch.sandbox_waiver_note,
        "grantedBy": granted_by,
        "at": at,
    }


def resume_command(provider: str, project_root: str, session_id: str, again: Sequence[str]) -> str:
    """Return the command line that takes a lead up again (L-183, P-194).

    With a session flag it resumes the session. Without one it runs `again`: a new session, which
    goes on from the artifacts. Raises UnknownProviderError.
    """
    import shlex

    launch = registry.lead_launch_spec(provider)
    resumed = bool(launch.session_id_flag and session_id)
    words = [launch.executable, "--resume", session_id] if resumed else list(again)
    return f"cd {shlex.quote(project_root)} && {shlex.join(words)}"
