# shellcheck disable=SC2154 # output and stderr are set by run
load test_helper
load dispatch_helper

eval "$(declare -f setup | sed '1s/setup/seal/')" # the common one
setup() {
  seal && dispatch_setup --lead-runtime=codex
}

teardown() {
  dispatch_teardown
}

dispatch() { # [<word>...]
  okstra codex-dispatch --project-root="$PROJECT" --run-manifest="$MANIFEST" "$@"
}

@test "the CLI workers of a Codex run are started and awaited; its own stay with it (D-042, D-084)" {
  prompts claude-analyser grok-analyser
  scenario grok-analyser-initial none
  run -0 --separate-stderr dispatch
  [ "$(dispatches)" = $'initial claude completed - 0\ninitial grok error missing-result 0\ninitial-retry1 grok completed - 0' ]
  run -2 dispatch --workers=codex-analyser
  [[ $output == *'this worker cannot be dispatched: codex-analyser'* ]]
}

@test "one retry for each worker, told why, with the products of the first; a second failure is final (D-038, D-062, D-134, D-135)" {
  prompts claude-analyser grok-analyser
  scenario initial broken
  scenario grok-analyser-initial-retry1 hang
  OKSTRA_WRAPPER_IDLE_SECONDS=2 run -1 --separate-stderr dispatch
  [ "$(dispatches)" = $'initial claude error invalid-result 0\ninitial grok error invalid-result 0
initial-retry1 claude completed - 0\ninitial-retry1 grok timeout idle-timeout 124' ]
  [ "$(state_of "[(d['workerId'][0], d['attempt']) for d in it['workerDispatches'] if d['dispatchKind'] == 'initial-retry1']")" = "[('c', 2), ('g', 2)]" ]
  grep -q '^dispatchKind: initial-retry1$' "$RUN/worker-results/claude-analyser-error-analysis-001.md"
  grep -A1 '^BEGIN DATA' "$RUN/prompts/claude-analyser-initial-retry1-error-analysis-001.md" | grep -q '^invalid-result: .*Severity'
  "$OKSTRA_PYTHON" -c 'import glob, json, sys
rows = [json.loads(line) for line in open(glob.glob(sys.argv[1] + "/**/lead-events*.jsonl", recursive=True)[0])]
print(sorted((r["type"], r["details"]["workerId"][0]) for r in rows if r["type"].startswith("worker") and r["type"] != "worker-dispatched"))' "$RUN" >events
  [ "$(cat events)" = "[('worker-failed', 'g'), ('worker-result-collected', 'c'), ('worker-retry-scheduled', 'c'), ('worker-retry-scheduled', 'g')]" ]
  run -0 okstra validate "$STATE" "$RUN"/state/jobs-*.json
  run -1 dispatch # nothing is started again
  [ "$(state_of "len(it['workerDispatches'])")" = 4 ]
}

@test "what would fail again for the same cause is not tried again (D-064, D-134)" {
  prompts claude-analyser grok-analyser
  scenario claude-analyser-initial auth
  scenario grok-analyser-initial touch
  run -1 dispatch
  [ "$(dispatches)" = $'initial claude error auth-required 1\ninitial grok error touched-checkout 0' ]
}

@test "interrupted between writing down and starting, it goes on; nothing starts twice (XF-03, D-062)" {
  prompts claude-analyser grok-analyser
  run -0 okstra team dispatch --project-root="$PROJECT" --run-manifest="$MANIFEST" --workers=claude-analyser
  run -0 okstra team await --project-root="$PROJECT" --run-manifest="$MANIFEST"
  # as if killed before it started grok: written down, no wrapper
  "$OKSTRA_PYTHON" -c 'import json, sys
state = json.load(open(sys.argv[1]))
one = dict(state["workerDispatches"][0])
for name, value in one.items():
    one[name] = value.replace("claude", "grok") if isinstance(value, str) else [v.replace("claude", "grok") for v in value] if isinstance(value, list) else value
one.update(status="in-progress", endedAt=None, exitCode=None, pid=None, modelExecutionValue="", modelUsed="")
one["modelExecutionValue"] = next(w["modelExecutionValue"] for w in state["workers"] if w["workerId"] == one["workerId"])
one["checkoutDigest"] = state["workerDispatches"][0]["checkoutDigest"]
state["workerDispatches"].append(one)
json.dump(state, open(sys.argv[1], "w"))' "$STATE"
  SECONDS=0
  run -0 dispatch
  ((SECONDS < 20))
  [ "$(dispatches)" = $'initial claude completed - 0\ninitial grok completed - 0' ]
  [ "$(wc -l <"$HOME/rehearsal/pids")" -eq 2 ]
}

@test "another lead's run and retired flags are refused (D-086)" {
  "$OKSTRA_PYTHON" -c 'import pathlib, sys; p = pathlib.Path(sys.argv[1]); p.write_text(p.read_text().replace("\"leadRuntime\": \"codex\"", "\"leadRuntime\": \"antigravity\""))' "$MANIFEST"
  run -2 dispatch
  [[ $output == 'okstra-codex-dispatch: this run is led by antigravity, not by codex'* ]]
  run -2 dispatch --enable-codex-report-writer
  [[ $output == *"the report writer's assignment in the manifest"* ]]
}
