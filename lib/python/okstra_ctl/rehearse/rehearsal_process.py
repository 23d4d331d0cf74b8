"""Plays scenarios: each is a run that okstra's own commands prepare, dispatch and await.

Each has a project of its own, too: one of them changes its project, and a worker's one retry is
one for each run.
"""

from __future__ import annotations

import os
from typing import Callable, NamedTuple

from okstra_ctl.dispatch import jobs, retry, run_files, worker_prompt_files
from okstra_ctl.rehearse import matrix, processes_files, stage_process
from okstra_ctl.rehearse.matrix import Row
from okstra_ctl.rehearse.scenarios import SECOND, Scenario
from okstra_ctl.rehearse.stage_process import Programs, Stage
from okstra_ctl.runs import team_state_files
from okstra_ctl.runs.run_ref import RunRef
from okstra_kernel import store
from okstra_project.task_key import TaskKey

PROJECT, GROUP = "shop", "rehearsal"
ROLE = "analyser"
PROVIDERS = ("claude", "codex", "antigravity", "grok")
HEALTHY = (0, 1, 4)  # of await: what became of the workers, the matrix says


class Wish(NamedTuple):
    scenarios: list[Scenario]
    task_type: str
    retries: bool
    max_parallel: int


class Played(NamedTuple):
    rows: dict[str, list[Row]]  # by scenario
    alive: int  # recorded processes that still run
    recorded: int


Tell = Callable[[str], None]


def commands(task_type: str, task_id: str, retries: bool) -> list[list[str]]:
    """Return the words of the three commands that a scenario takes, without `okstra`."""
    ref = RunRef(TaskKey(PROJECT, GROUP, task_id), task_type, None, "001")
    run = stage_process.arguments({"project-root": ".", "run-manifest": ref.manifest})
    task = {"project-id": PROJECT, "task-group": GROUP, "task-id": task_id}
    roster = {"workers": ",".join(PROVIDERS), "role-count": f"{ROLE}={len(PROVIDERS)}"}
    phase = {"task-type": task_type, "task-brief": "brief.md", "lead-runtime": "external"}
    prepare = stage_process.arguments({**task, **phase, **roster})
    return [
        ["render-bundle", *prepare, "--render-only"],
        ["team", "dispatch", *run],
        ["team", "await", *run, "--json", *(["--retry"] if retries else [])],
    ]


def play(wish: Wish, folder: str, tell: Tell) -> Played:
    """Play the scenarios in `folder`, some at once, and return what became of them.

    Raises what the first one raised that could not be played; all others are called off then.
    """
    from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait

    store.make_folder(folder, "home", mode=0o700)
    programs = Programs()
    rows: dict[str, list[Row]] = {}

    def one(scenario: Scenario) -> None:
        rows[scenario.name] = _play(wish, folder, programs, scenario)
        tell(f"PROGRESS: {len(rows)} of {len(wish.scenarios)}  {scenario.name}")

    with ThreadPoolExecutor(wish.max_parallel) as pool:
        try:
            # the longest ones stand last in the table, and begin first
            futures = [pool.submit(one, scenario) for scenario in reversed(wish.scenarios)]
            wait(futures, return_when=FIRST_EXCEPTION)
            for future in futures:
                if future.done():
                    future.result()
        except BaseException:  # allowed: raised again; no program is left behind
            tell("called off; what runs is ended")
            pool.shutdown(wait=False, cancel_futures=True)
            programs.end()
            raise
    alive, recorded = processes_files.count(folder, wait=3.0)
    return Played({one.name: rows[one.name] for one in wish.scenarios}, alive, recorded)


def _play(wish: Wish, folder: str, programs: Programs, scenario: Scenario) -> list[Row]:
    store.make_folder(folder, scenario.name)
    home = os.path.join(folder, "home")
    stage = stage_process.set_up(programs, os.path.join(folder, scenario.name), home, scenario)
    prepare, dispatch, wait = commands(wish.task_type, scenario.name, wish.retries)
    stage_process.okstra(programs, stage, prepare, good=(0,))
    run = run_files.load(stage.project, wait[3].partition("=")[2])
    workers = [f"{provider}-{ROLE}" for provider in scenario.providers]
    worker_prompt_files.write_initial(run, workers)
    _direct(stage, scenario)
    try:
        words = [*dispatch, f"--workers={','.join(workers)}"]
        stage_process.okstra(programs, stage, words, good=(0,))
        stage_process.okstra(programs, stage, wait, good=HEALTHY)
    except BaseException:  # allowed: raised again, with nothing left running
        stage_process.tear_down(programs, stage, ["team", "teardown", *wait[2:4]])
        raise
    state = team_state_files.read(run.path(run.team_state))
    return matrix.rows(scenario, state["workerDispatches"])


def _direct(stage: Stage, scenario: Scenario) -> None:
    """Tell the stand-ins what to play; the second turns, too, where those fail."""
    kinds = [jobs.INITIAL, *([f"{jobs.INITIAL}{retry.SUFFIX}"] if scenario.retry == SECOND else [])]
    store.write_all(stage.notes, {kind: f"{scenario.name}\n".encode() for kind in kinds})
