# shellcheck disable=SC2154 # output and stderr are set by run
load test_helper

eval "$(declare -f setup | sed '1s/setup/seal/')" # the common one
setup() {
  seal || return
  export OKSTRA_HOME="$HOME/okstra home" OKSTRA_PYTHON
  RUN='빈 shop/.okstra/tasks/checkout/dev-1/runs/error-analysis'
  mkdir -p "$OKSTRA_HOME" "$RUN/state" "$RUN/worker-results" '빈 shop/src'
  STATE=$RUN/state/convergence-work-error-analysis-001.json
  FINAL=$RUN/state/convergence-error-analysis-001.json
  printf '%s\n' one two three four >'빈 shop/src/a.py'
}

convergence() { okstra convergence "$@"; }

first() { # <worker> <provider> <title> <line>; what a worker found
  printf -- '---\nworkerId: %s\nprovider: %s\nmodel: m-1\ntaskKey: shop:checkout:DEV-1\ntaskType: error-analysis\nseq: "001"\ndispatchKind: initial\n---\n' "$1" "$2"
  printf '## 1. Findings\n\n### F-001 — %s\n- Severity: major\n- Kind: defect\n- Statement: %s, it is so.\n' "$3" "$3"
  # shellcheck disable=SC2016 # Markdown's ticks
  printf -- '- Evidence: `src/a.py:%s`\n- Recommendation: mend it.\n\n' "$4"
  printf '## %s\nNone.\n' '2. Evidence' '3. Risks' '4. Recommendations' '5. Missing Information or Assumptions'
  printf '<!-- okstra:result-complete -->\n'
}

again() { # <worker> <provider> <round>, then words of verdicts as <finding>:<verdict>:<basis>
  printf -- '---\nworkerId: %s\nprovider: %s\nmodel: m-1\ntaskKey: shop:checkout:DEV-1\ntaskType: error-analysis\nseq: "001"\ndispatchKind: reverify-r%s\n---\n\n' "$1" "$2" "$3"
  local vote finding
  for vote in "${@:4}"; do
    finding=${vote%%:*} vote=${vote#*:}
    printf '### %s\n**Verdict**: %s\n**Basis**: %s\n\n' "$finding" "${vote%%:*}" "${vote#*:}"
  done
  printf '<!-- okstra:result-complete -->\n'
}

three() { # the first answers of three workers, as groups: a and b say the same, c something else
  first a claude 'The key is missing' 2 >"$RUN/worker-results/a.md"
  first b codex 'the KEY is, missing!' 4 >"$RUN/worker-results/b.md"
  first c grok 'The sum is wrong' 3-4 >"$RUN/worker-results/c.md"
  run -0 convergence group --result=c="$RUN/worker-results/c.md" --result=a="$RUN/worker-results/a.md" \
    --result=b="$RUN/worker-results/b.md" --output="$RUN/state/convergence-groups-error-analysis-001.json"
}

# shellcheck disable=SC2120 # run passes them
seed() { # [<word>...]
  convergence seed --groups="$RUN/state/convergence-groups-error-analysis-001.json" --work-state="$STATE" \
    --final-state="$FINAL" --migration-dir="$RUN/state/old" "$@"
}

plan() { convergence plan-round --work-state="$STATE" --plan="$RUN/state/round-plan-r$1-error-analysis-001.json"; }

collect() { # <round> <word>...
  convergence collect-results --plan="$RUN/state/round-plan-r$1-error-analysis-001.json" \
    --output="$RUN/state/round-results-r$1-error-analysis-001.json" "${@:2}"
}

apply() { # <round>
  convergence apply-round --work-state="$STATE" --plan="$RUN/state/round-plan-r$1-error-analysis-001.json" \
    --results="$RUN/state/round-results-r$1-error-analysis-001.json"
}

whole() { # a run of three workers in two rounds, with a batch of gaps, finalised
  three
  seed "$@" && plan 1
  again a claude 1 'F-002:REFUTED:src/a.py:3 adds them up' >"$RUN/worker-results/a-r1.md"
  again c grok 1 'F-001:SURVIVES:saw src/a.py:2' >"$RUN/worker-results/c-r1.md"
  collect 1 --result=a="$RUN/worker-results/a-r1.md" --result=c="$RUN/worker-results/c-r1.md" \
    --dispatch=a=completed:10 --dispatch=b=timeout:99 --dispatch=c=completed:12
  apply 1 && plan 2
  again b codex 2 'F-001:SURVIVES-WITH-CAVEAT:only with an empty cart' 'F-002:SURVIVES:src/a.py:3' >"$RUN/worker-results/b-r2.md"
  collect 2 --result=b="$RUN/worker-results/b-r2.md" --dispatch=b=completed:20
  apply 2
  printf '%s' '{"schemaVersion":"1.3","modelExecutionValue":"m","dispatches":[{"workerId":"a","status":"completed","durationMs":1},
    {"workerId":"b","status":"error","durationMs":1},{"workerId":"c","status":"completed","durationMs":1}],
    "gaps":[{"gapId":"G-001","claim":"nobody looked at src/b.py","votes":[{"workerId":"c","verdict":"agree","basis":"so it is"},
    {"workerId":"a","verdict":"disagree","basis":"it is empty"}]}]}' >"$RUN/state/coverage-batch-error-analysis-001.json"
  convergence apply-critic-gaps --work-state="$STATE" --results="$RUN/state/coverage-batch-error-analysis-001.json"
  convergence finalize --work-state="$STATE" --output="$FINAL"
}

