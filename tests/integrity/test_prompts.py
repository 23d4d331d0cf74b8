"""What the texts in prompts/ promise, held: tokens, includes, catalogs, adapters, templates."""

from __future__ import annotations

import json
import re
import string
from pathlib import Path

import pytest
import yaml

PROMPTS = Path(__file__).parents[2] / "prompts"
LAUNCH = PROMPTS / "launch.template.md"
CONTRACT = PROMPTS / "lead" / "okstra-lead-contract.md"
LOADER = PROMPTS / "lead" / "context-loader.md"
ADAPTERS = sorted((PROMPTS / "lead" / "adapters").glob("*.md"))
TEXTS = [path for path in sorted(PROMPTS.rglob("*")) if path.suffix in (".md", ".j2", ".json")]
each_text = pytest.mark.parametrize(
    "path", TEXTS, ids=lambda path: path.relative_to(PROMPTS).as_posix()
)
each_adapter = pytest.mark.parametrize("path", ADAPTERS, ids=lambda path: path.stem)

# The tokens that prepare gives a value for, always (P-163).
TOKENS = set(
    re.findall(
        r"\w+",
        """
        PROJECT_ROOT PROJECT_ID TASK_KEY TASK_GROUP TASK_ID TASK_TYPE TASK_TYPE_SEGMENT RUN_ID
        RUN_SEQ RUN_DIR RUN_DIR_RELATIVE_PATH RUN_PROMPTS_DIR WORKER_RESULTS_PATH
        RUN_MANIFEST_PATH RUN_MANIFEST_RELATIVE_PATH TASK_MANIFEST_PATH
        TASK_MANIFEST_RELATIVE_PATH TEAM_STATE_PATH ACTIVE_RUN_CONTEXT_RELATIVE_PATH
        FINAL_REPORT_PATH FINAL_REPORT_RELATIVE_PATH INSTRUCTION_SET_PATH
        INSTRUCTION_SET_RELATIVE_PATH BRIEF_FILE_PATH BRIEF_RELATIVE_PATH DIRECTIVE_RELATIVE_PATH
        CLARIFICATION_RESPONSE_PATH CLARIFICATION_RESPONSE_RELATIVE_PATH
        HOST_ORCHESTRATION_RULES_RELATIVE_PATH PRIOR_RUN_ERRORS_RELATIVE_PATH CLAUDE_SESSION_ID
        CLAUDE_RESUME_COMMAND_PATH TERMINAL_BACKEND EXECUTOR_WORKTREE_PATH
        EXECUTOR_WORKTREE_BRANCH EXECUTOR_WORKTREE_BASE_REF EXECUTOR_WORKER_ID LEAD_RUNTIME
        LEAD_RUNTIME_REQUEST LEAD_ROLE_LABEL HOST_RUNTIME LEAD_MODEL LEAD_MODEL_EXECUTION_VALUE
        LEAD_CONTRACT_PATH LEAD_ADAPTER_PATH RECOMMENDED_ANALYSERS WORKER_TABLE CRITIC_WORKER
        EXECUTION_IDENTITY_JSON RELATED_TASKS REVERIFY_SCOPE_MODE REVERIFY_SCOPE_STAGES
        CONCURRENT_RUN_SECTION EXPECTED_MINUTES REPORT_LANGUAGE
        """,
    )
)
# The commands that a text may name; a lead that types another one gets exit 127.
COMMANDS = set(
    re.findall(
        r"[\w-]+",
        """
        help run install render-bundle trust check-project validate config task-list task-show
        resolve-task-key set-work-status team codex-dispatch worker-state worker-liveness
        worker-result worker-audit-check error-log error-report log-report rehearse drive demo
        convergence render-final-report inject-report-index spawn-followups report-finalize
        codex-run rerun history index doctor preflight ensure-installed profile completion
        plan-items incremental-scope incremental-carry plan-validate stage-map design-prep
        worktree-lookup salvage clean git-reconcile render-views token-usage usage-report
        context-cost plan-next user-response wizard container graphify schedule time-report recap
        rollup code-review run-audit error-zip error-issue status manager memory
        """,
    )
)
ADAPTER_FIELDS = (
    *("runtime", "leadRoleLabel", "userPromptMode", "workerDispatchBackend"),
    *("initialPromptDeliveryMode", "sessionAccounting", "resumeMode", "teardownMode"),
    "leadEventSource",
)
OPERATIONS = (
    *("read_artifacts", "write_artifact", "prompt_user", "dispatch_worker", "await_workers"),
    *("redispatch_worker", "shutdown_workers", "record_lead_event", "collect_usage"),
)
SHOUTING = r"\b(ALWAYS|NEVER|MUST|CRITICAL|IMPORTANT|NOT|WARNING|ONLY|REQUIRED|MANDATORY)\b|!!"


