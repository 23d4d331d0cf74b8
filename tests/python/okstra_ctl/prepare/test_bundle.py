"""One run, from inputs to what lies on disk; every refusal leaves the disk as it was."""

from __future__ import annotations

import copy
import hashlib
import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any, Callable, Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from prepare_place import BRIEF, Place

from okstra_ctl.inspect import validation
from okstra_ctl.prepare import assets_needed, instruction_set_files, task_index
from okstra_ctl.runs import index_files
from okstra_kernel import Refusal, UserError, assets, schemas, strict_json
from okstra_project import trust_files

TASK = ".okstra/tasks/checkout/dev-1"
RUN = f"{TASK}/runs/error-analysis"


def faults(place: Place) -> list[str]:
    """Return what `okstra validate` says of every artifact, but for the good ones."""
    found = []
    for root in (place.project / ".okstra", place.home):
        for path in sorted([*root.rglob("*.json"), *root.rglob("*.jsonl")]):
            if path.name == "final-report-schema.json":
                continue  # what artifacts are held against
            verdict = validation.judge(str(path))
            found += verdict.faults
    return found


def test_a_bundle(place: Place) -> None:
    """P-132 to P-134, P-188, Z-116: each file of a run, each carrying its number."""
    outputs = place.prepare(directive="be quick", evidence_inputs="brief.md", render_only=True)
    files = sorted(
        str(path.relative_to(place.project))
        for path in (place.project / ".okstra").rglob("*")
        if path.is_file()
    )
    instructions = (
        *("analysis-material.md", "analysis-packet.md", "analysis-profile.md", "directive.txt"),
        "final-report-schema.json",
        *("final-report-template.md", "lead-execution-prompt.md", "reference-expectations.md"),
        "task-brief.md",
    )
    assert files == [
        ".okstra/project.json",
        f"{TASK}/history/timeline.json",
        *(f"{RUN}/instruction-set/001/{name}" for name in instructions),
        f"{RUN}/logs/lead-events-error-analysis-001.jsonl",
        f"{RUN}/manifests/run-manifest-error-analysis-001.json",
        f"{RUN}/sessions/resume-command-error-analysis-001.sh",
        f"{RUN}/state/active-run-context-error-analysis-001.json",
        f"{RUN}/state/run-context-error-analysis-001.json",
        f"{RUN}/state/team-state-error-analysis-001.json",
        f"{TASK}/task-index.md",
        f"{TASK}/task-manifest.json",
    ]
    assert (place.project / f"{RUN}/instruction-set/001/task-brief.md").read_text() == BRIEF
    assert outputs.lines == [
        f"okstra current run dir: {place.project}/{RUN}",
        f"final report path: {place.project}/{RUN}/reports/final-report-error-analysis-001.md",
        f"run manifest path: {place.project}/{RUN}/manifests/run-manifest-error-analysis-001.json",
    ]
    prompt = (place.project / f"{RUN}/instruction-set/001/lead-execution-prompt.md").read_bytes()
    manifest = place.json(f"{RUN}/manifests/run-manifest-error-analysis-001.json")
    assert manifest["promptSha256"] == hashlib.sha256(prompt).hexdigest()
    assert manifest["briefSha256"] == hashlib.sha256(BRIEF.encode()).hexdigest()
    assert b"{{" not in prompt
    assert faults(place) == []


def test_every_artifact_is_valid_after_runs_of_both_types_and_all_leads(place: Place) -> None:
    """Z-062: whatever was chosen."""
    shutil.copy(place.project / "brief.md", place.project / "answers.md")
    place.prepare(critic="codex", workers_override="codex,claude", base_ref="")
    place.prepare(lead_runtime="claude-code", task_type="requirements-discovery")
    place.prepare(lead_runtime="antigravity", related_tasks="shop:Checkout:DEV-1")
    place.prepare(lead_runtime="external", render_only=True, terminal_backend="tmux-pane")
    place.prepare(clarification_response_path="answers.md", role_counts=("analyser=3",))
    place.prepare(
        {"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": "s"},
        lead_runtime="claude-code",
        render_only=True,
    )
    place.prepare(task_id="결제 2", work_category="ops", analysis_target="brief.md")
    assert faults(place) == []
    seqs = sorted(p.name for p in (place.project / RUN / "instruction-set").iterdir())
    assert seqs == ["001", "002", "003", "004", "005"]


