"""A prepared run whose workers okstra starts itself."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from prepare_place import BRIEF, Place

from okstra_ctl.dispatch import run_files
from okstra_ctl.dispatch.run_files import RunFiles
from okstra_ctl.leads import host_session_process


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    monkeypatch.setattr(host_session_process, "parents", list)
    monkeypatch.setattr(os, "fsync", lambda stream: None)  # what it is for, other tests show
    made = Place(tmp_path / "가게 shop", tmp_path / "home")
    monkeypatch.setenv("OKSTRA_HOME", str(made.home))
    made.put("brief.md", BRIEF)
    return made


@pytest.fixture
def run(place: Place) -> RunFiles:
    ref = place.prepare(lead_runtime="external", render_only=True, critic="codex").run.ref
    return run_files.load(str(place.project), ref.manifest)
