#!/usr/bin/env bats
load test_helper

a_result() { # a small one that is sound
  cat <<'MD'
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

### F-001 — the key ignores the tenant
- Severity: major
- Kind: defect
- Statement: two tenants share a row.
- Evidence: `src/cache.py:41`
- Recommendation: put the tenant into the key.

## 2. Evidence
None.
## 3. Risks
None.
## 4. Recommendations
None.
## 5. Missing Information or Assumptions
None.

<!-- okstra:result-complete -->
MD
}

@test "a sound result is ok (H-010, H-014)" {
  a_result >'결과 1.md'
  run -0 --separate-stderr okstra worker-result check '결과 1.md' --json
  [[ $output == '{
  "schemaVersion": 1,
  "ok": true,
  "path": "결과 1.md",
  "reason": "",
  "failures": []
}' ]]
  [[ -z $stderr ]]
}

@test "each failure has its line, and a broken contract exits 2 (H-011, H-014, Z-013)" {
  a_result | sed -e 's/^- Kind: defect/- Kind: bug/' -e 's/^### F-001 — /### F-001 - /' >result.md
  run -2 --separate-stderr okstra worker-result check result.md
  [[ $output == *'"reason": "invalid-result"'*'"line": 12,'*'"line": 14,'*"Kind is none of "* ]]
  [[ -z $stderr ]]
}

@test "a cut result is another thing than a broken one (Z-013)" {
  a_result | sed '$d' >result.md
  run -2 okstra worker-result check result.md
  [[ $output == *'"reason": "incomplete-result"'* ]]
}

@test "a missing result is told, what is no file is refused (XI-16)" {
  run -2 --separate-stderr okstra worker-result check result.md
  [[ $output == *'"reason": "missing-result"'* ]]
  mkfifo pipe
  run -2 --separate-stderr okstra worker-result check pipe
  [[ -z $output && $stderr == 'okstra-worker-result: not a file: pipe' ]]
}

@test "a result of 200 MB is refused by its limit, in little memory (XF-15)" {
  a_result >result.md
  "$OKSTRA_PYTHON" -c 'import os; os.truncate("result.md", 200 << 20)'
  ulimit -v 400000 2>/dev/null || skip 'no limit of memory here'
  run -2 okstra worker-result check result.md
  [[ $output == *'"reason": "invalid-result"'*'larger than 1 MiB'* ]]
}

@test "wrong words are named" {
  run -2 --separate-stderr okstra worker-result chek result.md
  [[ ${stderr_lines[0]} == 'okstra-worker-result: unknown command: chek; did you mean check?' ]]
}