def test_the_recorded_argv_prepares_the_same_run_again(place: Place) -> None:
    """P-208: a new number, and else the same choices."""
    first = place.prepare(critic="codex", directive="a\n--yes", work_category="ops").run
    fields = {
        name: value for name, value in first.inputs._asdict().items() if name != "workspace_root"
    }
    again = place.prepare(**fields).run
    assert again.ref.seq == "002"
    assert again.argv == first.argv
    assert again.accepted.plan == first.accepted.plan


def test_a_later_run_keeps_what_the_task_knew(place: Place) -> None:
    """P-038 to P-042: unknown members stay, in the order of the file."""
    place.prepare(work_category="bugfix")
    path = place.project / TASK / "task-manifest.json"
    before = json.loads(path.read_text())
    before.update(workStatus="blocked", workStatusNote="기다림", mine=[1])
    path.write_text(json.dumps(before))
    place.prepare(task_type="requirements-discovery")
    after = json.loads(path.read_text())
    kept = ("workStatus", "workStatusNote", "mine", "createdAt", "workCategory", "taskKey")
    assert [after[name] for name in kept] == [
        *("blocked", "기다림", [1], before["createdAt"], "bugfix", "shop:Checkout:DEV-1"),
    ]
    assert after["workflow"]["phaseStates"] == {
        "error-analysis": "prepared",
        "requirements-discovery": "prepared",
    }
    rows = place.json(f"{TASK}/history/timeline.json")["runs"]
    assert [row["runId"][-27:] for row in rows] == [
        "p:Checkout:DEV-1/error-analysis/001"[-27:],
        "requirements-discovery/001"[-27:].rjust(27, "/"),
    ]


def test_a_carried_in_answer_belongs_to_its_run_alone(place: Place) -> None:
    """Z-076, 20 §32 row 67."""
    place.put("note.md", "yes\n")
    place.prepare(clarification_response_path="note.md")
    place.prepare()
    sets = place.project / RUN / "instruction-set"
    assert (sets / "001" / "clarification-response.md").read_text() == "yes\n"
    assert not (sets / "002" / "clarification-response.md").exists()


