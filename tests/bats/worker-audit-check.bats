#!/usr/bin/env bats
load test_helper

a_run() { # a run with one result, its sidecar and its prompt, in the folder `run`
  mkdir -p run/worker-results run/prompts
  cat >run/worker-results/codex-analyser-error-analysis-001.md <<'MD'
---
workerId: codex-analyser
provider: codex
model: gpt-5
taskKey: shop:checkout:dev-1
taskType: error-analysis
seq: 001
dispatchKind: initial
---
## 1. Findings
None.
## 2. Evidence
Opened `src/app.py:41`.
## 3. Risks
None.
## 4. Recommendations
None.
## 5. Missing Information or Assumptions
None.
<!-- okstra:result-complete -->
MD
  cat >run/worker-results/codex-analyser-audit-error-analysis-001.md <<'MD'
## 0. Reading Confirmation
- instruction-set/001/packet.md sha256:0123456789ab
- Evidence read: src/app.py:30-60
MD
  echo '**Evidence ledger:** required-v1' >run/prompts/codex-analyser-error-analysis-001.md
}

check() { # [<option>...]
  okstra worker-audit-check --run-dir=run --task-type=error-analysis --seq=001 "$@"
}

@test "who read what it cites passes (D-160 to D-163)" {
  a_run
  run -0 --separate-stderr check
  [[ $output == '{
  "schemaVersion": 1,
  "ok": true,
  "failures": []
}' ]]
  [[ -z $stderr ]]
  run -0 check --worker=codex-analyser
}

@test "a place without a row is a failure, exit 2 (D-161, D-164)" {
  a_run
  local audit=run/worker-results/codex-analyser-audit-error-analysis-001.md
  sed 's/30-60/1-40/' "$audit" >new; mv new "$audit"
  run -2 --separate-stderr check
  [[ $output == *'"worker": "codex-analyser",
      "rule": "evidence-row",
      "message": "no Evidence read row for src/app.py:41",
      "citation": "src/app.py:41"'* ]]
  rm run/prompts/*
  run -0 check # D-165
}

@test "a worker without a result is a failure (D-164)" {
  a_run
  run -2 check --worker=claude-analyser
  [[ $output == *'"no result file of error-analysis 001"'* ]]
}

@test "wrong usage has no JSON (D-164)" {
  run -2 --separate-stderr check
  [[ -z $output && $stderr == 'okstra-worker-audit-check: not a folder: run' ]]
  run -2 --separate-stderr okstra worker-audit-check --run-dir=run
  [[ -z $output && ${stderr_lines[0]} == *'missing: --task-type=<t> --seq=<n>' ]]
}
