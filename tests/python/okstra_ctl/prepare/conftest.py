"""A sealed place to prepare runs in, with no host session around it."""

from __future__ import annotations

import os
from typing import Callable

import pytest
from prepare_place import BRIEF, Place

from okstra_ctl.leads import host_session_process


@pytest.fixture(autouse=True)
def _sealed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host_session_process, "parents", list)
    monkeypatch.setattr(os, "fsync", lambda stream: None)  # what it is for, other tests show


@pytest.fixture
def new_place(tmp_path_factory: pytest.TempPathFactory) -> Callable[[], Place]:
    def make() -> Place:
        base = tmp_path_factory.mktemp("빈 place")
        place = Place(base / "가게 shop", base / "home")
        place.put("brief.md", BRIEF)
        return place

    return make


@pytest.fixture
def place(new_place: Callable[[], Place]) -> Place:
    return new_place()
