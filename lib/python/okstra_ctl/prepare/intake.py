"""The checks before a run, in their order (L-095, P-071 steps 1 to 6). Nothing is written here.

The order is the contract: what is wrong first is said first, and a run that cannot work fails
before anything of it exists.
"""

from __future__ import annotations

import hashlib
import os
from typing import NamedTuple

from okstra_ctl.briefs import brief_files
from okstra_ctl.clarifications import carry_in_files
from okstra_ctl.leads import gate, host_session_process, resolver, runtimes, session_files
from okstra_ctl.prepare import (
    analysis_inputs,
    checkout_git,
    option_scope,
    prior_records_files,
    prior_run_errors,
    registration,
    related_tasks,
)
from okstra_ctl.prepare.assets_needed import check_assets
from okstra_ctl.prepare.environment import Environment
from okstra_ctl.prepare.facts import Accepted
from okstra_ctl.prepare.inputs import OPTIONS, PrepareInputs
from okstra_ctl.prepare.registration import Ask
from okstra_ctl.prepare.roster_choice import choose
from okstra_ctl.prepare.versions import versions
from okstra_ctl.prepare.work_category import resolve_work_category
from okstra_ctl.providers import capabilities_files
from okstra_ctl.providers.capabilities import Capability
from okstra_ctl.roster import profiles, profiles_files
from okstra_ctl.runs.run_ref import run_dir
from okstra_ctl.surfaces import backend, backend_probe, previous_run_files
from okstra_kernel import Refusal, UserError, store, strict_json
from okstra_project import project_json, qa_commands, task_key
from okstra_project.dirs import OKSTRA_DIR_NAME, PROJECT_FILENAME, okstra_dir
from okstra_project.task_key import TaskKey

AVAILABLE = ("requirements-discovery", "error-analysis")  # others come with later versions


class Checked(NamedTuple):
    accepted: Accepted
    key: TaskKey
    trust_via: str  # how trust comes about; empty for a project that has it


def check(inputs: PrepareInputs, home: str, environment: Environment, ask: Ask) -> Checked:
    """Return what holds for a run of these inputs. Raises UserError: the first thing wrong."""
    _unicode(inputs)
    profile = _task_type(inputs.task_type)
    option_scope.check(inputs)
    key = task_key.task_key(inputs.project_id, inputs.task_group, inputs.task_id)
    runtime, resolution, host = _runtime(inputs, environment)
    terminal = _backend(inputs, runtime.runtime, key, environment)
    runtime = runtimes.for_backend(runtime.runtime, terminal)
    gate.check_lead_gate(runtime, terminal, render_only=inputs.render_only)
    check_assets(runtime)
    _check_project(inputs, home)
    trust_via = registration.check_trust(home, inputs.project_root, granted=inputs.trust, ask=ask)
    manifest = prior_records_files.read(inputs.project_root, key)
    registration.check_writable(inputs.project_root)
    path = _brief_path(inputs, profile, manifest)
    brief = brief_files.load(os.path.join(inputs.project_root, path), path)
    clarification = _clarification(inputs)
    current = inputs.render_only and host == runtime.runtime
    plan, lead_label = choose(inputs, profile, runtime, terminal, current, environment)
    session = _session(runtime, current, environment)
    target = analysis_inputs.target(inputs.project_root, inputs.analysis_target)
    recorded = manifest.text("workCategory", "") if manifest else ""
    category = resolve_work_category(inputs.work_category, recorded)
    accepted = Accepted(
        inputs=inputs._replace(
            lead_runtime=runtime.runtime, work_category=category, analysis_target=target
        ),
        home=home,
        runtime=runtime,
        runtime_request=str(resolution.get("requestedRuntime", "")),
        resolution=resolution,
        host_runtime=host,
        backend=terminal,
        current_session=current,
        session_id=session,
        brief=brief,
        brief_path=path,
        brief_sha256=hashlib.sha256(brief.data).hexdigest(),
        clarification=clarification,
        prior_errors=prior_run_errors.find(inputs.project_root, key),
        evidence=analysis_inputs.evidence(inputs.project_root, inputs.evidence_inputs),
        related=related_tasks.related(inputs.project_root, key.project, inputs.related_tasks),
        work_category=category,
        base_commit=checkout_git.base_commit(inputs.project_root, inputs.base_ref),
        profile=profile,
        profile_text=profiles_files.profile_text(profile),
        plan=plan,
        lead_label=lead_label,
        capability=_capability(inputs, home, plan.lead.provider),
        versions=versions(),
    )
    return Checked(accepted, key, trust_via)