# Each a way in which a run cannot be: fields, and how the sentence begins or what it holds.
REFUSALS: list[Any] = [
    pytest.param({"task_type": "nosuch"}, "nosuch", id="20-32-10 unknown task type"),
    pytest.param({"task_type": ""}, "", id="no task type"),
    pytest.param(
        {"task_type": "implementation-planning"}, "not available yet", id="20-32-70 planning"
    ),
    pytest.param({"task_type": "implementation"}, "not available yet", id="implementation"),
    pytest.param({"task_type": "final-verification"}, "not available yet", id="verification"),
    pytest.param({"task_type": "release-handoff"}, "not available yet", id="hand-off"),
    pytest.param({"task_type": "improvement-discovery"}, "not available yet", id="improvement"),
    pytest.param({"runtime_resolution_json": "{"}, "invalid runtime resolution data", id="20-32-4"),
    pytest.param(
        {"runtime_resolution_json": "[]"}, "invalid runtime resolution data", id="20-32-4 list"
    ),
    pytest.param({"lead_runtime": "external"}, "external", id="20-32-5"),
    pytest.param(
        {"lead_runtime": "external", "terminal_backend": "cmux-pane"}, "external", id="L-116 cmux"
    ),
    pytest.param({"terminal_backend": "mixed"}, "--terminal-backend=mixed", id="20-32-6"),
    pytest.param({"lead_runtime": "cmux"}, "cmux", id="L-110"),
    pytest.param({"lead_runtime": "gemini"}, "gemini", id="unknown runtime"),
    pytest.param({"brief_path": ""}, "--task-brief", id="20-32-11 none"),
    pytest.param({"brief_path": "none.md"}, "none.md", id="20-32-11 missing"),
    pytest.param({"brief_path": "."}, "not a file", id="20-32-11 folder"),
    pytest.param({"brief_path": "bad.md"}, "NUL", id="20-32-11 binary"),
    pytest.param({"brief_path": "a\0b"}, "null byte", id="20-32-11 NUL"),
    pytest.param(
        {"clarification_response_path": "none.md"},
        "clarification response file not found: none.md",
        id="20-32-12",
    ),
    pytest.param(
        {"reverify_scope": "full"},
        "--reverify-scope=full goes with implementation-planning, not with error-analysis",
        id="20-32-13",
    ),
    pytest.param({"reverify_scope": "auto"}, "--reverify-scope=auto goes with", id="20-32-14"),
    pytest.param({"qa_waiver": "s:x"}, "--qa-waiver=s:x goes with", id="20-32-30"),
    pytest.param({"approve_plan_ack": True}, "--approve goes with", id="approve"),
    pytest.param({"no_direction": True}, "--no-direction goes with", id="no direction"),
    pytest.param({"stage": "auto"}, "--stage=auto goes with", id="stage"),
    pytest.param({"executor": "codex"}, "--executor=codex goes with", id="executor"),
    pytest.param(
        {"workers_override": "codex-verifier"}, "unknown workers: codex-verifier", id="20-32-54"
    ),
    pytest.param({"critic": "foo"}, "--critic=foo", id="20-32-56"),
    pytest.param({"lead_provider": "claude"}, "the host codex leads with codex", id="20-32-57"),
    pytest.param({"lead_provider": "grok"}, "grok", id="L-130"),
    pytest.param({"lead_provider": "local"}, "local", id="H-033"),
    pytest.param({"role_models": ("report-writer=antigravity",)}, "antigravity", id="L-118"),
    pytest.param({"role_counts": ("analyser=9",)}, "analyser: 9", id="too many"),
    pytest.param({"work_category": "unknown"}, "--work-category=unknown", id="L-082"),
    pytest.param({"related_tasks": "shop:g:none"}, "shop:g:none", id="related"),
    pytest.param({"base_ref": "main"}, "--base-ref=main", id="no git"),
    pytest.param({"analysis_target": "../x"}, "--analysis-target=../x", id="P-120"),
    pytest.param({"evidence_inputs": "none"}, "--evidence-inputs: none", id="P-120 evidence"),
    pytest.param({"directive": "a\udcff"}, "not UTF-8: --directive=", id="XI-04"),
    pytest.param({"cwd": "/\udcff"}, "not UTF-8: cwd=", id="XI-04 cwd"),
    *(
        pytest.param({field: value}, repr(value), id=f"20-32-71 {field} {value!r}")
        for field in ("project_id", "task_group", "task_id")
        for value in ("../x", "..", ".", "/etc", "a\nb", "a\tb", "a\0b", "\x1b[1m", "", "~", "a:b")
    ),
]


@pytest.mark.parametrize(("fields", "told"), REFUSALS)
@pytest.mark.parametrize("registered", [False, True])
def test_a_refusal_leaves_everything_as_it_was(
    place: Place, registered: bool, fields: dict[str, Any], told: str
) -> None:
    """L-096, L-201, 20 §32: nothing is created before the checks have passed."""
    (place.project / "bad.md").write_bytes(b"ELF\0")
    if registered:
        place.prepare(task_id="OTHER")
    before = place.tree()
    with pytest.raises(UserError) as caught:
        place.prepare(**fields)
    assert told in str(caught.value)
    assert place.tree() == before


@pytest.mark.parametrize(
    ("variables", "fields", "told"),
    [
        ({"OKSTRA_RUN_SEQ_OVERRIDE": "abc"}, {}, "OKSTRA_RUN_SEQ_OVERRIDE=abc"),
        ({"OKSTRA_RUNTIME_HOST": "foo"}, {"lead_runtime": ""}, "OKSTRA_RUNTIME_HOST: "),
        (
            {"OKSTRA_DEFAULT_LEAD_MODEL": "x"},
            {"lead_runtime": "claude-code"},
            "OKSTRA_DEFAULT_LEAD",
        ),
        ({"PATH": ""}, {"lead_runtime": "auto"}, "no lead was named"),
    ],
)
def test_a_refusal_names_the_variable(
    place: Place, variables: dict[str, str], fields: dict[str, Any], told: str
) -> None:
    """L-062, L-154, L-060, 20 §32 row 53."""
    before = place.tree()
    with pytest.raises(UserError) as caught:
        place.prepare(variables, **fields)
    assert str(caught.value).startswith(told) or told in str(caught.value)
    assert (caught.value.status, place.tree()) == (2, before)


