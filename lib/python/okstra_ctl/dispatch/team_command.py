"""The words of `okstra team` and what each does."""

from __future__ import annotations

import sys
from typing import Any

from okstra_ctl.dispatch import blame_files, board, team
from okstra_ctl.dispatch.run_files import RunFiles
from okstra_kernel import UserError, interruption

ONLY_DISPATCH = ("--workers", "--jobs-file", "--dispatch-kind", "--wait", "--max-parallel")


def run(arguments: dict[str, Any]) -> tuple[int, str]:
    """Do what was asked and return the exit status and the answer. Raises UserError."""
    verb = next(name for name in ("dispatch", "await", "status", "teardown") if arguments[name])
    _refuse_misplaced(arguments, verb)
    found = team.load(arguments["--project-root"], arguments["--run-manifest"])
    as_json = arguments["--json"] or not sys.stdout.isatty()
    blame = blame_files.naming(found, arguments["--run-manifest"])
    with blame, interruption.told(*_INTERRUPTED[verb]), board.watching(as_json) as watch:
        status, answer = _do(found, verb, arguments, watch)
    return status, team.text(answer, as_json)


_GO_ON = "the workers go on", "okstra team await, or okstra team teardown"
_INTERRUPTED = {
    "dispatch": _GO_ON,
    "await": _GO_ON,
    "status": ("nothing was changed", "okstra team status"),
    "teardown": ("workers may be left", "okstra team teardown"),
}


def _do(
    found: RunFiles, verb: str, arguments: dict[str, Any], watch: board.Watch
) -> tuple[int, dict[str, Any]]:
    if verb == "dispatch":
        status, answer = team.dispatch(
            found,
            workers=arguments["--workers"] or "",
            jobs_file=arguments["--jobs-file"] or "",
            kind=arguments["--dispatch-kind"] or "",
            max_parallel=_number(arguments["--max-parallel"]),
            dry_run=arguments["--dry-run"],
        )
        if arguments["--wait"] and not arguments["--dry-run"]:
            status, answer = team.await_all(found, retries=arguments["--retry"], watch=watch)
    elif verb == "await":
        status, answer = team.await_all(found, retries=arguments["--retry"], watch=watch)
    elif verb == "status":
        status, answer = team.status(found)
    else:
        status, answer = team.teardown(found, dry_run=arguments["--dry-run"])
    return status, answer


def _number(text: str | None) -> int:
    if text is None:
        return 0
    if not (text.isascii() and text.isdigit() and 0 < int(text) < 1000):
        raise UserError(f"not a number of workers: --max-parallel={text}")
    return int(text)


def _refuse_misplaced(arguments: dict[str, Any], verb: str) -> None:
    for option in ONLY_DISPATCH:
        if arguments[option] and verb != "dispatch":
            raise UserError(f"{option} goes with dispatch, not with {verb}")
    if arguments["--retry"] and not (verb == "await" or arguments["--wait"]):
        raise UserError("--retry goes with await, or with dispatch --wait")
    if arguments["--dry-run"] and verb in ("await", "status"):
        raise UserError(f"--dry-run goes with dispatch and teardown, not with {verb}")


RETIRED = {
    "--enable-codex-report-writer": "the report writer's assignment in the manifest",
    "--report-writer-codex-model": "--role-model=report-writer=codex/<model> when preparing",
}


def codex_dispatch(arguments: dict[str, Any]) -> tuple[int, str]:
    """Start a Codex run's CLI workers and wait for them (D-084, D-062). Raises UserError.

    Done again after a kill it starts those that were not started, and waits for all.
    """
    found = team.load(arguments["--project-root"], arguments["--run-manifest"])
    runtime = found.manifest["leadRuntime"]
    if runtime != "codex":
        raise UserError(f"this run is led by {runtime}, not by codex; use okstra team dispatch")
    as_json = arguments["--json"] or not sys.stdout.isatty()
    why, next_step = "the workers go on", "the same again, or okstra team teardown"
    blame = blame_files.naming(found, arguments["--run-manifest"])
    with blame, interruption.told(why, next_step), board.watching(as_json) as watch:
        team.dispatch(found, workers=arguments["--workers"] or "", resume=True)
        status, answer = team.await_all(found, retries=True, watch=watch)
    return status, team.text(answer, as_json)
