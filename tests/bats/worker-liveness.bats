# shellcheck disable=SC2154 # output and stderr are set by run
load test_helper

a_state() { # <status> <seconds since its start> <mode>
  mkdir -p .okstra
  "$OKSTRA_PYTHON" -IS -c 'import json, sys, time
at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() - int(sys.argv[2])))
row = {"workerId": "w", "status": sys.argv[1], "startedAt": at, "livenessMode": sys.argv[3],
       "promptPath": ".okstra/p.md", "auditSidecarPath": ".okstra/audit.md"}
json.dump({"schemaVersion": 1, "workers": [row], "workerDispatches": []}, open(".okstra/t.json", "w"))' "$@"
}

@test "verdicts of a wrapper's signs and of heartbeats (D-121 to D-126, D-255)" {
  # status | age | mode | sign: seconds ago, or - | exit | verdict
  while IFS='|' read -r state age mode sign code verdict; do
    rm -rf .okstra
    a_state "$state" "$age" "$mode"
    if [[ $sign != - && $mode == wrapper-status ]]; then
      "$OKSTRA_PYTHON" -IS -c 'import os, sys, time; open(".okstra/p.log", "w"); os.utime(".okstra/p.log", (time.time() - int(sys.argv[1]),) * 2)' "$sign"
    elif [[ $sign != - ]]; then
      "$OKSTRA_PYTHON" -IS -c 'import sys, time; print("- PROGRESS:", time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() - int(sys.argv[1]))), "at work")' "$sign" >.okstra/audit.md
    fi
    echo "case: $state $age $mode $sign"
    run "-$code" okstra worker-liveness --team-state=.okstra/t.json --worker=w --stall-confirm=0
    [ "$output" = $'w\t'"$verdict" ]
  done <<'TABLE'
in-progress|10|wrapper-status|-|0|live
in-progress|100|wrapper-status|-|1|did-not-launch
in-progress|1000|wrapper-status|10|0|live
in-progress|1000|wrapper-status|500|1|stalled
completed|1000|wrapper-status|500|0|completed
error|1000|wrapper-status|-|0|error
in-progress|100|audit-heartbeat|-|0|live
in-progress|1000|audit-heartbeat|-|1|stalled
in-progress|1000|audit-heartbeat|20|0|live
in-progress|1000|audit-heartbeat|500|1|stalled
in-progress|100|audit-heartbeat|1000|0|live
TABLE
}

@test "a stall is looked at again before it is said (D-124)" {
  a_state in-progress 1000 wrapper-status
  touch -t 202001010000 .okstra/p.log
  (sleep 0.7 && touch .okstra/p.log) 3>&- &
  run -0 okstra worker-liveness --team-state=.okstra/t.json --worker=w --stall-confirm=2
  [ "$output" = $'w\tlive' ]
}

@test "what cannot be judged is named (D-125, D-127, D-254, D-256)" {
  a_state in-progress 10 nothing
  while IFS='|' read -r words message; do
    # shellcheck disable=SC2086 # several words
    run -2 --separate-stderr okstra worker-liveness $words
    echo "case: $words: $stderr"
    [[ $output == '' && $stderr == *"$message"* ]]
  done <<'TABLE'
--team-state=.okstra/t.json --worker=w|livenessMode: unknown: 'nothing'
--team-state=.okstra/t.json --worker=x|no such worker: x
--team-state=none.json --worker=w|none.json
--team-state=.okstra/t.json --worker=w --max-idle=-1|--max-idle
--team-state=.okstra/t.json --worker=w --stall-confirm=x|--stall-confirm
--audit=x|--team-state=<path> --worker=<id>
--prompt=x|--team-state=<path> --worker=<id>
TABLE
}
