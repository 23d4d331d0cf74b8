"""A run whose report is written and not yet finalized."""

from __future__ import annotations

import os
from pathlib import Path

import finished_run
import pytest
from finished_run import Finished
from prepare_place import BRIEF, Place

from okstra_ctl.dispatch import run_files
from okstra_ctl.leads import host_session_process


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    monkeypatch.setattr(host_session_process, "parents", list)
    monkeypatch.setattr(os, "fsync", lambda stream: None)  # what it is for, other tests show
    made = Place(tmp_path / "가게 shop", tmp_path / "home")
    for name in ("OKSTRA_HOME", "HOME"):
        monkeypatch.setenv(name, str(made.home))
    made.put("brief.md", BRIEF)
    made.put("report.py", "raise ValueError('no rows')\n")
    return made


@pytest.fixture
def finished(place: Place) -> Finished:
    ref = place.prepare(lead_runtime="external", render_only=True).run.ref
    run = run_files.load(str(place.project), ref.manifest)
    return Finished(place, run, run.path(finished_run.finish(run)))
