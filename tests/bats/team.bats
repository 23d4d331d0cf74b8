# shellcheck disable=SC2030,SC2031,SC2034,SC2154 # each test is a subshell; output is set by run
load test_helper
load dispatch_helper

eval "$(declare -f setup | sed '1s/setup/seal/')" # the common one
setup() {
  seal && dispatch_setup
}

teardown() {
  dispatch_teardown
}

expected_dispatches() { # the scenarios as `dispatches` shows them, from stdin
  awk -F'\t' '{
    status = $5 == "yes" ? "held" : $3 == "-" ? "completed" : $3 == "idle-timeout" ? "timeout" : "error"
    marks = ($5 == "yes" ? " reset" : "") ($7 == "marked" ? " mismatch" : "")
    for (n = split($2, provider, ","); n; n--) print $1, provider[n], status, $3, $4 marks
  }' | LC_ALL=C sort
}

@test "each scenario ends with its reason, side by side, and nothing is left alive (H-050, D-076, D-274, D-275, D-278)" {
  export OKSTRA_WRAPPER_IDLE_SECONDS=3
  rm -rf .okstra "$HOME/.okstra"
  prepare_run --lead-runtime=external --workers=claude,codex,antigravity,grok --role-count=analyser=4
  # `touch` has a test of its own: it would change the checkout under the others
  grep -v -e '^#' -e '^touch	' "$TREE/tests/rehearsal/scenarios.tsv" >../scenarios
  while IFS=$'\t' read -r name providers _; do
    scenario "$name" "$name"
    # shellcheck disable=SC2046,SC2086 # several words
    run -0 team dispatch --jobs-file="$(jobs_file "$name" $(printf '%s-analyser ' ${providers//,/ }))"
  done <../scenarios
  run -1 team await --json
  diff -u <(expected_dispatches <../scenarios) <(dispatches)
  no_process_left
  git diff --exit-code
  run -0 okstra validate "$STATE" "$MANIFEST" "$RUN"/prompts/*.status.json "$RUN"/state/checkout-*.json "$RUN"/state/jobs-*.json
}

@test "a turn that changed the checkout does not count; the change is kept (D-276)" {
  scenario touch touch
  run -0 team dispatch --jobs-file="$(jobs_file touch claude-analyser)"
  run -1 team await --json
  [ "$(dispatches)" = 'touch claude error touched-checkout 0' ]
  [[ $output == *'"detail": "changed: shop.py; kept in '*'touch-claude-analyser-001.patch"'* ]]
  grep -q '^+changed$' .okstra/tasks/checkout/dev-1/salvage/*.patch
  [ "$(cat .okstra/tasks/checkout/dev-1/salvage/*.files.txt)" = shop.py ]
}

@test "--dry-run shows each job and writes nothing (D-073)" {
  prompts claude-analyser codex-analyser grok-analyser
  before=$(cd "$HOME" && find . -type f -exec cksum {} + | LC_ALL=C sort)
  run -0 --separate-stderr team dispatch --dry-run
  [ "$(cd "$HOME" && find . -type f -exec cksum {} + | LC_ALL=C sort)" = "$before" ]
  rights="\"--allowedTools=Edit(/$PROJECT/$RUN/outbox/claude-analyser-initial-001/**)\""
  [[ $output == '{"schemaVersion": 1, "ok": true, "dryRun": true, "jobs": ['*"$rights"*'"-s", "workspace-write", "-C"'* ]]
  [[ $output == *'"skipped": {"report-writer": "the report writer has a dispatch of its own, from a jobs file"}'* ]]
}

@test "the first round: all that can be, a few at a time, and published (D-041, D-050, D-061, D-075, D-077, Z-010, Z-013)" {
  prompts claude-analyser codex-analyser grok-analyser
  scenario initial late
  run -0 team dispatch --max-parallel=1
  [[ $output == *'"dispatched": ["claude-analyser"], "queued": ["codex-analyser", "grok-analyser"]'* ]]
  run -0 --separate-stderr team await --json
  [[ $output == '{"schemaVersion": 1, "ok": true, "workers": [{"workerId": "claude-analyser", "dispatchKind": "initial", "attempt": 1, "status": "completed", "exitCode": 0, '* ]]
  # one after the other
  state_of "(lambda d: [a['endedAt'] <= b['startedAt'] for a, b in zip(d, d[1:])])(sorted(it['workerDispatches'], key=lambda d: d['startedAt']))" | grep -qx '\[True, True\]'
  for worker in claude-analyser codex-analyser grok-analyser; do
    run -0 okstra worker-result check "$RUN/worker-results/$worker-error-analysis-001.md"
    [[ -f $RUN/worker-results/$worker-audit-error-analysis-001.md ]]
  done
  [ "$(grep -c '"worker-dispatched"' "$RUN"/logs/lead-events*.jsonl "$RUN"/*/lead-events*.jsonl 2>/dev/null | head -1 | grep -o '[0-9]*$')" = 3 ]
  run -1 team dispatch
  [[ $output == *'claude-analyser was dispatched as initial already'* ]]
  run -0 team status --json
  run -0 okstra validate "$STATE"
}

