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

@test "each scenario ends with its reason, side by side, and nothing is left alive (H-050, D-076, D-274, D-275, D-278)" {
  export OKSTRA_WRAPPER_IDLE_SECONDS=3
  printf '%s' 4000000000 >"$HOME/rehearsal/reset"
  while read -r name workers; do
    scenario "$name" "$name"
    # shellcheck disable=SC2046,SC2086 # several words
    run -0 team dispatch --jobs-file="$(jobs_file "$name" $workers)"
  done <<'TABLE'
about-quota claude-analyser codex-analyser grok-analyser
auth claude-analyser codex-analyser
broken claude-analyser
crash-after claude-analyser codex-analyser
cut claude-analyser codex-analyser grok-analyser
deaf claude-analyser
denied claude-analyser
flood codex-analyser
hang claude-analyser
invalid-utf8 grok-analyser
late grok-analyser
limited codex-analyser
link claude-analyser
no-end claude-analyser codex-analyser
none claude-analyser grok-analyser
ok claude-analyser codex-analyser grok-analyser
orphan claude-analyser
quota claude-analyser codex-analyser grok-analyser
quoted codex-analyser
slow codex-analyser
wrong-model claude-analyser
wrong-path codex-analyser
TABLE
  run -1 team await --json
  diff -u - <(dispatches) <<'TABLE'
about-quota claude completed - 0
about-quota codex completed - 0
about-quota grok completed - 0
auth claude error auth-required 1
auth codex error auth-required 1
broken claude error invalid-result 0
crash-after claude error crashed 3
crash-after codex error crashed 3
cut claude error incomplete-result 0
cut codex error incomplete-result 0
cut grok error incomplete-result 0
deaf claude timeout idle-timeout 124
denied claude error permission-blocked 0
flood codex completed - 0
hang claude timeout idle-timeout 124
invalid-utf8 grok error invalid-result 0
late grok completed - 0
limited codex error rate-limited 1
link claude error invalid-result 0
no-end claude error crashed 0
no-end codex error crashed 0
none claude error missing-result 0
none grok error missing-result 0
ok claude completed - 0
ok codex completed - 0
ok grok completed - 0
orphan claude completed - 0
quota claude held quota-exhausted 0 reset
quota codex held quota-exhausted 0 reset
quota grok held quota-exhausted 0 reset
quoted codex error incomplete-result 0
slow codex completed - 0
wrong-model claude completed - 0 mismatch
wrong-path codex error missing-result 0
TABLE
  no_process_left
  git diff --exit-code
  run -0 okstra validate "$STATE" "$MANIFEST" "$RUN"/prompts/*.status.json "$RUN"/state/checkout-*.json "$RUN"/state/jobs-*.json
}