@pytest.mark.parametrize(
    ("fields", "shown"),
    [
        ({"critic": "off"}, None),  # 20 §32 row 55
        ({"critic": " Codex "}, "codex"),
        ({"critic": ""}, None),
        ({"reverify_scope": "  "}, None),  # row 17
        ({"qa_waiver": " "}, None),  # row 29
        ({"lead_model": "opus", "lead_runtime": "claude-code"}, None),
    ],
)
def test_what_is_accepted(place: Place, fields: dict[str, Any], shown: str | None) -> None:
    run = place.prepare(
        {"OKSTRA_DEFAULT_LEAD_MODEL": "nosuch"} if "lead_model" in fields else {}, **fields
    ).run
    critic = run.accepted.plan.critic
    assert (critic.provider if critic else None) == shown


@pytest.mark.parametrize("backend", ["cli-wrapper", "tmux-pane", "cmux-pane"])
@pytest.mark.parametrize("runtime", ["claude-code", "codex", "antigravity"])
def test_every_lead_passes_on_every_backend(place: Place, runtime: str, backend: str) -> None:
    """L-114, Z-001, Z-017."""
    outputs = place.prepare(lead_runtime=runtime, terminal_backend=backend)
    manifest = place.json(outputs.run.ref.manifest)
    adapter = "cmux" if backend == "cmux-pane" else runtime
    assert (manifest["terminalBackend"], manifest["adapter"]["name"]) == (backend, adapter)


def test_cmux_that_is_lost_is_not_left_in_silence(place: Place) -> None:
    """20 §32 rows 7 and 8, L-170 to L-173."""
    place.prepare(terminal_backend="cmux-pane")
    before = place.tree()
    with pytest.raises(Refusal, match=r"--terminal-backend cli-wrapper$"):
        place.prepare()
    assert place.tree() == before
    place.prepare(task_type="requirements-discovery")  # another type
    place.prepare(terminal_backend="cli-wrapper")
    place.put(f"{RUN}/manifests/run-manifest-error-analysis-009.json", "{")
    assert place.prepare().run.accepted.backend == "cli-wrapper"


def test_two_tasks_of_one_folder(place: Place) -> None:
    """P-006, 20 §32 row 72."""
    place.prepare()
    before = place.tree()
    with pytest.raises(Refusal) as caught:
        place.prepare(task_group="checkout")
    assert str(caught.value) == (
        "two tasks would share one folder: shop:Checkout:DEV-1 has it, "
        "shop:checkout:DEV-1 asks for it"
    )
    with pytest.raises(Refusal, match="registered as 'shop', not 'Shop'"):
        place.prepare(project_id="Shop")
    assert place.tree() == before