def _unicode(inputs: PrepareInputs) -> None:
    """Refuse what no JSON file could hold: a byte of the command line that is not UTF-8 (XI-04)."""
    for name, value in inputs._asdict().items():
        for text in value if isinstance(value, tuple) else (value,):
            try:
                str(text).encode()
            except UnicodeEncodeError:
                option = next((o for o, field in OPTIONS.items() if field == name), name)
                raise UserError(f"not UTF-8: {option}={text!r}") from None


def _task_type(name: str) -> profiles.Profile:
    profile = profiles_files.load_role_profile(name)
    if name not in AVAILABLE:
        raise UserError(f"not available yet: {name}; available: {', '.join(AVAILABLE)}")
    return profile


def _runtime(
    inputs: PrepareInputs, environment: Environment
) -> tuple[runtimes.LeadRuntime, dict[str, object], str]:
    """Return the runtime, how it was resolved, and the host session this process is in."""
    told = inputs.runtime_resolution_json.strip()
    resolution: dict[str, object] = {}
    if told:
        try:
            resolution = dict(strict_json.parse(told, "--runtime-resolution-json").members)
        except UserError as err:
            raise UserError(f"invalid runtime resolution data: {err}") from err
    host = host_session_process.current_host(environment.variables)
    found = resolver.resolve(
        inputs.lead_runtime,
        environment.value(resolver.HOST_VARIABLE),
        host,
        backend_probe.tmux_available(environment.variables),
    )
    request = inputs.lead_runtime_request.strip() or found.requested
    own: dict[str, object] = {**found.to_json(), "requestedRuntime": request}
    return runtimes.lead_runtime_info(found.resolved), {**own, **resolution}, host


def _backend(inputs: PrepareInputs, runtime: str, key: TaskKey, environment: Environment) -> str:
    runs = os.path.join(inputs.project_root, run_dir(key, inputs.task_type, None))
    return backend.resolve_backend(
        inputs.terminal_backend,
        runtime,
        inputs.task_type,
        observe=lambda: backend_probe.observe(environment.variables),
        previous=lambda: previous_run_files.previous_backend(runs),
    )


def _check_project(inputs: PrepareInputs, home: str) -> None:
    if os.path.realpath(okstra_dir(inputs.project_root)) == os.path.realpath(home):
        raise Refusal(
            f"this project's {OKSTRA_DIR_NAME}/ is okstra's home, too: {home}",
            next_step="export OKSTRA_HOME=<another folder>",
        )
    store.refuse_links(inputs.project_root, f"{OKSTRA_DIR_NAME}/{PROJECT_FILENAME}")
    project_json.check_id(inputs.project_root, inputs.project_id.strip())
    if record := project_json.read(inputs.project_root):
        qa_commands.validate_qa_commands(record)


def _brief_path(
    inputs: PrepareInputs, profile: profiles.Profile, manifest: strict_json.Record | None
) -> str:
    """Return the brief's path: relative to the project where it lies inside, else absolute."""
    given = inputs.brief_path
    if not given and profile.brief == "carried" and manifest:
        given = manifest.text("taskBriefPath", "")
    if not given:
        raise UserError(f"{inputs.task_type} needs a brief: --task-brief=<path>")
    root = inputs.project_root
    folder, name = os.path.split(os.path.join(root, given))
    path = os.path.join(os.path.realpath(folder), name)  # `link/..` is not where it was
    return os.path.relpath(path, root) if path.startswith(f"{root}{os.sep}") else path


def _clarification(inputs: PrepareInputs) -> str:
    given = inputs.clarification_response_path
    if not given.strip():
        return ""
    return carry_in_files.carry_in(os.path.join(inputs.project_root, given), given)


def _capability(inputs: PrepareInputs, home: str, provider: str) -> Capability | None:
    """Return what was probed of the lead's CLI; a run that starts none needs none (Z-090)."""
    return None if inputs.render_only else capabilities_files.load(home).get(provider)


def _session(runtime: runtimes.LeadRuntime, current: bool, environment: Environment) -> str:
    """Return the id of the leading session: a fresh one, or this one's, "" if it cannot be told."""
    if current:
        variables = environment.variables
        return session_files.current_session_id(runtime.runtime, variables, environment.cwd)
    return session_files.new_session_id()