@test "of two dispatches at once one starts, the other exits 75 (XC-06, D-071)" {
  prompts claude-analyser codex-analyser grok-analyser
  team dispatch >../one 2>&1 3>&- & first=$!
  team dispatch >../two 2>&1 3>&- & second=$!
  codes=''
  wait "$first" || codes+=" $?"
  wait "$second" || codes+=" $?"
  [[ $codes == ' 75' || $codes == ' 1' ]] # busy; or it came when the other was done
  [ "$(state_of "len(it['workerDispatches'])")" = 3 ]
  run -0 team await
}

@test "teardown ends what was recorded, also what waits and what does not listen (D-079, XC-11, Z-011)" {
  prompts claude-analyser codex-analyser grok-analyser
  scenario initial hang
  run -0 team dispatch --max-parallel=2
  run -0 team teardown --dry-run
  [[ $(recorded_alive) == *' '* ]]
  run -0 team teardown --json
  [ "$output" = '{"schemaVersion": 1, "ok": true, "closed": ["claude-analyser", "codex-analyser", "grok-analyser"], "skipped": [], "alive": []}' ]
  [ "$(recorded_alive)" = '' ]
  [ "$(dispatches)" = $'initial claude error cancelled 143\ninitial codex error cancelled 143\ninitial grok error cancelled None' ]
  run -1 team await --json
}

@test "a wrapper that is killed takes its CLI along; one that never came up is told at once (D-103, D-111, XF-05)" {
  prompts claude-analyser codex-analyser
  scenario initial hang
  run -0 team dispatch --workers=claude-analyser
  kill -KILL "$("$OKSTRA_PYTHON" -c 'import json, sys; print(json.load(open(sys.argv[1]))["wrapperPid"])' "$RUN/prompts/claude-analyser-error-analysis-001.status.json")"
  run -1 team await --json
  [ "$(dispatches)" = 'initial claude error crashed 137' ]
  no_process_left
  PATH=/usr/bin:/bin run -0 team dispatch --workers=codex-analyser
  run -1 team await --json
  [[ $output == *'"reason": "launch-failed", "detail": "okstra-codex-exec.sh: codex: command not found"'* ]]
}

@test "held until its quota comes back, then started again by await (Z-014, D-275)" {
  prompts claude-analyser
  scenario initial quota
  printf '%s' 4000000000 >"$HOME/rehearsal/reset"
  run -4 team dispatch --workers=claude-analyser --wait --json
  [[ $output == *'"reason": "quota-exhausted"'*'"resetAt": "2096-10-02T07:06:40'* ]]
  run -4 team await
  "$OKSTRA_PYTHON" -c 'import pathlib, sys; p = pathlib.Path(sys.argv[1]); p.write_text(p.read_text().replace("2096-", "2026-0"[:5]))' "$STATE"
  scenario initial ok
  run -0 team await --json
  [ "$(dispatches)" = $'initial claude completed - 0\ninitial claude not-run quota-exhausted 0 reset' ]
}

@test "what cannot be dispatched is refused before anything starts (D-036, D-039, D-040, D-042, D-236, D-239, D-240, D-241)" {
  file=$(jobs_file again claude-analyser)
  while IFS='|' read -r edit words message; do
    sed -e "$edit" "$file" >"$RUN/state/jobs-bad.json"
    # shellcheck disable=SC2086 # several words
    run -2 --separate-stderr team dispatch $words
    echo "case: $edit $words: $stderr"
    [[ $output == '' && $stderr == *"$message"* ]]
  done <<TABLE
|--workers=nobody|not in this run's roster: nobody; it has the slot ids: claude-analyser
|--workers=report-writer|this worker cannot be dispatched: report-writer
|--workers=claude-analyser|claude-analyser has no prompt
|--dispatch-kind=x|needs a --jobs-file
|--max-parallel=0|--max-parallel=0
|--jobs-file=$RUN/state/jobs-bad.json --dispatch-kind=x|--dispatch-kind=x is not the kind of the jobs file: again
s/"role":"analyser",//|--jobs-file=$RUN/state/jobs-bad.json|role
s/"completionPaths":\[[^]]*]/"completionPaths":[]/|--jobs-file=$RUN/state/jobs-bad.json|claude-analyser: completionPaths is empty
s/"completionPaths":\["/&..\/x","/|--jobs-file=$RUN/state/jobs-bad.json|completionPaths: claude-analyser: not a path inside the project
s/"resultPath":"[^"]*"/"resultPath":"shop.py"/|--jobs-file=$RUN/state/jobs-bad.json|claude-analyser: not a path of this run: shop.py
s/"provider":"claude"/"provider":"codex"/|--jobs-file=$RUN/state/jobs-bad.json|no canonical role execution has this identity: claude-analyser
s/"modelExecutionValue":"[^"]*"/"modelExecutionValue":"x"/|--jobs-file=$RUN/state/jobs-bad.json|no canonical role execution has this identity: claude-analyser
s/"dispatchKind":"again"/"dispatchKind":"..\/x"/|--jobs-file=$RUN/state/jobs-bad.json|not a kind
TABLE
  [ "$(state_of "it['workerDispatches']")" = '[]' ]
}
