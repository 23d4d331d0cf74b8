"""Starts a worker's wrapper, in a session of its own (D-056, Z-010, Z-012)."""

from __future__ import annotations

import contextlib
import fcntl
import os
import time
from typing import TYPE_CHECKING, NamedTuple

from okstra_ctl.dispatch import orphans_process, sidecars
from okstra_ctl.dispatch.jobs import Job
from okstra_ctl.dispatch.run_files import RunFiles
from okstra_ctl.providers import registry
from okstra_ctl.providers.worker_launch import WorkerTask
from okstra_ctl.roster import roles
from okstra_ctl.runs.run_ref import CATEGORIES
from okstra_kernel import assets, store
from okstra_project.dirs import OKSTRA_DIR_NAME, task_relative
from okstra_project.root import checkout_top

if TYPE_CHECKING:
    from subprocess import Popen

SIGN_WAIT = 5.0  # seconds in which a wrapper is to leave its first sign
_LAST_STEP = 0.05  # seconds between a wrapper's last word and its end
_POLL = 0.005


class Launched(NamedTuple):
    """A wrapper that was started; whether it came to anything is not known yet."""

    status_path: str
    process: Popen[bytes]
    until: float  # monotonic: how long its first sign is waited for


def argv(run: RunFiles, job: Job, *, outbox: str, work_dir: str, deadline: int) -> list[str]:
    """Return the words that start a job's wrapper. Raises UserError for an unknown provider."""
    spec = registry.provider_spec(job.provider)
    task_root = run.path(task_relative(run.key.group, run.key.id))
    task = WorkerTask(
        role=_registry_role(job.role),
        outbox=run.path(outbox),
        executor_folders=(
            os.path.join(task_root, "qa", "scripts"),
            os.path.join(run.root, OKSTRA_DIR_NAME, "decisions"),
        ),
        is_git=bool(checkout_top(work_dir)),
    )
    words = spec.worker_words(task) if spec.worker_words else []
    return [
        assets.path("bin", spec.worker_wrapper),
        work_dir,
        run.path(job.prompt_path),
        job.model or "default",
        f"--deadline={deadline}",
        "--",
        *words,
    ]


def launch(run: RunFiles, job: Job, words: list[str]) -> Launched:
    """Start a wrapper. What it says of its own arguments is in the launch log beside the prompt."""
    import subprocess

    prompt = run.path(job.prompt_path)
    log = os.open(
        sidecars.launch_log(prompt),
        os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC,
        store.PRIVATE,
    )
    try:
        with contextlib.suppress(OSError):  # the wrapper's as long as it lives, where that works
            fcntl.flock(log, fcntl.LOCK_EX | fcntl.LOCK_NB)
        process = subprocess.Popen(
            ["/bin/bash", "-p", *words],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            env=environment(),
            start_new_session=True,
            close_fds=True,
            preexec_fn=orphans_process.keeper(),
        )
    finally:
        os.close(log)
    return Launched(sidecars.status(prompt), process, time.monotonic() + SIGN_WAIT)


def has_signed(launched: Launched) -> bool:
    """Wait for a wrapper's first sign. False: it ended without; slow to leave one is no end."""
    status, process, until = launched
    while not os.path.exists(status) and time.monotonic() < until:
        if process.poll() is not None:
            return os.path.exists(status)
        time.sleep(_POLL)
    return True


def is_held(prompt_path: str) -> bool:
    """Tell whether a wrapper of this prompt lives, or whoever is starting it: it holds its log.

    No pid is asked, so none can be another's by now (XT-05). Where it is not to be told: yes, as
    the graces will decide.
    """
    return _holder(prompt_path) is not False


def is_over(prompt_path: str) -> bool:
    """Tell whether a wrapper that said how its turn ended is gone, or soon is; yes if not known."""
    end = time.monotonic() + _LAST_STEP
    while held := _holder(prompt_path):
        if time.monotonic() >= end:
            break
        time.sleep(_POLL)
    return not held


def _holder(prompt_path: str) -> bool | None:
    """Tell whether somebody holds a launch log; None where locks are not to be asked."""
    try:
        log = os.open(sidecars.launch_log(prompt_path), os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.flock(log, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return None
    finally:
        os.close(log)
    return False


def environment() -> dict[str, str]:
    """Return the worker's environment: the caller's, without repositories and host markers."""
    markers = {name for spec in registry.all_specs() for name in spec.host_markers}
    return {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("GIT_") and name not in markers
    }


def _registry_role(role: str) -> str:
    """Return the registry's word for a job's role; a re-verification only reads."""
    known = [one for one in roles.PLAN_ROLES if one == role]
    return roles.role(known[0]).registry if known else roles.role("analyser").registry


def make_outbox(run: RunFiles, outbox: str) -> None:
    """Make the folder that the worker may write to. It is empty, or it was this very job's."""
    if CATEGORIES["outbox"] not in outbox:
        raise ValueError(outbox)
    store.make_folder(run.root, outbox, mode=0o700)
