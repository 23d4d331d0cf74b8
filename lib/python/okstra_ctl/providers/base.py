"""What is known of a provider: data, filled in by one module per CLI (L-117, L-122, Z-015).

Whatever was not measured against the real program is marked `verified=False`, and is called
experimental wherever a person sees it (Z-113).
"""

from __future__ import annotations

from typing import Callable, NamedTuple

from okstra_ctl.providers.turn import Turn
from okstra_ctl.providers.usage import ReadStream, untold
from okstra_ctl.providers.worker_launch import WorkerTask


class LeadLaunch(NamedTuple):
    """How a CLI is started as a lead. An empty text or tuple: the CLI has no such thing (L-122)."""

    executable: str
    model_flag: str
    prompt_flag: str = ""  # empty: the prompt is a plain argument
    session_id_flag: str = ""  # empty: no session to resume; it resumes from artifacts
    sandbox_waiver: tuple[str, ...] = ()
    sandbox_waiver_note: str = ""
    isolation: tuple[tuple[str, ...], ...] = ()  # groups of words, with a capability record (Z-090)


class ProviderSpec(NamedTuple):
    name: str
    label: str
    executable: str  # the CLI's name on PATH; empty: no CLI
    worker_wrapper: str  # its file in bin/
    roles: tuple[str, ...]  # in the registry's words: lead, analyser, executor, … (L-133)
    lead: LeadLaunch | None = None
    worker_words: Callable[[WorkerTask], list[str]] | None = None  # its rights by role (Z-092)
    read_turn: Callable[[str, int], Turn] | None = None  # transcript, now (Z-093)
    read_usage: ReadStream = untold  # transcript
    verified: bool = True
    checked_versions: tuple[str, str] | None = None  # oldest and newest that were measured (80 §1)
    needed_flags: tuple[str, ...] = ()  # what its help must name (Z-015)
    any_model: bool = True  # a model that the catalog does not know may be asked for (80 §2)
    process_names: tuple[str, ...] = ()  # of a session that runs (Z-098)
    session_variable: str = ""  # holds the session's id in that session's shell (Z-098)
    host_signs: tuple[str, ...] = ()  # variables that tell such a shell (80 §10)
    host_markers: tuple[str, ...] = ()  # variables that no worker inherits (Z-012)