def text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def front_matter(path: Path) -> dict[str, object]:
    """Return the YAML between the first two `---` lines of a text."""
    found = re.match(r"---\n(.*?)\n---\n", text(path), re.DOTALL)
    assert found, f"{path} has no front matter"
    values = yaml.safe_load(found[1])
    assert isinstance(values, dict)
    return values


def tokens(path: Path) -> set[str]:
    return set(re.findall(r"\{\{([^{}:]*)\}\}", text(path)))


def placeholders(value: str) -> list[str]:
    return sorted(name for _, name, _, _ in string.Formatter().parse(value) if name is not None)


def launcher(language: str) -> dict[str, str]:
    catalog = json.loads(text(PROMPTS / "wizard" / f"{language}.json"))
    assert set(catalog) >= {"schemaVersion", "launcher"}
    assert catalog["schemaVersion"] == 1
    texts = catalog["launcher"]
    assert all(isinstance(value, str) and value for value in texts.values())
    return dict(texts)


def test_the_launch_template_uses_only_tokens_that_prepare_provides() -> None:
    assert tokens(LAUNCH) - TOKENS == set()
    assert tokens(LAUNCH) >= {"TASK_KEY", "LEAD_CONTRACT_PATH", "LEAD_ADAPTER_PATH"}


def test_the_launch_template_opens_with_okstra_and_the_task_and_stays_short() -> None:
    first = text(LAUNCH).splitlines()[0]
    assert re.match(r"# okstra: \{\{TASK_KEY\}\}", first)
    assert len(text(LAUNCH).encode()) <= 6 * 1024


@pytest.mark.parametrize("path", [CONTRACT, LOADER, *ADAPTERS], ids=lambda path: path.stem)
def test_what_a_lead_reads_from_the_installation_needs_no_rendering(path: Path) -> None:
    assert "{{" not in text(path)


def test_a_lead_reads_little_before_it_can_act() -> None:
    """A quarter of the bytes are tokens; the bundle's own files need the rest (G-030)."""
    fixed = sum(len(text(path).encode()) for path in (LAUNCH, CONTRACT, LOADER))
    assert (fixed + max(len(text(path).encode()) for path in ADAPTERS)) / 4 <= 4000


@each_text
def test_an_included_file_lies_beside_the_text(path: Path) -> None:
    for name in re.findall(r"^\{\{INCLUDE:(.*)\}\}$", text(path), re.MULTILINE):
        assert "/" not in name
        assert (path.parent / name).is_file(), f"{path}: no such include: {name}"


@each_text
def test_no_text_shouts(path: Path) -> None:
    assert re.search(SHOUTING, "You MUST") and re.search(SHOUTING, "now!!")
    assert re.findall(SHOUTING, text(path)) == []


@each_text
def test_a_text_names_only_commands_that_okstra_has(path: Path) -> None:
    assert set(re.findall(r"`okstra ([a-z][\w-]*)", text(path))) - COMMANDS == set()