def test_every_file_that_a_run_needs_is_asked_for_first(
    place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """P-059, P-060, 20 §32 rows 2 and 3."""
    tree = tmp_path / "나무 tree"
    root = Path(assets.path("VERSION")).parent
    for folder in ("prompts", "validators"):
        shutil.copytree(root / folder, tree / folder)
    shutil.copy(root / "VERSION", tree)
    monkeypatch.setattr(assets, "find_asset_root", _finder(tree))
    needed = (
        *(assets_needed.LAUNCH_TEMPLATE, assets_needed.LEAD_CONTRACT),
        *(assets.BRIEF_VALIDATOR_RELATIVE, task_index.TEMPLATE),
        *(instruction_set_files.REPORT_TEMPLATE, ("prompts", "lead", "adapters", "codex.md")),
    )
    before = place.tree()
    for relative in needed:
        away = tree.joinpath(*relative)
        away.rename(f"{away}.away")
        with pytest.raises(UserError) as caught:
            place.prepare()
        told = f"a file of okstra is missing: {os.path.join(*relative)}"
        assert (str(caught.value), caught.value.next_step) == (told, "okstra install")
        Path(f"{away}.away").rename(away)
    launch = tree.joinpath(*assets_needed.LAUNCH_TEMPLATE)
    launch.write_text("{{TASK_KEY}} {{NO_SUCH}}")
    with pytest.raises(UserError, match=r"^launch.template.md: no value for NO_SUCH$"):
        place.prepare()  # 20 §32 row 58
    assert place.tree() == before


def _finder(tree: Path) -> Callable[[tuple[str, ...]], str | None]:
    return lambda relative: str(tree) if tree.joinpath(*relative).is_file() else None


@pytest.mark.parametrize("name", ["recent.jsonl", "active.jsonl", ".locks/central.lock"])
def test_an_index_that_cannot_be_written_is_a_notice(place: Place, name: str) -> None:
    """P-212, 20 §32 rows 50 and 52."""
    (place.home / name).mkdir(parents=True)
    outputs = place.prepare()
    assert [notice.partition(": ")[0] for notice in outputs.notices] == ["central index"]
    assert place.json(outputs.run.ref.manifest)["seq"] == "001"


@pytest.mark.parametrize("answer", [None, False, True])
def test_a_clone_with_an_okstra_folder_is_asked_about(place: Place, answer: bool | None) -> None:
    """Z-102, XS-05, 20 §32 row 74."""
    place.put(".okstra/project.json", {"schemaVersion": 1, "projectId": "shop"})
    before = place.tree()
    if answer:
        place.prepare(answer=answer)
        place.prepare(answer=None)  # once
        return
    with pytest.raises(Refusal, match=r"is not trusted") as caught:
        place.prepare(answer=answer)
    assert (caught.value.next_step, place.tree()) == (f"okstra trust '{place.project}'", before)
    place.prepare(answer=None, trust=True)


LINKS = (
    *(".okstra", ".okstra/tasks", ".okstra/project.json"),
    *(f"{TASK}", f"{TASK}/task-manifest.json", f"{TASK}/history", f"{TASK}/history/timeline.json"),
    *(f"{TASK}/task-index.md", f"{RUN}", f"{RUN}/state", f"{RUN}/logs"),
)


@pytest.mark.parametrize("relative", LINKS)
def test_a_link_inside_is_refused_and_its_victim_untouched(place: Place, relative: str) -> None:
    """Z-101, XS-06, 20 §32 row 73."""
    place.prepare()
    at = place.project / relative
    victim = place.project.parent / "victim"
    at.rename(victim)
    at.symlink_to(victim)
    before = {path: path.read_bytes() for path in victim.rglob("*") if path.is_file()}
    content = victim.read_bytes() if victim.is_file() else b""
    mode = victim.stat().st_mode
    with pytest.raises(UserError, match="link"):
        place.prepare(trust=True, render_only=True)
    after = {path: path.read_bytes() for path in victim.rglob("*") if path.is_file()}
    assert (after, victim.stat().st_mode) == (before, mode)
    assert content == (victim.read_bytes() if victim.is_file() else b"")


# --- JSON that somebody else wrote -------------------------------------------------------------

STATE = {
    "project": ".okstra/project.json",
    "task-manifest": f"{TASK}/task-manifest.json",
    "timeline": f"{TASK}/history/timeline.json",
}
CAPABILITIES = {
    "schemaVersion": 1,
    "probedAt": "2026-01-01T00:00:00Z",
    "providers": {"codex": {"executable": "/bin/codex", "version": "1.0", "flags": ["-m"]}},
}


def broken(path: Path) -> Iterator[tuple[str, bytes | None]]:
    """Yield ways in which a JSON file can be broken; None: a folder in its place."""
    whole = path.read_bytes()
    yield from {
        "empty": b"",
        "null": b"null",
        "list": b"[]",
        "NaN": whole.replace(b"1", b"NaN", 1),
        "twice": b'{"schemaVersion": 1, "schemaVersion": 1}',
        "half a pair": whole.replace(b"{", b'{"x": "\\ud800",', 1),
        "BOM": b"\xef\xbb\xbf" + whole,
        "deep": b"[" * 100_000,
        "digits": b'{"schemaVersion": ' + b"9" * 5000 + b"}",
        "older": whole.replace(b'"schemaVersion": 1', b'"schemaVersion": 0', 1),
        "newer": whole.replace(b'"schemaVersion": 1', b'"schemaVersion": 2', 1),
        "none": whole.replace(b'"schemaVersion": 1,', b"", 1),
        "not UTF-8": whole.replace(b"shop", b"\xff", 1) + b"\xff",
    }.items()
    yield from ((f"cut at {n}", whole[:n]) for n in range(0, len(whole) - 2, 37))
    yield "a folder", None


def put_back(path: Path, data: bytes | None) -> None:
    if path.is_dir():
        path.rmdir()
    if data is None:
        path.unlink()
        path.mkdir()
    else:
        path.write_bytes(data)


@pytest.mark.parametrize("name", [*STATE, "capabilities"])
def test_a_broken_state_file_is_named_and_its_repair_works(place: Place, name: str) -> None:
    """XI-10, XI-14, XI-15: exit 2, the file named, nothing written; then the command it says."""
    place.prepare()
    path = place.home / "capabilities.json"
    path.write_text(json.dumps(CAPABILITIES))
    if name in STATE:
        path = place.project / STATE[name]
    whole = path.read_bytes()
    for case, data in broken(path):
        put_back(path, data)
        before = place.tree()
        with pytest.raises(UserError) as caught:
            place.prepare()
        assert str(path) in str(caught.value), case
        assert (caught.value.status, place.tree()) == (2, before), case
        last = caught.value
        put_back(path, whole)
    put_back(path, None)
    subprocess.run(["sh", "-c", last.next_step], check=True)
    place.prepare()
    assert faults(place) == []


def test_a_record_of_another_task_is_told_from_a_task_of_the_same_name(place: Place) -> None:
    """XI-15: swapped with another task's."""
    place.prepare()
    place.prepare(task_id="DEV-2")
    mine = place.project / TASK / "task-manifest.json"
    shutil.copy(place.project / ".okstra/tasks/checkout/dev-2/task-manifest.json", mine)
    before = place.tree()
    with pytest.raises(Refusal) as caught:
        place.prepare()
    assert str(caught.value) == f"this record is another task's, shop:Checkout:DEV-2: {mine}"
    assert place.tree() == before
    subprocess.run(["sh", "-c", caught.value.next_step], check=True)
    assert place.prepare().run.ref.seq == "002"


def test_a_state_file_that_is_gone_is_made_again(place: Place) -> None:
    """XI-15: deleted."""
    place.prepare()
    for relative in STATE.values():
        (place.project / relative).unlink()
    for name in ("recent.jsonl", "active.jsonl"):
        (place.home / name).unlink()
    assert place.prepare().run.ref.seq == "002"
    assert faults(place) == []


def members(value: object, at: tuple[object, ...] = ()) -> list[tuple[object, ...]]:
    """Return the place of each member and item in a JSON value."""
    pairs: list[tuple[object, object]] = []
    if isinstance(value, dict):
        pairs = list(value.items())
    elif isinstance(value, list):
        pairs = list(enumerate(value))
    found = []
    for name, inner in pairs:
        found += [(*at, name), *members(inner, (*at, name))]
    return found


SWAPS: list[Any] = [
    None,
    True,
    0,
    -1,
    1.5,
    "",
    "x",
    "../x",
    "/etc",
    [],
    ["x"],
    [{}],
    {},
    {"x": None},
    10**30,
]


def mutated(value: Any, at: tuple[Any, ...], new: object, drop: bool) -> Any:
    """Return a copy with one member dropped or of another value."""
    value = copy.deepcopy(value)
    inner = value
    for step in at[:-1]:
        inner = inner[step]
    if drop:
        del inner[at[-1]]
    else:
        inner[at[-1]] = new
    return value


TRUST = {
    "schemaVersion": 1,
    "path": "/x",
    "uid": 0,
    "rootCommit": "",
    "trusted": True,
    "via": "asked",
    "at": "2026-01-01T00:00:00Z",
}


SPOILED = {"task-manifest": 350, "timeline": 350, "project": 150, "capabilities": 150}
SPOILED_ROWS = {"trust": 500, "index": 500}


def many(number: int) -> settings:
    slow = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
    return settings(max_examples=number, suppress_health_check=slow)


FILES = {
    **{name: f"shop/{path}" for name, path in STATE.items()},
    "capabilities": "home/capabilities.json",
    "trust": "home/trust.jsonl",
    "index": "home/active.jsonl",
}


@pytest.mark.parametrize("name", SPOILED)
def test_no_json_is_a_fault_of_ours(seeds: dict[str, Any], place: Place, name: str) -> None:
    """XI-11: refused, or a run whose own records are all valid; never a traceback."""

    @many(SPOILED[name])
    @given(data=st.data())
    def hold(data: st.DataObject) -> None:
        _spoil(data, seeds, place, name)
        try:
            outputs = place.prepare()
        except UserError:
            return
        kind = "run-manifest" if name == "capabilities" else name
        written = STATE.get(name, outputs.run.ref.manifest)
        if name != "project":  # whose other members are the user's own
            assert schemas.check(place.json(written), kind) == []

    hold()


@pytest.mark.parametrize("name", SPOILED_ROWS)
def test_no_row_is_a_fault_of_ours(seeds: dict[str, Any], place: Place, name: str) -> None:
    """XI-11, XI-13: the good rows beside a bad one count."""

    @many(SPOILED_ROWS[name])
    @given(data=st.data())
    def hold(data: st.DataObject) -> None:
        _spoil(data, seeds, place, name)
        home, root = str(place.home), str(place.project)
        assert trust_files.is_trusted(home, root)
        index_files.reconcile(home, "shop")
        assert index_files.numbers(home, "shop:Checkout:DEV-1", "error-analysis") == [1]

    hold()


def _spoil(data: st.DataObject, seeds: dict[str, Any], place: Place, name: str) -> None:
    """Put all files back as they were, then one of them with one member dropped or swapped."""
    at = data.draw(st.sampled_from(members(seeds[name])))
    new, drop = data.draw(st.sampled_from(SWAPS)), data.draw(st.booleans())
    for good, content in seeds["files"].items():
        good.write_bytes(content)
    first, *rest = FILES[name].split("/")
    path = (place.home if first == "home" else place.project).joinpath(*rest)
    others = path.read_text() if name in ("trust", "index") else ""
    path.write_text(f"{json.dumps(mutated(seeds[name], at, new, drop))}\n{others}")


@pytest.fixture
def seeds(place: Place) -> dict[str, Any]:
    """Return good values to spoil, and the folders they lie in."""
    place.prepare()
    found: dict[str, Any] = {
        name: strict_json.read(str(place.project / path)).members for name, path in STATE.items()
    }
    found["project"] = {
        **found["project"],
        "prTemplatePath": "t.md",
        "qaCommands": [{"name": "test", "command": "true"}],
    }
    row = (place.home / "active.jsonl").read_text().splitlines()[0]
    files = [place.project / path for path in STATE.values()]
    files += [place.home / name for name in ("trust.jsonl", "recent.jsonl", "active.jsonl")]
    more = {"capabilities": CAPABILITIES, "trust": TRUST, "index": json.loads(row)}
    return {**found, **more, "files": {path: path.read_bytes() for path in files}}


def test_the_brief_behind_a_link_and_dots_is_the_one_the_kernel_finds(
    place: Place, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    (other / "sub").mkdir(parents=True)
    (other / "brief.md").write_text("the other one\n", encoding="utf-8")
    (place.project / "lnk").symlink_to(other / "sub")
    run = place.prepare(brief_path="lnk/../brief.md").run
    assert run.accepted.brief.data == b"the other one\n"
    assert run.accepted.brief_path == str(other / "brief.md")


def test_a_number_too_long_in_the_timeline_is_named_before_anything_is_written(
    place: Place,
) -> None:
    """XI-10, XI-11."""
    run = place.prepare().run
    path = place.project / run.ref.run_dir / "../../history/timeline.json"
    text = path.read_text(encoding="utf-8").replace('"seq": "001"', f'"seq": "{"9" * 5000}"')
    path.write_text(text, encoding="utf-8")
    before = place.tree()
    with pytest.raises(UserError, match="not a run number"):
        place.prepare()
    assert place.tree() == before


def test_a_project_whose_folder_is_okstra_s_home_is_refused(place: Place) -> None:
    """HOME as a project: removing okstra would remove the project's records with it."""
    from okstra_ctl.prepare.bundle import prepare_task_bundle
    from okstra_ctl.prepare.environment import Environment

    before = place.tree()
    home = str(place.project / ".okstra")
    around = Environment(str(place.project), {})
    with pytest.raises(Refusal, match="is okstra's home, too"):
        prepare_task_bundle(place.inputs(), home, around, lambda *about: None)
    assert place.tree() == before
