# shellcheck disable=SC2154 # output and stderr are set by run
load test_helper

a_state() {
  mkdir -p .okstra
  printf '{"schemaVersion":1,"workers":[{"workerId":"a","status":"pending","startedAt":null,"endedAt":null,"reason":"","modelExecutionValue":"m"},{"workerId":"b","status":"pending"}],"workerDispatches":[]}' >.okstra/t.json
}

row() { # of a: model, status, started, ended, reason; then b
  "$OKSTRA_PYTHON" -IS -c 'import json; w = json.load(open(".okstra/t.json"))["workers"]
a = w[0]; print(a["modelExecutionValue"], a["status"], bool(a["startedAt"]), bool(a["endedAt"]), a["reason"] or "-", w[1])'
}

@test "a row moves on; the others stay (D-090, D-091, D-093)" {
  while IFS='|' read -r words expected; do
    a_state
    for part in ${words//;/ }; do
      # shellcheck disable=SC2086 # several words
      run -0 okstra worker-state transition --team-state=.okstra/t.json --worker=a ${part//,/ }
    done
    [ "$(row)" = "$expected {'workerId': 'b', 'status': 'pending'}" ]
  done <<'TABLE'
--status=in-progress|m in-progress True False -
--status=in-progress,--model=n|n in-progress True False -
--status=in-progress;--status=completed|m completed True True -
--status=in-progress;--status=error,--reason=why;--status=in-progress|m in-progress True False -
--status=timeout,--reason=late|m timeout False True late
--status=not-run,--reason=off|m not-run False True off
TABLE
}

@test "what cannot be is refused, and the file is untouched (D-092, D-095)" {
  a_state
  before=$(cksum <.okstra/t.json)
  while IFS='|' read -r words message; do
    # shellcheck disable=SC2086 # several words
    run -2 --separate-stderr okstra worker-state transition --team-state=.okstra/t.json $words
    [[ $output == '' && $stderr == "okstra-worker-state: $message"* ]]
    [ "$(cksum <.okstra/t.json)" = "$before" ]
  done <<'TABLE'
--worker=a --status=done|unknown status: 'done'
--worker=a --status=error|the status error needs a reason
--worker=a --status=timeout|the status timeout needs a reason
--worker=a --status=not-run --reason=|the status not-run needs a reason
--worker=c --status=completed|no such worker in this run: 'c'; it has: a, b
TABLE
  run -2 okstra worker-state transition --team-state=t.json --worker=a --status=completed
  [[ $output == 'okstra-worker-state: not in a project'* ]]
}
