# shellcheck disable=SC2154 # output and stderr are set by run
load test_helper
load read_side
load report_helper

eval "$(declare -f setup | sed '1s/setup/seal/')" # the common one
setup() { seal && finished_run; }

@test "counts of every start, unknown prices said, nothing written (R-095, Z-073)" {
  local before
  before=$(tree_hash)
  run -0 --separate-stderr okstra token-usage "$STATE"
  [ "$(member "it['ok'], it['grand'], it['lead']['costUsd']")" = \
    "(True, {'totalTokens': 830, 'billableTokens': None, 'costUsd': None}, 0.0)" ]
  [ "$(member "len(it['unknown'])")" = 3 ]
  [ "$(tree_hash)" = "$before" ]
}

@test "--summary is a table for people" {
  run -0 --separate-stderr okstra token-usage "$STATE" --summary --no-cache
  [[ ${lines[0]} == *tokens*billable*USD ]]
  [[ $output == *$'\nworker '*'830'*'unknown'* ]]
  [[ $output == *'unknown: codex-analyser: no price of its model is known'* ]]
}

@test "--write and --substitute-data fill state, data and Markdown; again nothing changes (R-096, R-110)" {
  local before
  run -0 okstra token-usage "$STATE" --write --substitute-data="$DATA"
  run -0 okstra validate "$STATE" "$DATA"
  grep -q '"usageSummary"' "$STATE"
  grep -q '| codex-analyser | .* | 540 | unknown | unknown |' "$REPORT"
  run ! grep -q '"totalTokens": "--"' "$DATA"
  before=$(tree_hash)
  run -0 okstra token-usage "$STATE" --write --substitute-data="$DATA"
  [ "$(tree_hash)" = "$before" ]
}

@test "a data.json that is not there is refused, and nothing is written" {
  local before
  before=$(tree_hash)
  run -2 --separate-stderr okstra token-usage "$STATE" --write --substitute-data=none.data.json
  [[ $stderr == 'okstra-token-usage: '*none.data.json* ]]
  run -2 okstra token-usage "$MANIFEST"
  [ "$(tree_hash)" = "$before" ]
}

@test "secrets do not get into the answer (Z-051)" {
  local log=${MANIFEST%/manifests/*}/prompts/codex-analyser-error-analysis-001.log
  printf '{"type":"thread.started","thread_id":"sk-ant-aaaaaaaaaaaaaaaaaaaaaaaa"}\n' >"$log"
  run -0 okstra token-usage "$STATE"
  [[ $output == *'ended before codex told its totals'* && $output != *sk-ant-* ]]
}