field() { # <file> <expression>, in which the object is `it`
  "$OKSTRA_PYTHON" -IS -c 'import json, sys; it = json.load(open(sys.argv[1])); print(eval(sys.argv[2]))' "$1" "$2"
}

@test "a whole convergence: groups, two rounds, gaps, an end, shown with its dissent (C-011 to C-017, Z-022, Z-023)" {
  run -0 --separate-stderr whole
  [ "$stderr" = '' ]
  [ "$(field "$FINAL" "[(f['findingId'], f['raisedBy'], f['alsoRaisedBy'], f['class'], f['confidence'], f['marks']) for f in it['findings']]")" = \
    "[('F-001', ['a'], ['b'], 'consensus', 'high', []), ('F-002', ['c'], [], 'contested', 'low', [])]" ]
  [ "$(field "$FINAL" "[(g['gapId'], g['class'], [w['status'] for w in g['withoutVote']]) for g in it['gaps']]")" = "[('G-001', 'contested', ['error'])]" ]
  run -0 convergence show --run-dir="$RUN" --json
  run -0 okstra validate "$RUN"/state/*.json "$RUN"/state/*.jsonl
  run -0 convergence validate --state="$STATE" --kind=working
  run -0 convergence validate --state="$FINAL" --kind=final
  run -1 convergence validate --state="$FINAL" --kind=working
  run -2 convergence validate --state="$FINAL" --kind=other
  run -0 convergence replay --run-dir="$RUN"
  [[ $output == *'"differences": []'* ]]
}

@test "replay names a change of any one byte, in whatever file of the run (Z-020)" {
  run -0 whole
  run -0 --separate-stderr "$OKSTRA_PYTHON" -I -c 'import os, random, sys
sys.path.insert(0, sys.argv[1])
from okstra_ctl.convergence import replaying
run, dice = sys.argv[2], random.Random(7)
paths = [os.path.join(folder, name) for folder, _, names in os.walk(run) for name in sorted(names)]
assert len(paths) == 15, sorted(paths)
for path in paths:
    data = open(path, "rb").read()
    for place in sorted({0, len(data) - 1, *(dice.randrange(len(data)) for _ in range(25))}):
        changed = bytearray(data)
        changed[place] = dice.choice([byte for byte in b" x7\"" if byte != data[place]])
        open(path, "wb").write(changed)
        if replaying.replay(run, "")["ok"]:
            print(path, place, bytes(changed[place - 9:place + 9]))
    open(path, "wb").write(data)
assert replaying.replay(run, "")["ok"]' "$TREE/lib/python" "$RUN"
  echo "$output"
  [ "$output" = '' ]
}

@test "seed: create, go on, use again; what is not valid is refused, or kept and begun anew (C-050 to C-053)" {
  run -2 seed
  three
  run -0 seed
  [[ $output == *'"action": "create"'* ]]
  run -0 seed
  [[ $output == *'"action": "resume"'* ]]
  before=$(cksum <"$STATE")
  sed 's/it is so/it may be so/' "$RUN/state/convergence-groups-error-analysis-001.json" >other.json
  run -2 convergence seed --groups=other.json --work-state="$STATE" --final-state="$FINAL" --migration-dir="$RUN/state/old"
  [[ $output == *'was made from other groups than these'*$'\n''next: --restart-from-round0'* ]]
  printf ' ' >>"$STATE" # still JSON, still the same: whitespace makes no other state
  run -0 seed
  sed 's/"1.3"/"1.2"/' "$STATE" >old.json && cp old.json "$STATE"
  bad=$(cksum <"$STATE")
  run -2 seed
  [[ $output == *"this okstra reads '1.3', found '1.2'"* ]]
  printf 'x' >"$RUN/state/file"
  run -2 convergence seed --groups="$RUN/state/convergence-groups-error-analysis-001.json" --work-state="$STATE" \
    --final-state="$FINAL" --migration-dir="$RUN/state/file" --restart-from-round0
  [ "$(cksum <"$STATE")" = "$bad" ]
  run -0 seed --restart-from-round0
  [[ $output == *'"action": "archive-and-create"'* ]]
  [ "$(cksum <"$STATE")" = "$before" ]
  [ "$(cat "$RUN"/state/old/convergence-work-error-analysis-001.*.json | cksum)" = "$bad" ]
  run -0 whole
  rm -r "$STATE"
  run -0 seed # a valid end is never computed again
  [[ $output == *'"action": "reuse"'* && ! -e $STATE ]]
}

@test "answers that do not fit are named all at once, and nothing is written (C-033 to C-038)" {
  three
  run -0 seed
  run -0 plan 1
  again a claude 1 'F-001:SURVIVES:x' 'F-002:MAYBE:x' >a.md
  again b codex 2 'F-001:AGREE:x' >b.md
  again c grok 1 'F-001:REFUTED:' | sed '$d' >c.md
  run -2 --separate-stderr collect 1 --result=a=a.md --result=b=b.md --result=c=c.md --dispatch=a=completed:1 --dispatch=b=completed:1
  echo "$stderr"
  [[ $output == '' && $stderr == *'faults in round 1'*'a: '*"not assigned: 'F-001'"*"not a verdict: 'MAYBE'"*'b: '*"not round 1's"*'c: no --dispatch'* ]]
  run -2 --separate-stderr collect 1 --result=c=c.md --dispatch=a=error:1 --dispatch=b=error:1 --dispatch=c=completed:1
  [[ $stderr == *"a verdict without a basis: 'F-001'"*'it lacks its closing line'* ]]
  while read -r words; do
    # shellcheck disable=SC2086 # several words
    run -2 --separate-stderr collect 1 $words
    echo "case: $words: $stderr"
    [[ $output == '' && $stderr != *Traceback* ]]
  done <<'TABLE'
--mode=other --dispatch=a=error:1
--dispatch=a
--dispatch=a=error:1 --dispatch=a=error:1
--dispatch=a=held:1
--dispatch=a=completed:abc
--dispatch=a=completed:-1
--dispatch=a=completed:1 --dispatch=b=error:1 --dispatch=c=error:1
--dispatch=a=error:1 --dispatch=b=error:1 --dispatch=c=error:1 --dispatch=z=error:1
--result=a=gone.md --dispatch=a=completed:1
--result=c=c.md --dispatch=a=error:1 --dispatch=b=error:1 --dispatch=c=error:1
TABLE
  [ ! -e "$RUN/state/round-results-r1-error-analysis-001.json" ]
}

@test "a refutation counts as one only if its basis is there, or a command with its output (Z-117)" {
  three
  run -0 seed
  run -0 plan 1
  again a claude 1 'F-002:REFUTED:src/a.py:9 says no' >a.md
  again b codex 1 'F-001:SURVIVES:x' $'F-002:REFUTED:ran it:\n$ python3 -c "print(3)"\n3' >b.md
  again c grok 1 'F-001:REFUTED:src/a.py:4 says no' >c.md
  run -0 collect 1 --result=a=a.md --result=b=b.md --result=c=c.md --dispatch=a=completed:1 --dispatch=b=completed:1 --dispatch=c=completed:1
  [ "$(field "$RUN/state/round-results-r1-error-analysis-001.json" "[[v['basisVerified'] for v in o['votes']] for o in it['outcomes']]")" = \
    '[[False], [False, True], [True]]' ]
}

@test "each example that feeds a command is taken by it; a critic's own document is not (C-018, C-019, C-063)" {
  for kind in groups round-results coverage-batch critic-results; do
    run -0 --separate-stderr convergence example --kind=$kind
    printf '%s\n' "$output" >"$kind.json"
  done
  run -0 convergence seed --groups=groups.json --work-state=w.json --final-state=f.json --migration-dir=old
  run -0 convergence plan-round --work-state=w.json --plan=p.json
  run -2 convergence apply-critic-gaps --work-state=w.json --results=coverage-batch.json
  [[ $output == *'the main queue is not terminal yet'* ]]
  run -2 convergence finalize --work-state=w.json --output=f.json
  [[ $output == *'not terminal yet: F-001'* && ! -e f.json ]]
  run -0 convergence apply-round --work-state=w.json --plan=p.json --results=round-results.json
  run -2 convergence apply-round --work-state=w.json --plan=p.json --results=round-results.json
  run -2 convergence apply-critic-gaps --work-state=w.json --results=critic-results.json
  [[ $output == *$'\n''next: okstra convergence example --kind coverage-batch' ]]
  run -0 convergence apply-critic-gaps --work-state=w.json --results=coverage-batch.json
  run -2 convergence apply-critic-gaps --work-state=w.json --results=coverage-batch.json
  run -0 convergence plan-round --work-state=w.json --plan=none.json
  [[ $output == *'"done": true'* && ! -e none.json ]]
  run -0 convergence finalize --work-state=w.json --output=f.json
}
