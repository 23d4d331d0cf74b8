# shellcheck disable=SC2154 # output and stderr are set by run
load test_helper
load read_side
load report_helper

eval "$(declare -f setup | sed '1s/setup/seal/')" # the common one
setup() { seal && finished_run; }

finalize() { # [<report>] [<manifest>]
  okstra report-finalize --project-root=. --run-manifest="${2:-$MANIFEST}" --report="${1:-$REPORT}"
}

unlocked_hash() { # of all files but who held a lock
  find . "$OKSTRA_HOME" -type f ! -path '*/.locks/*' -exec cksum {} + | LC_ALL=C sort | cksum
}

@test "all steps in their order, and again the same bytes (R-080, R-082)" {
  local before
  run -0 --separate-stderr finalize
  [ "$stderr" = '' ]
  [ "$(member "it['ok'], it['steps']")" = \
    "(True, ['token-usage', 'render-views', 'spawn-followups', 'validate-run'])" ]
  [ -f "${REPORT%.md}.html" ]
  before=$(unlocked_hash)
  run -0 finalize
  [ "$(unlocked_hash)" = "$before" ]
}

@test "the task's views say that the run is completed (R-007)" {
  run -0 finalize
  run -0 okstra task-show shop:g:T1
  [[ $output == *'"status": "completed"'* ]]
  read -r word <"${MANIFEST%/manifests/*}/status/final-error-analysis-001.status"
  [ "$word" = completed ]
}

@test "a breach is named with file and line; mended, the same command ends well (R-081)" {
  run -0 finalize
  cp "$DATA" kept
  sed 's/"raisedBy": \[/"raisedBy": ["me", /; s/"me", $/"me",/' kept >"$DATA"
  run -1 --separate-stderr finalize
  [ "$(member "it['failedStep'], it['exitCode'], it['completed']")" = \
    "('validate-run', 1, ['token-usage', 'render-views', 'spawn-followups'])" ]
  [ "$(member "[(b['contract'], b['line'] > 1) for b in it['breaches']]")" = "[('finding-rows', True)]" ]
  mv kept "$DATA"
  run -0 finalize
}

@test "refused before the first step: another report, a manifest that is none" {
  local before
  before=$(unlocked_hash)
  run -2 --separate-stderr finalize brief.md
  [[ $stderr == *'not the report of this run'* ]]
  run -2 --separate-stderr finalize "$REPORT" none.json
  [[ $stderr == *none.json* ]]
  [ "$(unlocked_hash)" = "$before" ]
}

@test "the validator stands alone: okstra validates a run by its manifest (R-120, R-127)" {
  run -1 --separate-stderr "$OKSTRA_PYTHON" "$TREE/validators/validate-run.py" "$MANIFEST"
  [ "$(member "it['result'], it['ok']")" = "('contract-violated', False)" ]
  run -0 finalize
  run -0 --separate-stderr "$OKSTRA_PYTHON" "$TREE/validators/validate-run.py" "$MANIFEST"
  [ "$(member "it['result'], it['breaches']")" = "('valid', [])" ]
  run -2 "$OKSTRA_PYTHON" "$TREE/validators/validate-run.py"
  run -2 "$OKSTRA_PYTHON" "$TREE/validators/validate-run.py" brief.md
}
