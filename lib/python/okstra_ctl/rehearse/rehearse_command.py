"""The words of `okstra rehearse`, and what it prints (H-051)."""

from __future__ import annotations

import os
import re
import signal
import time
from types import FrameType
from typing import Any

from okstra_ctl.rehearse import matrix, rehearsal_process, scenarios, stage_process
from okstra_ctl.rehearse.rehearsal_process import Played, Wish
from okstra_ctl.rehearse.scenarios import Scenario
from okstra_ctl.roster import profiles_files
from okstra_kernel import UserError, assets, display
from okstra_kernel.notice import tell


def run(arguments: dict[str, Any]) -> tuple[int, str]:
    """Do what was asked and return the exit status and the answer. Raises UserError."""
    known = scenarios.parse(assets.text(*stage_process.TABLE))
    found = scenarios.chosen(known, arguments["--scenario"])
    if arguments["--list"]:
        return 0, _listed(found, bool(arguments["--json"]))
    wish = Wish(
        found,
        profiles_files.load_role_profile(arguments["--task-type"]).task_type,
        not arguments["--no-retry"],
        _number(arguments["--max-parallel"]),
    )
    quiet = bool(arguments["--json"])
    signal.signal(signal.SIGTERM, _leave)
    signal.signal(signal.SIGHUP, _leave)
    begun = time.monotonic()
    with stage_process.place(arguments["--keep"] or "") as folder:
        if not quiet:
            _announce(wish)
        played = rehearsal_process.play(wish, folder, _nothing if quiet else tell)
    seconds = time.monotonic() - begun
    kept = folder if arguments["--keep"] else ""
    return _answer(wish, played, kept, seconds, quiet)


def _leave(number: int, _: FrameType | None) -> None:
    raise SystemExit(128 + number)


def _nothing(_: str) -> None:
    pass


def _number(text: str) -> int:
    if not re.fullmatch("[1-9][0-9]{0,2}", text):
        raise UserError(f"not a number of scenarios: --max-parallel={text}")
    return int(text)


def _listed(found: list[Scenario], as_json: bool) -> str:
    if not as_json:
        return display.table(
            ("scenario", "clis", "what the CLI does"),
            [(one.name, ",".join(one.providers), one.what) for one in found],
        )
    rows = [{"name": x.name, "providers": list(x.providers), "does": x.what} for x in found]
    return display.document({"schemaVersion": 1, "scenarios": rows})


def _announce(wish: Wish) -> None:
    """Say what will be run, as one would type it; nothing of it is the user's."""
    alone = wish.scenarios[0].name if len(wish.scenarios) == 1 else "<scenario>"
    prepare, *others = rehearsal_process.commands(wish.task_type, alone, wish.retries)
    tell("In a new folder, with a home of its own and scripted CLIs, without keys or cost:")
    for words in (prepare, *others):
        tell("  $ okstra " + " ".join(map(_short, words)))
        if words is prepare:
            tell("  (and a prompt for each worker, from prompts/workers/)")


def _short(word: str) -> str:
    """Leave out of a path what can be guessed."""
    return re.sub(r"=\.okstra/.*/", "=.okstra/…/", word)


def _answer(
    wish: Wish, played: Played, kept: str, seconds: float, as_json: bool
) -> tuple[int, str]:
    judged = [
        (row, matrix.faults(scenario, row, retries=wish.retries))
        for scenario in wish.scenarios
        for row in played.rows[scenario.name]
    ]
    wanted = sum(len(scenario.providers) for scenario in wish.scenarios)
    wrong = sum(bool(faults) for _, faults in judged) + wanted - len(judged)
    status = 1 if wrong or played.alive else 0
    if as_json:
        return status, display.document(
            {
                "schemaVersion": 1,
                "ok": status == 0,
                "taskType": wish.task_type,
                "retry": wish.retries,
                "rows": [matrix.as_json(row, faults) for row, faults in judged],
                "recordedProcesses": played.recorded,
                "alive": played.alive,
                "seconds": round(seconds, 1),
                "kept": kept or None,
            }
        )
    table = display.table(matrix.heads(), [matrix.cells(row, faults) for row, faults in judged])
    verdict = f"{wrong} of {wanted} differ" if wrong else f"all {wanted} as expected"
    lines = [
        table,
        "",
        f"{verdict}; of {played.recorded} recorded processes {played.alive} are alive; "
        f"{seconds:.0f} s",
    ]
    return status, "\n".join([*lines, *_next(wish, kept)])


def _next(wish: Wish, kept: str) -> list[str]:
    name = wish.scenarios[0].name
    if not kept:
        return [f"look closer: okstra rehearse --scenario={name} --keep=<new folder>"]
    run = os.path.dirname(os.path.dirname(_manifest(wish.task_type, name)))
    return [
        f"kept: {kept}",
        f"  {name}/shop/{run}/",
        "    prompts/ has what each worker was told, its transcript (.log) and its status;",
        "    outbox/ what it left; worker-results/ what counts; state/ each start and its end.",
    ]


def _manifest(task_type: str, name: str) -> str:
    words = rehearsal_process.commands(task_type, name, False)[1]
    return words[3].partition("=")[2]
