"""What preparing a run and starting a lead cost, counted rather than timed (Q-7, 70 §1)."""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import Iterator

import crew
import measure
import prepare_run
import projects
import pytest

from okstra_ctl.dispatch import wrapper_status

NOT_NEEDED = {"jinja2", "markupsafe", "jsonschema", "rich", "asyncio", "dataclasses", "tempfile"}
NOT_NEEDED |= {"logging", "inspect", "urllib.request", "concurrent.futures", "markdown_it"}
GITS, DURABLE_WRITES = 6, 30  # what the goal of Q-7 is made of


@pytest.fixture(scope="module")
def shop() -> Iterator[measure.Place]:
    """Yield a project with one prepared task."""
    with measure.sealed() as place:
        here = projects.project(place, "빈 shop")
        here.run(projects.prepare("T-1"))
        yield here


def test_render_bundle_starts_and_imports_no_more_than_it_must(shop: measure.Place) -> None:
    found = measure.counts(shop, projects.prepare("T-2"))
    assert "okstra_ctl.prepare.bundle" in found.modules  # the modules were seen
    assert (found.interpreters, found.gits <= GITS) == (1, True), found.gits
    assert found.modules & NOT_NEEDED == set()


def test_the_first_run_of_a_project_is_held_to_the_same(shop: measure.Place) -> None:
    fresh = projects.project(shop, "fresh")
    found = measure.counts(fresh, projects.prepare("T-1"))
    assert (found.interpreters, found.gits <= GITS) == (1, True), found.gits


@pytest.mark.parametrize(("lead", "interpreters"), [("claude", 2), ("codex", 3)])
def test_a_lead_is_three_interpreters_away_at_most(
    shop: measure.Place, lead: str, interpreters: int
) -> None:
    """`run` and the launcher's program; codex: what was answered to the sandbox question, too."""
    found = measure.counts(*prepare_run.to_a_lead(shop, lead))
    assert found.interpreters == interpreters <= prepare_run.INTERPRETERS


def test_a_run_is_written_in_few_files(shop: measure.Place) -> None:
    shop.run(projects.prepare("T-4"))
    files = (shop.folder / ".okstra/tasks/checkout/t-4").rglob("*.*")
    durable = [path for path in files if path.is_file() and path.suffix != ".jsonl"]
    assert 10 < len(durable) <= DURABLE_WRITES


@pytest.mark.parametrize("words", [[], ["--help"], ["--version"], ["render-bundle", "--help"]])
def test_help_starts_no_interpreter(shop: measure.Place, words: list[str]) -> None:
    """Q-1."""
    assert measure.counts(shop, [measure.OKSTRA, *words])[:2] == (0, 0)


def test_a_crew_is_looked_after_together() -> None:
    """(Q-10): one look at the checkout for all that start, and one for all that have ended."""
    with measure.sealed() as place:
        found = crew.of(crew.project(place, "크루 crew", f"{crew.DELIVER}{crew.FINAL}"), 6)
        assert measure.counts(found.here, found.team("dispatch"))[:2] == (1, 1)
        end = time.monotonic() + 20
        while not all(map(wrapper_status.ended, found.prompts())) and time.monotonic() < end:
            time.sleep(0.05)
        assert measure.counts(found.here, found.team("await"))[:2] == (1, 1)
        assert found.reasons() == ["completed"] * 6
        assert measure.counts(found.here, found.team("await"))[:2] == (1, 0)


def test_each_benchmark_is_run() -> None:
    """`make bench` leaves none out."""
    bench = Path(measure.__file__).parent
    names = {path.stem for path in bench.glob("*.py")} - {"crew", "measure", "projects", "run"}
    run = (bench / "run.py").read_text(encoding="utf-8")
    assert set(re.findall(r'^    "(\w+)": \1\.rows,$', run, re.MULTILINE)) == names
