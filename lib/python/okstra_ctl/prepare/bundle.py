"""Prepares one run: every check, then its bundle (P-061, P-071). The one way in for all front ends.

After the checks the order of writing makes a kill harmless: the number is taken first, the manifest
comes when all it names is there, and the task's own records follow it.
"""

from __future__ import annotations

import hashlib
import os
from typing import NamedTuple

from okstra_ctl.leads import launch, runtimes
from okstra_ctl.prepare import (
    canonical_argv,
    checkout_git,
    instruction_set_files,
    intake,
    launch_data,
    records_files,
    registration,
    reservation_files,
    template,
    tokens,
)
from okstra_ctl.prepare.assets_needed import LAUNCH_TEMPLATE
from okstra_ctl.prepare.environment import Environment
from okstra_ctl.prepare.facts import Members, Run
from okstra_ctl.prepare.inputs import PrepareInputs
from okstra_ctl.prepare.registration import Ask
from okstra_ctl.providers import prompt_limit, registry
from okstra_ctl.roster import plan as plans
from okstra_ctl.roster import profiles_files
from okstra_ctl.runs import index_files, lead_events, run_numbers_files
from okstra_ctl.runs.run_ref import RunRef
from okstra_kernel import UserError, assets, iso_time

INDEX_NOTICE = "central index: "  # (P-212)


class PrepareOutputs(NamedTuple):
    run: Run
    executable: str  # of the lead; empty when the run is rendered only
    argv: list[str]  # that starts the lead
    waiver_note: str
    lines: list[str]  # for stdout
    notices: list[str]  # for stderr


def prepare_task_bundle(
    inputs: PrepareInputs, home: str, environment: Environment, ask: Ask
) -> PrepareOutputs:
    """Prepare a run. Raises UserError; before every check has passed nothing is written."""
    override = run_numbers_files.override(environment.value(run_numbers_files.OVERRIDE))
    accepted, key, trust_via = intake.check(inputs, home, environment, ask)
    root = inputs.project_root
    checkout = checkout_git.facts(root)

    def run_of(ref: RunRef) -> Run:
        current = accepted.current_session
        providers = list(dict.fromkeys(one.provider for one in accepted.plan.workers))
        argv = canonical_argv.canonical_argv(accepted.inputs, providers, current_session=current)
        if current:
            counts, models = plans.role_words(accepted.plan, accepted.profile)
            options = (
                *(f"--role-count={x}" for x in counts),
                *(f"--role-model={x}" for x in models),
            )
            argv = [*argv[:-1], *options, argv[-1]]
        return Run(accepted, ref, iso_time.now(), argv, checkout)

    _lead_prompt(run_of(RunRef(key, inputs.task_type, None, "000")))  # a template that has a fault
    index_files.open_home(home)
    notices = registration.register(home, root, key.project, trust_via)
    run = reservation_files.reserve(home, root, key, inputs.task_type, override, run_of)
    prompt = _lead_prompt(run)
    read = instruction_set_files.files(run, prompt)
    digest = hashlib.sha256(prompt.encode()).hexdigest()
    manifest = records_files.write_run(run, digest, _resume(run), read)
    records_files.write_task(run)
    notices += _index(run, manifest)
    if inputs.render_only and runtimes.is_artifact_only_runtime(accepted.runtime.runtime):
        details = {"runId": run.ref.run_id, "leadRuntime": accepted.runtime.runtime}
        lead_events.append(root, run.ref.lead_events, lead_events.RENDER_ONLY, "prepare", details)
    if not accepted.session_id:
        notices.append("the id of this session cannot be told: its usage will not be counted")
    return _outputs(run, prompt, notices)


def _lead_prompt(run: Run) -> str:
    path = assets.path(*LAUNCH_TEMPLATE)
    folder = os.path.dirname(path)
    text = profiles_files.expand_includes(assets.text(*LAUNCH_TEMPLATE), folder)
    return template.fill(text, tokens.tokens(run, os.path.dirname(folder)), LAUNCH_TEMPLATE[-1])


def _resume(run: Run) -> str:
    """Return the script that takes the lead up again, on the same prompt file (L-183).

    It waives no sandbox: consent is never taken from a file.
    """
    lead, root = run.accepted.plan.lead, run.inputs.project_root
    if lead.provider == plans.NO_PROVIDER:
        return "#!/bin/sh\n# No session leads this run; okstra run external drives it.\nexit 1\n"
    prompt = f"Read {root}/{run.ref.lead_prompt} and go on from what it names."
    again = registry.lead_launch_argv(
        lead.provider, lead.execution_value, prompt, waive_sandbox=False
    )
    command = launch.resume_command(lead.provider, root, run.accepted.session_id, again)
    return f"#!/bin/sh\n{command}\n"


def _index(run: Run, manifest: Members) -> list[str]:
    """Enter the run in the central index, then put earlier rows right. Return notices (P-212)."""
    home = run.accepted.home
    try:
        index_files.record_start(home, manifest)
    except UserError as err:
        return [f"{INDEX_NOTICE}this run could not be recorded, so the index lacks it: {err}"]
    try:
        faults = index_files.reconcile(home, run.ref.key.project)
    except UserError as err:
        faults = [str(err)]
    return [f"{INDEX_NOTICE}{fault}" for fault in faults]


def _outputs(run: Run, prompt: str, notices: list[str]) -> PrepareOutputs:
    if run.inputs.render_only:
        return PrepareOutputs(run, "", [], "", launch_data.summary(run, executable=""), notices)
    lead = run.accepted.plan.lead
    prompt_file = f"{run.inputs.project_root}/{run.ref.lead_prompt}"
    argv = registry.lead_launch_argv(
        lead.provider,
        lead.execution_value,
        prompt_limit.passable(prompt, prompt_file),
        run.accepted.session_id,
        capabilities=run.accepted.capability,
    )
    note = launch.sandbox_waiver_note(lead.provider)
    lines = [
        *launch_data.summary(run, executable=argv[0]),
        launch_data.launch_line(run, executable=argv[0], waiver_note=note, argv=argv),
    ]
    return PrepareOutputs(run, argv[0], argv, note, lines, notices)
