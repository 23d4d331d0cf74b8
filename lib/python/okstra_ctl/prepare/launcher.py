"""The one Python program behind `okstra.sh` and `okstra render-bundle` (Z-009, L-008 step 5).

It collects the inputs (given, filled in, asked for), prepares, prints, and hands the rest over to
Bash in a file that shows when it was cut.
"""

from __future__ import annotations

import os
from typing import Any

from okstra_ctl.leads import host_session_process, resolver, runtimes
from okstra_ctl.prepare import bundle, environment, inputs, missing_inputs
from okstra_ctl.prepare.intake import AVAILABLE
from okstra_ctl.prepare.questions import Questions
from okstra_ctl.roster import profiles_files
from okstra_ctl.runs import config_files
from okstra_ctl.surfaces import backend_probe
from okstra_kernel import Refusal, UserError, argv_file, assets, notice, terminal, texts
from okstra_project import (
    catalog,
    dirs,
    project_json,
    root,
    task_key,
    task_manifest,
    trust_question,
)
from okstra_project.task_key import TaskKey

# What front ends pass on, and people do not type (Z-003, L-077).
HIDDEN_OPTIONS = """
Hidden options:
  --lead-runtime-request=<name>
  --runtime-resolution-json=<json>
  --workspace-root=<dir>
  --handoff=<file>
  --no-terminal
"""
RETIRED = {
    "--enable-codex-report-writer": "--role-model=report-writer=codex/<model>",
    "--report-writer-codex-model": "--role-model=report-writer=codex/<model>",
}


def launch(arguments: dict[str, Any]) -> tuple[int, str]:
    """Prepare a run whose lead Bash then starts; missing inputs are asked for."""
    if arguments["--no-terminal"] and not arguments["--render-only"]:
        # A claude that sees no terminal becomes one-shot in silence, and codex fails (Z-095).
        raise Refusal(
            "stdout is not a terminal, so no lead can be started",
            next_step="run it on a terminal, or add --render-only; okstra run external needs none",
        )
    if not arguments["--render-only"]:
        _check_lead(arguments["--lead-runtime"] or "")
    found = _prepare(arguments, may_ask=True)
    if arguments["--handoff"]:
        _hand_over(arguments["--handoff"], found)
    return 0, "\n".join(found.lines)


def _check_lead(requested: str) -> None:
    """Raise Refusal if nobody named a lead and no session tells one: before any question."""
    around = environment.read()
    found = resolver.resolve(
        requested,
        around.value(resolver.HOST_VARIABLE),
        host_session_process.current_host(around.variables),
        backend_probe.tmux_available(around.variables),
    )
    if found.requested == runtimes.AUTO and found.resolved == runtimes.EXTERNAL:
        raise Refusal(
            "no lead was named, and this terminal is in no host's session; without a session of "
            "its own a run is orchestrated by okstra run external",
            next_step="okstra.sh --lead-runtime=claude-code, or =codex, or =antigravity",
        )


def render(arguments: dict[str, Any]) -> tuple[int, str]:
    """Prepare a run and start nothing (`okstra render-bundle`)."""
    found = _prepare({**arguments, "--render-only": True}, may_ask=False)
    return 0, "\n".join(found.lines)


def _prepare(arguments: dict[str, Any], *, may_ask: bool) -> bundle.PrepareOutputs:
    around = environment.read()
    home = dirs.okstra_home()
    place = root.resolve_project_root(arguments["--project-root"] or "", around.cwd)
    fields = inputs.from_arguments(arguments)
    if arguments.get("--task-key"):
        fields = missing_inputs.with_key(fields, _known_task(place, arguments["--task-key"]))
    fields = _fill_in(fields, place)
    language = config_files.language(home, around.variables)
    if may_ask:
        fields = Questions(language, place, AVAILABLE).complete(fields)
    else:
        _require(fields)
    given = inputs.PrepareInputs(
        workspace_root=arguments.get("--workspace-root") or _asset_root(),
        project_root=place,
        cwd=around.cwd,
        **fields,
    )
    found = bundle.prepare_task_bundle(
        given, home, around, lambda *about: _trusts(language, *about)
    )
    for line in found.notices:
        notice.tell(notice.printable(line))
    return found


def _known_task(place: str, text: str) -> TaskKey:
    """Return the key of an existing task that `--task-key` names. Raises UserError (L-022)."""
    option = f"--task-key={text}"
    if ":" in text:
        key = task_key.parse(text)
        tried = dirs.task_dir(place, key.group, key.id)
        if not os.path.isdir(tried):
            raise UserError(
                f"no such task: {option}; tried {tried}",
                next_step="okstra task-list; a new task takes --task-group and --task-id",
            )
        return key
    found = catalog.matches(place, text)
    if len(found) != 1:
        several = f"several tasks have this id: {option}: {', '.join(found)}"
        told = several if found else f"no task of this project has this id: {option}"
        raise UserError(told, next_step="okstra task-list")
    return task_key.parse(found[0])


def _fill_in(fields: missing_inputs.Fields, place: str) -> missing_inputs.Fields:
    """Fill blanks from what is on record, as far as it can be read (L-023)."""
    try:
        known = project_json.project_id(place)
        fields = {**({"project_id": known} if known else {}), **fields}
        if not fields.get("task_group") or not fields.get("task_id"):
            return fields
        record = task_manifest.read(place, fields["task_group"], fields["task_id"])
    except UserError:
        return fields
    return missing_inputs.autofill(fields, record.members) if record else fields


def _require(fields: missing_inputs.Fields) -> None:
    name = fields.get("task_type", "")
    brief = profiles_files.load_role_profile(name).brief if name else ""
    names = missing_inputs.missing(fields, brief)
    if names:
        options = ", ".join(f"{missing_inputs.REQUIRED[name]}=…" for name in names)
        raise UserError(f"missing: {options}")


def _trusts(language: str, project_root: str, holdings: list[str]) -> bool | None:
    """Ask whether a project's `.okstra/` is to be honoured; None where nobody can be asked."""
    if not terminal.is_there():
        return None
    return trust_question.ask(project_root, holdings, language)


def _hand_over(path: str, found: bundle.PrepareOutputs) -> None:
    """Write what `lib/okstra/launch.sh` goes on with (L-048)."""
    try:
        with open(path, "r+b") as stream:  # allowed: made by Bash, for this process
            stream.write(argv_file.encode(_words(found)))
    except OSError as err:
        raise UserError(f"cannot hand over to the launcher: {path}: {err.strerror}") from err


def _words(found: bundle.PrepareOutputs) -> list[str]:
    if not found.executable:
        return ["render-only"]
    inputs = found.run.inputs
    language = config_files.language(dirs.okstra_home(), environment.read().variables)
    question = texts.text(language, "launcher.sandboxQuestion", executable=found.executable)
    place = inputs.project_root
    about = [place, found.executable, f"{place}/{found.run.ref.manifest}", found.waiver_note]
    return ["launch", "yes" if inputs.yes else "", *about, question, *found.argv]


def _asset_root() -> str:
    return os.path.dirname(assets.path("VERSION"))
