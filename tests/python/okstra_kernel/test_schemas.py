"""Artifacts and what is wrong with them (Z-062, Z-112, XI-11, XI-14, L-159 to L-161)."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any, Iterator

import pytest
import report_samples
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from okstra_ctl.runs import error_record
from okstra_kernel import UserError, schemas
from okstra_project import task_manifest

NOW, KEY, DIR = "2026-03-01T10:05:00Z", "shop:checkout:DEV-1", ".okstra/tasks/checkout/dev-1"
RUN = f"{DIR}/runs/error-analysis"
ASSIGNMENT = {
    "workerId": "claude-analyser",
    "provider": "claude",
    "role": "analyser",
    "model": "M",
    "modelExecutionValue": "m",
    "runner": "cli-wrapper",
}
IDENTITY = {
    "schemaVersion": 1,
    "runId": f"{KEY}/error-analysis/001",
    "taskKey": KEY,
    "projectId": "shop",
    "taskGroup": "checkout",
    "taskId": "DEV-1",
    "taskType": "error-analysis",
    "stage": None,
    "seq": "001",
    "runSequencesByCategory": {"reports": "001"},
}
SCOPE = {"mode": "auto", "stages": [2]}
GOOD: dict[str, dict[str, Any]] = {
    "project": {"schemaVersion": 1, "projectId": "shop", "prTemplatePath": "x", "later": 1},
    "task-manifest": {
        "schemaVersion": 1,
        **{"taskKey": KEY, "projectId": "shop", "taskGroup": "checkout", "taskId": "DEV-1"},
        **{"taskType": "error-analysis", "workCategory": "bugfix", "workStatus": "todo"},
        "workflow": {"currentPhase": "error-analysis", "phaseStates": {"error-analysis": "x"}},
        **{"createdAt": NOW, "updatedAt": NOW, "later": 1},
    },
    "run-manifest": {
        **IDENTITY,
        **{"startedAt": NOW, "createdAt": NOW, "versions": {"okstra": "0", "python": "3"}},
        **{"cwd": "/x", "projectRoot": "/x", "argv": ["--yes"], "briefPath": "b.md"},
        **{"briefSha256": "0" * 64, "workCategory": "bugfix", "renderOnly": False},
        **{"hostRuntime": "codex", "leadRuntime": "codex", "leadRuntimeRequest": "auto"},
        **{"runtimeResolution": {}, "terminalBackend": "cli-wrapper"},
        **{"leadAssignment": ASSIGNMENT, "workerAssignments": [ASSIGNMENT]},
        **{"criticAssignment": None, "recommendedWorkers": ["claude-analyser"]},
        "requiredWorkerRoles": ["analyser"],
        "invocationAssignments": {"initial/claude-analyser": ASSIGNMENT},
        **{"executorWorkerId": "", "teamName": "t", "leadSessionId": "", "entryMode": "new"},
        "adapter": {"name": "codex", "dispatchMode": "x", "contractPath": "p"},
        **{"runDir": RUN, "instructionSetPath": f"{RUN}/instruction-set/001/"},
        **{"promptFile": f"{RUN}/p.md", "promptSha256": "0" * 64, "teamStatePath": f"{RUN}/t"},
        **{"activeRunContextPath": f"{RUN}/a", "finalReportPath": f"{RUN}/r"},
        **{"errorLogPath": f"{RUN}/e", "leadEventsPath": f"{RUN}/l", "resumeCommandPath": ""},
        **{"relatedTasks": [], "clarificationResponse": "", "directive": ""},
        **{"reverifyScope": SCOPE, "expectedMinutes": 15},
        "worktree": {"path": "/x", "branch": "main", "baseRef": ""},
        "sandboxWaiver": {"flags": ["-x"], "note": "n", "grantedBy": "tty", "at": NOW},
    },
    "team-state": {
        **{"schemaVersion": 1, "runId": "r", "taskKey": KEY, "taskType": "t", "seq": "001"},
        **{"teamName": "t", "terminalBackend": ""},
        "workers": [
            {**ASSIGNMENT, "status": "pending", "startedAt": None, "endedAt": None, "reason": ""}
        ],
        "workerDispatches": [],
    },
    "run-context": {
        **IDENTITY,
        **{"complete": True, "createdAt": NOW, "paths": {"runDir": RUN}, "promptSha256": ""},
        "inputs": {},
    },
    "active-run-context": {
        **{"schemaVersion": 1, "runId": "r", "taskType": "t", "seq": "001", "runDir": RUN},
        **{"paths": {}, "briefPath": "b", "briefConfirmed": True, "workers": [], "critic": ""},
        **{"executorWorkerId": "", "terminalBackend": "", "expectedMinutes": 1},
        "reverifyScope": SCOPE,
    },
    "recent-row": {
        **{"schemaVersion": 1, "runId": "r", "projectId": "shop", "taskKey": KEY},
        **{"taskType": "t", "stage": 2, "seq": "003", "status": "running", "startedAt": NOW},
        **{"projectRoot": "/x", "runDir": RUN, "cwd": "/x", "argv": [], "briefSha256": ""},
        "roleExecutionRefs": ["initial/w"],
    },
    "trust-row": {
        **{"schemaVersion": 1, "path": "/x", "uid": 0, "rootCommit": "", "trusted": True},
        **{"via": "asked", "at": NOW},
    },
    "config": {"schemaVersion": 1, "language": "ko"},
    "lead-event": {"schemaVersion": 1, "ts": NOW, "type": "t", "source": "s", "details": {}},
    "timeline": {
        **{"schemaVersion": 1, "taskKey": KEY},
        "runs": [
            {
                **{"runId": "r", "taskType": "t", "stage": None, "seq": "001"},
                **{"startedAt": NOW, "status": "prepared"},
                **{"manifestPath": "m", "reportPath": "r"},
            }
        ],
    },
    "checkout-digest": {"schemaVersion": 1, "files": {"HEAD": "x"}},
    "jobs": {
        **{"schemaVersion": 1, "dispatchKind": "reverify-r1"},
        "jobs": [
            {
                **{"workerId": "w", "provider": "p", "role": "r", "modelExecutionValue": ""},
                **{"promptPath": "p", "resultPath": "r", "workerResultPath": "a"},
                "completionPaths": ["r"],
            }
        ],
    },
    "wrapper-status": {
        **{"schemaVersion": 1, "provider": "p", "model": "", "promptPath": "p", "logPath": "l"},
        **{"wrapperPid": 4242, "wrapperStartedAt": "1", "pid": None, "processStartedAt": ""},
        **{"processGroup": None, "status": "running", "startedAt": NOW, "heartbeatAt": NOW},
        **{"logBytes": 0, "endedAt": None, "exitCode": None, "reason": ""},
    },
    "error-record": {
        **{"schemaVersion": 1, "ts": NOW, "recordedAt": NOW, "taskKey": "p:g:t", "phase": "x"},
        **{"agent": "codex-worker", "agentRole": "worker", "model": None},
        **{"errorType": "tool-failure", "message": "HTTP 429", "command": None, "exitCode": 1},
        **{"durationMs": 5, "stderrExcerpt": "e", "source": "observed", "sidecar": None},
        "context": {
            "cause": "sandbox-denied",
            "causeEvidence": {"targetProbe": "a", "controlProbe": "b"},
        },
    },
    "worker-errors": {
        "schemaVersion": 1,
        "errors": [{"ts": NOW, "errorType": "cli-failure", "message": "m", "more": 1}],
    },
    "capabilities": {
        **{"schemaVersion": 1, "probedAt": NOW},
        "providers": {"codex": {"executable": "/x", "version": "1", "flags": ["-m"]}},
    },
    "install-manifest": {
        **{"schemaVersion": 1, "runtimeRequest": "auto", "runtime": "unresolved"},
        **{"current": "v", "previous": "", "links": {"current": "versions/v"}},
        "versions": [{"id": "v", "installedAt": NOW, "files": {"bin/okstra": "0" * 64}}],
    },
    "build": {"schemaVersion": 1, "package": "0.1.0", "builtAt": NOW, "repoRoot": "/x"},
}
VOTER = {"workerId": "a", "provider": "p", "modelExecutionValue": "", "family": "p"}
GROUP = {"findingId": "F-001", "claim": "c", "evidence": ["x:1"], "raisedBy": ["a"]}
VOTED = {"verdict": "agree", "basis": "b", "evidence": ["x:1"], "basisVerified": True}
OUTCOME = {
    **{"workerId": "b", "status": "completed", "durationMs": 1},
    "votes": [{"findingId": "F-001", **VOTED}],
}
COVERAGE = {
    "modelExecutionValue": "m",
    "dispatches": [{"workerId": "b", "status": "completed", "durationMs": 1}],
    "gaps": [{"gapId": "G-001", "claim": "c", "votes": [{"workerId": "b", **VOTED}]}],
}
BATCHES = [{"workerId": "b", "findingIds": ["F-001"]}]
DECIDED = {
    **{"class": "unverified", "confidence": "low", "marks": ["missing-vote"]},
    **{"support": 1, "opposition": 0, "refuted": 0},
    "votes": [{"workerId": "b", "provider": "p", "round": 1, **VOTED}],
    "withoutVote": [{"workerId": "c", "status": "timeout"}],
}
ASKED = {"schemaVersion": "1.3", "adversarial": True, "roster": [VOTER], "groups": [GROUP]}
GOOD |= {
    "convergence-groups": ASKED,
    "round-plan": {"schemaVersion": "1.3", "round": 1, "batches": BATCHES},
    "round-results": {"schemaVersion": "1.3", "round": 1, "outcomes": [OUTCOME]},
    "coverage-batch": {"schemaVersion": "1.3", **COVERAGE},
    "convergence-working": {
        **{**ASKED, "kind": "working", "roundLimit": 3, "origins": []},
        "rounds": [{"round": 1, "batches": BATCHES, "outcomes": [OUTCOME]}],
        **{"coverage": None, "findings": [{"findingId": "F-001", "class": "open"}]},
    },
    "convergence-final": {
        **{"schemaVersion": "1.3", "kind": "final", "adversarial": True, "rounds": 1},
        **{"roster": [VOTER], "findings": [{**GROUP, **DECIDED}]},
        "gaps": [{"gapId": "G-001", "claim": "c", "evidence": [], **DECIDED}],
    },
    "report-schema": {
        **{"schemaVersion": 1, "$schema": "s", "type": "object", "properties": {"a": {}}},
        "$defs": {},
    },
    "convergence-input": {
        **{"schemaVersion": 1, "step": "seed", "input": "groups", "path": "p"},
        "sha256": "0" * 64,
    },
}
GOOD["final-report-v2.0"] = {
    **report_samples.report(),
    "clarificationItems": [report_samples.question()],
}
FILES = {
    "final-report-v2.0": "final-report-error-analysis-001.data.json",
    "convergence-groups": "convergence-groups-error-analysis-001.json",
    "report-schema": "final-report-schema.json",
    "round-plan": "round-plan-r1-error-analysis-001.json",
    "round-results": "round-results-r1-error-analysis-001.json",
    "coverage-batch": "coverage-batch-error-analysis-001.json",
    "convergence-working": "convergence-work-error-analysis-001.json",
    "convergence-final": "convergence-error-analysis-001.json",
    "convergence-input": "convergence-work-error-analysis-001.inputs.jsonl",
    "project": "project.json",
    "task-manifest": "task-manifest.json",
    "run-manifest": "run-manifest-error-analysis-001.json",
    "team-state": "team-state-error-analysis-001.json",
    "run-context": "run-context-error-analysis-001.json",
    "active-run-context": "active-run-context-error-analysis-001.json",
    "recent-row": "recent.jsonl",
    "trust-row": "trust.jsonl",
    "config": "config.json",
    "lead-event": "lead-events-error-analysis-001.jsonl",
    "timeline": "timeline.json",
    "checkout-digest": "checkout-claude-analyser-initial-error-analysis-001.json",
    "jobs": "reverify-jobs-r1-error-analysis-001.json",
    "wrapper-status": "claude-analyser-error-analysis-001.status.json",
    "error-record": "errors-error-analysis-001.jsonl",
    "worker-errors": "errors.json",
    "build": "BUILD.json",
    "capabilities": "capabilities.json",
    "install-manifest": "install-manifest.json",
}
each = pytest.mark.parametrize("name", sorted(GOOD))


def objects(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
        for inner in value.values():
            yield from objects(inner)
    if isinstance(value, list):
        for inner in value:
            yield from objects(inner)


def test_each_schema_has_an_example_here() -> None:
    assert sorted(GOOD) == sorted(FILES) == schemas.names()


@pytest.mark.parametrize("name", schemas.names())
def test_each_schema_is_one(name: str) -> None:
    rules = schemas.schema(name)
    Draft202012Validator.check_schema(rules)
    assert rules["properties"]["schemaVersion"] == {"const": GOOD[name]["schemaVersion"]}
    assert "schemaVersion" in rules["required"]


@each
def test_a_good_artifact_has_nothing_wrong(name: str) -> None:
    assert schemas.check(GOOD[name], name) == []
    schemas.require(GOOD[name], name, "x")


@each
def test_each_required_member_is_missed_by_name(name: str) -> None:
    for member in schemas.schema(name)["required"]:
        less = {key: value for key, value in GOOD[name].items() if key != member}
        assert schemas.check(less, name) == [f"$.{member}: missing"]


@each
def test_another_generation_is_refused_by_name(name: str) -> None:
    known = GOOD[name]["schemaVersion"]
    for other in (0, 2, "1", True, 1.0, None, 1.3, "1.2"):
        shown = json.dumps(other)
        assert schemas.check({"schemaVersion": other}, name) == [
            f"$.schemaVersion: this okstra reads {name} {known}, found {shown}"
        ]


@each
def test_any_member_of_another_type_is_a_line_and_no_traceback(name: str) -> None:
    wrong = copy.deepcopy(GOOD[name])
    for at in range(len(list(objects(wrong)))):
        for member in list(list(objects(wrong))[at]):
            for value in (None, 7, "", "x", [], [1], {}, {"a": 1}, True):
                changed = copy.deepcopy(GOOD[name])
                list(objects(changed))[at][member] = value
                for line in schemas.check(changed, name):
                    assert line.startswith("$") and "\n" not in line


@pytest.mark.parametrize(
    ("name", "members", "line"),
    [
        ("project", {"projectId": ""}, '$.projectId: expected text that is not empty, found ""'),
        ("project", {"worktreeSyncDirs": "x"}, '$.worktreeSyncDirs: expected a list, found "x"'),
        ("trust-row", {"extra x": 1}, '$["extra x"]: unknown member'),
        ("trust-row", {"uid": -1}, "$.uid: expected at least 0, found -1"),
        ("config", {"language": "fr"}, '$.language: expected one of "en", "ko", found "fr"'),
        ("recent-row", {"stage": "2"}, '$.stage: expected a whole number or null, found "2"'),
        (
            "recent-row",
            {"startedAt": "yesterday " * 9},
            "$.startedAt: expected ISO-8601 with an offset, to the second (D-096), "
            f'found "{("yesterday " * 9)[:58]}…',
        ),
        (
            "run-manifest",
            {"runDir": "../x"},
            '$.runDir: expected below the project root, found "../x"',
        ),
        (
            "run-manifest",
            {"runDir": "a/.."},
            '$.runDir: expected below the project root, found "a/.."',
        ),
        ("run-manifest", {"runDir": "/x"}, '$.runDir: expected below the project root, found "/x"'),
        (
            "run-manifest",
            {"criticAssignment": 5},
            "$.criticAssignment: expected an object or null, found 5",
        ),
        (
            "run-manifest",
            {"criticAssignment": {**ASSIGNMENT, "provider": 5}},
            "$.criticAssignment.provider: expected text, found 5",
        ),
        (
            "run-manifest",
            {"workerAssignments": [ASSIGNMENT, {**ASSIGNMENT, "runner": "x"}]},
            '$.workerAssignments[1].runner: expected one of "native-session", "cli-wrapper", '
            'found "x"',
        ),
    ],
)
def test_a_violation_says_where_what_and_what_instead(
    name: str, members: dict[str, Any], line: str
) -> None:
    assert schemas.check({**GOOD[name], **members}, name) == [line]


@pytest.mark.parametrize("value", [None, [], "x", 5])
def test_what_is_no_object_is_told(value: object) -> None:
    assert schemas.check(value, "config") == [f"$: expected an object, found {json.dumps(value)}"]


def test_require_raises_the_first_fault_with_its_source() -> None:
    with pytest.raises(UserError, match=r"^f\.json: \$\.builtAt: missing$"):
        schemas.require({"schemaVersion": 1, "package": "x"}, "build", "f.json")


@each
def test_an_artifact_is_recognised_by_file_name_and_by_content(name: str, tmp_path: Path) -> None:
    by_name = tmp_path / FILES[name]
    by_name.write_text("{}", encoding="utf-8")
    assert schemas.recognise(str(by_name)) == name
    kind = next(kind for kind in schemas.kinds() if kind.name == name)
    by_content = tmp_path / "copy"
    rows = [GOOD[name], GOOD[name]] if kind.rows else [GOOD[name]]
    by_content.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    if kind.marks:
        assert schemas.recognise(str(by_content)) == name


@pytest.mark.parametrize("data", [b"", b"[]", b"\xff", b"{}", b'{"a": 1}\n{', b"null\n{}"])
def test_what_is_none_of_ours_is_told_the_known_kinds(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_bytes(data)
    with pytest.raises(UserError, match=r"not an artifact .*x\.json; known: .*trust-row"):
        schemas.recognise(str(path))


def test_words_of_the_schemas_are_those_of_the_code() -> None:
    members = schemas.schema("task-manifest")["properties"]
    assert tuple(members["workStatus"]["enum"]) == task_manifest.WORK_STATUSES
    assert tuple(members["workCategory"]["enum"]) == task_manifest.WORK_CATEGORIES
    assert tuple(members) == task_manifest.ORDER
    members = schemas.schema("error-record")["properties"]
    entry = schemas.schema("worker-errors")["$defs"]["entry"]["properties"]
    assert tuple(members["agent"]["enum"]) == error_record.AGENTS
    assert tuple(members["agentRole"]["enum"]) == error_record.ROLES
    assert tuple(members["errorType"]["enum"]) == error_record.TYPES
    assert tuple(entry["errorType"]["enum"]) == error_record.TYPES
    for name in ("error-record", "worker-errors"):
        context = schemas.schema(name)["$defs"]["context"]["properties"]
        assert tuple(context["cause"]["enum"]) == error_record.CAUSES


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
)


@settings(max_examples=300)
@given(name=st.sampled_from(sorted(GOOD)), data=st.data())
def test_any_change_ends_in_lines(name: str, data: st.DataObject) -> None:
    member = data.draw(st.sampled_from(sorted(GOOD[name])))
    changed = {**GOOD[name], member: data.draw(json_values)}
    assert all("\n" not in line for line in schemas.check(changed, name))
