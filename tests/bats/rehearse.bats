# shellcheck disable=SC2030,SC2031,SC2154 # each test is a subshell; output and stderr are set by run
load test_helper

eval "$(declare -f setup | sed '1s/setup/seal/')" # the common one
setup() {
  seal || return
  export TMPDIR="$BATS_TEST_TMPDIR/임시 tmp" OKSTRA_HOME="$BATS_TEST_TMPDIR/mine"
  mkdir "$TMPDIR"
}

# Nothing of the user's was touched, and no folder is left.
untouched() {
  [[ ! -e $OKSTRA_HOME && $(ls -A "$HOME") == '' && $(ls -A "$TMPDIR") == '' ]]
}

expected_rows() { # the table of scenarios as `rehearse` shows it, but for the time of a quota
  awk -F'\t' '!/^#/ {
    n = split($2, provider, ",")
    for (i = 1; i <= n; i++) print $1, provider[i], $3, $4, $5, $6, $7
  }' "$TREE/tests/rehearsal/scenarios.tsv"
}

@test "all scenarios end as the table says, nothing of the user's is touched, nothing is left alive (H-050, H-051, D-062)" {
  export ANTHROPIC_API_KEY=mine CLAUDECODE=1 GIT_DIR="$HOME/none"
  SECONDS=0
  run -0 --separate-stderr okstra rehearse
  ((SECONDS < 90))
  diff -u <(expected_rows) <(sed -e 1d -e '/^$/,$d' -e 's/ 20[0-9-]*T[0-9:]*Z/ yes/' <<<"$output" | tr -s ' ')
  [[ $output == *$'\n\nall '[1-9]*' as expected; of '[1-9]*' recorded processes 0 are alive; '* ]]
  [[ $stderr == *'$ okstra render-bundle '*'$ okstra team dispatch '*'$ okstra team await '*' --retry'* ]]
  untouched
}

@test "one scenario of another phase, without the second attempt, as JSON (H-051)" {
  run -0 --separate-stderr okstra rehearse --scenario=broken --task-type=requirements-discovery --no-retry --json
  [ "$stderr" = '' ]
  "$OKSTRA_PYTHON" -c 'import json, sys
it = json.loads(sys.argv[1])
row = {"scenario": "broken", "reason": "invalid-result", "exitCode": 0, "heldUntil": None, "retry": "no", "counted": "no", "differs": {}}
assert it.pop("seconds") > 0
assert it == {"schemaVersion": 1, "ok": True, "taskType": "requirements-discovery", "retry": False,
  "rows": [{**row, "provider": name} for name in ("claude", "antigravity")],
  "recordedProcesses": 4, "alive": 0, "kept": None}, it' "$output"
  untouched
}

@test "what is kept can be looked at: prompts, results that pass every check, records (H-010, H-013, H-015, H-051)" {
  run -0 --separate-stderr okstra rehearse --scenario=ok --keep="$HOME/a 폴더"
  [[ $output == *"kept: $HOME/a 폴더"*'ok/shop/.okstra/tasks/rehearsal/ok/runs/error-analysis/'* ]]
  cd 'a 폴더/ok/shop'
  unset OKSTRA_HOME
  export HOME="$HOME/a 폴더/home"
  for worker in claude codex antigravity grok; do
    run -0 okstra worker-result check ".okstra/tasks/rehearsal/ok/runs/error-analysis/worker-results/$worker-analyser-error-analysis-001.md"
  done
  run -0 okstra worker-audit-check --run-dir=.okstra/tasks/rehearsal/ok/runs/error-analysis --task-type=error-analysis --seq=001
  run -0 okstra task-list
  run -0 git diff --exit-code
}

@test "a row that differs is marked, and the status says so (H-051)" {
  own_tree
  cp -R "$TREE/prompts" "$TREE/validators" tree
  mkdir tree/tests
  cp -R "$TREE/tests/rehearsal" tree/tests
  sed 's/^\(none.*\)missing-result/\1crashed/; s/^\(none.*\)second/\1yes/' "$TREE/tests/rehearsal/scenarios.tsv" >tree/tests/rehearsal/scenarios.tsv
  run -1 --separate-stderr tree/bin/okstra rehearse --scenario=none --scenario=late
  [[ $output == *'grok         missing-result  0     no          yes    yes      expected: reason crashed'* ]]
  [[ $output == *$'\n\n3 of 5 differ; of '*' 0 are alive; '* ]]
}

@test "what cannot be played is refused before anything is made (H-051)" {
  while IFS='|' read -r words message; do
    # shellcheck disable=SC2086 # several words
    run -2 --separate-stderr okstra rehearse $words
    echo "case: $words: $stderr"
    [[ $output == '' && $stderr == *"okstra-rehearse: $message"* ]]
  done <<'TABLE'
--scenario=qouta|no such scenario: qouta; did you mean quota?
--scenario=ok --task-type=error-analyses|unknown task type: 'error-analyses'; did you mean error-analysis?
--scenario=ok --task-type=implementation|okstra-render-bundle: not available yet: implementation
--max-parallel=0|not a number of scenarios: --max-parallel=0
--keep=.|cannot make this folder anew: --keep=.: File exists
TABLE
  untouched
}

@test "--list has a line for each scenario (H-051)" {
  run -0 okstra rehearse --list
  [ "${#lines[@]}" -eq "$(($(grep -c '^[^#]' "$TREE/tests/rehearsal/scenarios.tsv") + 1))" ]
  [[ $output == *$'\nquota '*'says that its limit is reached, and when it comes back'* ]]
  run -0 okstra rehearse --list --scenario=deaf --json
  [[ $output == *'"providers": ['*'"claude"'*'"does": "says nothing more, and does not listen to TERM"'* ]]
}

@test "called off, it takes all along that it started (H-051, XF-06)" {
  "$BASH" -p "$TREE/bin/okstra" rehearse --scenario=hang --scenario=slow --keep="$HOME/kept" >../out 2>&1 3>&- &
  rehearsal=$!
  for ((n = 0; n < 150; n++)); do
    [[ ! -s $HOME/kept/hang/notes/pids || ! -s $HOME/kept/slow/notes/pids ]] || break
    sleep 0.1
  done
  kill -TERM "$rehearsal"
  status=0
  wait "$rehearsal" || status=$?
  cat ../out
  [ "$status" -eq 143 ]
  grep -q '^called off; what runs is ended$' ../out
  [ "$(cat kept/*/notes/pids | wc -l)" -ge 3 ]
  # none lives: by number and start, as they noted themselves
  "$OKSTRA_PYTHON" -IS -c 'import sys
sys.path.insert(0, sys.argv[1])
from okstra_ctl.rehearse import processes_files
assert processes_files.count(sys.argv[2], wait=3)[0] == 0' "$TREE/lib/python" "$HOME/kept"
}
