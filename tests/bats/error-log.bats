load test_helper

run_of_a_task() {
  runs=.okstra/tasks/g/dev-1/runs/error-analysis
  mkdir -p "shop 가게/$runs"
  cd "shop 가게" || return
  log=$runs/logs/errors-error-analysis-001.jsonl
  of_run=("--out=$log" --task-key=p:g:DEV-1 --phase=error-analysis --agent=codex-worker --agent-role=worker)
}

observed() { # [<option>...]
  okstra error-log append-observed "${of_run[@]}" --error-type=tool-failure "$@"
}

from_worker() { # <sidecar>
  okstra error-log append-from-worker "${of_run[@]}" --sidecar="$1"
}

@test "an observed error is one line of the log (D-170 to D-172)" {
  run_of_a_task
  run -0 --separate-stderr observed --message='HTTP 429' --exit-code=-9 --duration-ms=5 \
    --command='curl x' --stderr-excerpt='' --context-json='{"cause": "unknown"}' --model=m
  [[ $output == *'"written": 1'* && $stderr == "" ]]
  run -0 cat "$log"
  [[ $output == '{"schemaVersion":1,"ts":"20'*'"exitCode":-9,"durationMs":5,"stderrExcerpt":"",'*'"observed"'* ]]
  run -0 okstra validate "$log"
  [ "$output" = "$log: valid error-record" ]
}

@test "the excerpt may stand in a file of any bytes (D-171, D-174)" {
  run_of_a_task
  printf 'a\377\033b' >stderr
  observed --message=x --stderr-excerpt-file=stderr >/dev/null
  grep -q '"stderrExcerpt":"a�\\u001bb"' "$log"
  run -2 observed --message=x --stderr-excerpt-file=none
  [ "$output" = 'okstra-error-log: cannot read none: No such file or directory' ]
}

@test "what is refused is named and leaves no trace (D-258, D-259, D-260, D-263, D-264)" {
  run_of_a_task
  while IFS='|' read -r option message; do
    run -2 --separate-stderr observed --message=m "$option"
    [[ $output == "" && $stderr == "okstra-error-log: $message"* ]]
  done <<'TABLE'
--context-json={"cause": "net"}|context.cause: not a cause: 'net'; allowed: sandbox-denied, 
--context-json={"cause": "sandbox-denied", "causeEvidence": {"targetProbe": " "}}|context.causeEvidence.targetProbe: 
--context-json=[]|--context-json: $: expected an object, found a list
--context-json=|--context-json:1:1: 
--exit-code=x|not a whole number: --exit-code=x
--duration-ms=-5|a duration cannot be negative: -5
TABLE
  for given in --agent=x:agent --agent-role=x:'agent role'; do
    before=("${of_run[@]}")
    of_run=()
    for word in "${before[@]}"; do
      [[ ${word%%=*} == "${given%%=*}" ]] || of_run+=("$word")
    done
    run -2 observed --message=m "${given%%:*}"
    [[ $output == "okstra-error-log: not an ${given#*:}: 'x'; allowed: "* ]]
    of_run=("${before[@]}")
  done
  run -2 okstra error-log append-observed "${of_run[@]}" --error-type=x --message=m
  [[ $output == "okstra-error-log: not an error type: 'x'; allowed: "* ]]
  run -2 observed --message='blocked by sandbox'
  [[ $output == "okstra-error-log: the message claims 'sandbox' without a cause"$'\nnext: attach both probes'* ]]
  run -2 observed --message=m --stderr-excerpt=a --stderr-excerpt-file=b
  [ "${lines[0]}" = 'okstra-error-log: these do not go together: --stderr-excerpt, --stderr-excerpt-file' ]
  run -2 observed
  [ "${lines[0]}" = 'okstra-error-log: missing: --message=<text>' ]
  [ ! -e "$runs/logs" ]
}

@test "words about permissions are fine with a cause, and \"blocked\" is (D-261, D-262)" {
  run_of_a_task
  run -0 observed --message='permission denied' --context-json='{"cause": "auth-failed"}'
  run -0 observed --message='blocked on upstream'
  [ "$(grep -c . "$log")" -eq 2 ]
}

@test "a worker's sidecar is copied, once (D-180, D-182, D-265, D-266, D-267)" {
  run_of_a_task
  mkdir -p "$runs/outbox/w"
  sidecar=$runs/outbox/w/errors.json
  run -0 from_worker "$sidecar"
  [[ $output == *'"written": 0'* ]]
  entry='"ts": "2026-03-01T10:05:00Z", "errorType": "cli-failure"'
  printf '{"schemaVersion": 2, "errors": []}' >"$sidecar"
  run -2 from_worker "$sidecar"
  [ "$output" = "okstra-error-log: $sidecar: \$.schemaVersion: this okstra reads 1, found 2" ]
  printf '{"schemaVersion": 1, "errors": [{%s, "message": "a"}, {%s, "message": "EPERM"}]}' "$entry" "$entry" >"$sidecar"
  run -2 from_worker "$sidecar"
  [[ $output == "okstra-error-log: $sidecar: \$.errors[1]: the message claims 'eperm' without a cause"* ]]
  [ ! -e "$log" ]
  printf '{"schemaVersion": 1, "errors": [{%s, "message": "a"}, {%s, "message": "b"}]}' "$entry" "$entry" >"$sidecar"
  run -0 from_worker "$sidecar"
  [[ $output == *'"written": 2'* ]]
  run -0 from_worker "$sidecar"
  [[ $output == *'"written": 0'* ]]
  run -0 okstra validate "$log" "$sidecar"
  [ "$output" = "$log: valid error-record, 2 rows"$'\n'"$sidecar: valid worker-errors" ]
}