def test_the_contract_has_the_parts_that_others_rely_on() -> None:
    headings = set(re.findall(r"^##+ (.+)$", text(CONTRACT), re.MULTILINE))
    assert headings >= {"Instruction and data", "Task worktree", "Operations", "Result contract"}
    assert [name for name in OPERATIONS if f"`{name}`" not in text(CONTRACT)] == []


def test_the_loader_has_the_precondition_and_the_order_of_intake() -> None:
    assert re.search(r"^## Brief Reporter-Confirmation Precondition$", text(LOADER), re.MULTILINE)
    start = text(LOADER).split("## At the start")[1].split("## Before")[0]
    order = ("task manifest", "analysis-profile", "analysis-packet", "active run context", "host")
    assert sorted(order, key=start.index) == list(order)


def test_there_is_an_adapter_for_each_runtime_and_for_cmux() -> None:
    names = ["antigravity", "claude-code", "cmux", "codex", "external"]
    assert [path.stem for path in ADAPTERS] == names


@each_adapter
def test_an_adapter_declares_nine_fields_and_maps_nine_operations(path: Path) -> None:
    values = front_matter(path)
    assert tuple(values) == ADAPTER_FIELDS
    assert all(isinstance(value, str) and value for value in values.values())
    assert tuple(re.findall(r"^\| `(\w+)` \| \S", text(path), re.MULTILINE)) == OPERATIONS
    expected = "environment-selected" if path.stem == "cmux" else path.stem
    assert values["runtime"] == expected


def test_the_cmux_adapter_declares_what_the_contract_states() -> None:
    assert list(front_matter(ADAPTERS[2]).values()) == [
        *("environment-selected", "Okstra lead", "host-text", "cmux-pane", "lazy-path-reference"),
        *("unchanged", "artifact-checkpoint", "pane-teardown", "lead-events-jsonl"),
    ]


def test_both_languages_ask_the_same_with_the_same_placeholders() -> None:
    english, korean = launcher("en"), launcher("ko")
    assert list(english) == list(korean)
    assert {key: placeholders(value) for key, value in english.items()} == {
        key: placeholders(value) for key, value in korean.items()
    }


def test_the_korean_catalog_is_korean_and_the_english_one_is_not() -> None:
    same = [key for key, value in launcher("ko").items() if not re.search("[가-힣]", value)]
    assert same == ["taskTypeChoice"]  # layout only
    assert all(value.isascii() for value in launcher("en").values())


@pytest.mark.parametrize("language", ["en", "ko"])
def test_questions_show_where_the_answer_goes(language: str) -> None:
    texts = launcher(language)
    yes_or_no = [key for key in texts if key.endswith("Question") or key.startswith("confirm")]
    assert yes_or_no == ["confirmRun", "sandboxQuestion", "trustQuestion"]
    assert all(texts[key].endswith("[y/N] ") for key in yes_or_no)
    asked = [value for key, value in texts.items() if key.startswith("ask")]
    assert all(re.search("[:>] $", value) for value in asked)
    assert placeholders(texts["sandboxQuestion"]) == ["executable"]
    assert placeholders(texts["trustQuestion"]) == ["contents", "project"]


def test_the_report_template_has_the_front_matter_and_sections_of_a_report() -> None:
    path = PROMPTS / "reports" / "final-report-template.md"
    keys = ["task-key", "task-type", "seq", "report-language", "schema-version"]
    assert list(front_matter(path)) == keys
    assert re.findall(r"^## (.+)$", text(path), re.MULTILINE) == [
        "1. Clarification Items",
        "2. Verdict and Evidence",
        "3. Recommended Next Steps",
        "4. Follow-up Tasks",
        "5. Result",
        "6. Execution",
    ]


def test_the_offered_settings_allow_okstra_and_its_folder_and_nothing_else() -> None:
    assert json.loads(text(PROMPTS / "settings.local.json")) == {
        "permissions": {"allow": ["Bash(okstra *)", "Read(./.okstra/**)", "Edit(./.okstra/**)"]}
    }
