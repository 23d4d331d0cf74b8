"""The summary of the sweeps, and the sandboxes that they share."""

from __future__ import annotations

from pathlib import Path

import pytest

from faults import sweep
from faults.sandbox import Sandbox, prepare

FIRST, AGAIN = "first", "again"  # states: nothing prepared yet; one run there


@pytest.fixture(scope="session")
def boxes(tmp_path_factory: pytest.TempPathFactory) -> list[Sandbox]:
    """Sandboxes with both states kept."""
    found = sweep.sandboxes(tmp_path_factory.mktemp("faults"))
    for box in found:
        box.keep(FIRST)
        done = box.run(*prepare())
        assert done.status == 0, done.told
        box.keep(AGAIN)
    return found


@pytest.fixture
def box(tmp_path: Path) -> Sandbox:
    return Sandbox(tmp_path).build()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if sweep.REPORT:
        terminalreporter.section("sweeps")
        for swept in sweep.REPORT:
            terminalreporter.write_line(str(swept))
