# shellcheck disable=SC2016,SC2030,SC2031,SC2034,SC2154 # Markdown ticks; each test is a subshell; output is set by run
load test_helper
load dispatch_helper

eval "$(declare -f setup | sed '1s/setup/seal/')" # the common one
setup() {
  seal && local_setup
}

local_setup() { # a small project with a planted defect, a run of three engines
  unset "${!OKSTRA_DEFAULT_@}" "${!CMUX_@}" OKSTRA_RUNTIME_HOST TMUX TMUX_PANE OKSTRA_WRAPPER_IDLE_SECONDS
  export OKSTRA_PYTHON
  mkdir -p '빈 shop'
  cd '빈 shop' || return
  PROJECT=$PWD
  git init -q
  printf 'def pay(cart):\n    total = sum(cart)\n    return totl\n' >shop.py
  printf 'from shop import pay\n\npay([1, 2])\n' >app.py
  printf '#!/bin/bash\necho $1\n' >run.sh
  printf '# Checkout fails\n\n```\nTraceback (most recent call last):\n  File "/srv/app.py", line 3, in <module>\n    pay([1, 2])\n  File "/srv/shop.py", line 3, in pay\n    return totl\n           ^^^^\nNameError: name '"'totl'"' is not defined\n```\n\nrun.sh is not at fault.\n\n## Expected\n\nIt is 3.\n' >brief.md
  git add shop.py app.py run.sh
  git -c user.name=a -c user.email=a@b.c commit -qm first
  okstra render-bundle --project-id=shop --task-group=checkout --task-id=DEV-1 --render-only \
    --task-type=error-analysis --task-brief=brief.md --lead-runtime=external \
    --role-model=analyser=local/lint --role-model=analyser=local/syntax --role-model=analyser=local/trace \
    --role-model=report-writer=local/trace >"$HOME/prepared" 2>&1 || { cat "$HOME/prepared"; return 1; }
  RUN=.okstra/tasks/checkout/dev-1/runs/error-analysis
  MANIFEST=$RUN/manifests/run-manifest-error-analysis-001.json
  STATE=$RUN/state/team-state-error-analysis-001.json
}

team() { # <verb> [<word>...]
  okstra team "$1" --project-root="$PROJECT" --run-manifest="$MANIFEST" "${@:2}"
}

turns() { # <kind> [<plan> <groups>]; writes prompts and jobs, starts them, waits
  local jobs
  jobs=$("$OKSTRA_PYTHON" -I "$TREE/tests/support/local_turns.py" "$PROJECT" "$MANIFEST" "$@") || return
  team dispatch --jobs-file="$jobs" --wait --json
}

field() { # <file> <expression>, in which the object is `it`
  "$OKSTRA_PYTHON" -IS -c 'import json, sys; it = json.load(open(sys.argv[1])); print(eval(sys.argv[2]))' "$1" "$2"
}

named() { # <category> <stem>; a file of the run
  printf '%s/%s/%s-error-analysis-001%s' "$RUN" "$1" "$2" "${3-.json}"
}

vote() { # a round of all that there is to vote on
  local plan worker words=()
  plan=$(named state round-plan-r1)
  okstra convergence plan-round --work-state="$(named state convergence-work)" --plan="$plan" || return
  turns reverify-r1 "$plan" "$(named state convergence-groups)" || return
  for worker in $(field "$plan" "' '.join(b['workerId'] for b in it['batches'])"); do
    words+=("--dispatch=$worker=completed:1000" "--result=$worker=$(named worker-results "$worker-reverify-r1" .md)")
  done
  okstra convergence collect-results --plan="$plan" "${words[@]}" --output="$(named state round-results-r1)" &&
    okstra convergence apply-round --work-state="$(named state convergence-work)" --plan="$plan" \
      --results="$(named state round-results-r1)"
}

@test "three engines find the planted defect, vote on each other, and agree (H-030, H-031, Z-022)" {
  run -0 turns initial
  run -0 okstra worker-audit-check --run-dir="$RUN" --task-type=error-analysis --seq=001
  words=()
  for worker in local-analyser local-analyser-2 local-analyser-3; do
    run -0 okstra worker-result check "$(named worker-results $worker .md)"
    words+=("--result=$worker=$(named worker-results $worker .md)")
  done
  run -0 okstra convergence group "${words[@]}" --output="$(named state convergence-groups)"
  run -0 okstra convergence seed --groups="$(named state convergence-groups)" --work-state="$(named state convergence-work)" \
    --final-state="$(named state convergence)" --migration-dir="$RUN/state/old"
  run -0 vote
  run -0 okstra worker-audit-check --run-dir="$RUN" --task-type=error-analysis --seq=001
  run -0 okstra convergence finalize --work-state="$(named state convergence-work)" --output="$(named state convergence)"
  diff -u - <(field "$(named state convergence)" "'\n'.join(' '.join([f['findingId'], *f['evidence'], f['raisedBy'][0], f['class'], f['confidence'],
    *(v['verdict'] for v in f['votes'])]) for f in it['findings'])") <<'TABLE'
F-001 shop.py:3 local-analyser consensus medium agree agree
F-002 run.sh:2 local-analyser unverified low unverifiable unverifiable
F-003 shop.py:2 local-analyser unverified low agree unverifiable
F-004 app.py:3 local-analyser-3 unverified low unverifiable unverifiable
TABLE
  run -0 turns report "$(named state convergence)"
  data=$(named reports final-report .data.json)
  run -0 okstra validate "$data"
  [ "$(field "$data" "[(one['id'], one['class'], one['evidence']) for one in it['findings'] if one['class'] == 'consensus']")" = \
    "[('F-001', 'consensus', ['shop.py:3'])]" ]
  grep -q "sha256:$("$OKSTRA_PYTHON" -IS -c 'import hashlib, sys; print(hashlib.sha256(open(sys.argv[1], "rb").read()).hexdigest()[:12])' "$MANIFEST")$" \
    "$(named worker-results report-writer-report-audit .md)"
  git diff --exit-code
}

@test "a verifier of what others wrote: holds, does not hold, cannot be judged; both vocabularies (H-031, Z-117)" {
  printf 'def late():\n    return 1\n\n\nlate()\n' >late.py
  git add late.py
  while IFS='|' read -r engine mode place claim verdict basis; do
    box=$PROJECT/$RUN/outbox/x-reverify-r1-001
    mkdir -p "$box"
    prompt x reverify-r1 "$HOME/x/prompt.md"
    {
      printf '**Provider:** local\n**Model:** %s\n**Role:** verifier\n**Mode:** %s\n**Brief:** %s\n' "$engine" "$mode" "$PROJECT/brief.md"
      printf '\nBEGIN DATA 0123456789abcdef findings\n### F-001\n- Claim: %s\n- Evidence: %s\n' "$claim" "$place"
      printf '### F-002\n- Claim: x\n- Evidence: none — nothing\nEND DATA 0123456789abcdef findings\n'
    } >>"$HOME/x/prompt.md"
    run -0 okstra local-worker <"$HOME/x/prompt.md"
    run -0 okstra worker-result check "$box/result.md"
    told=$(sed -n '/^### F-001/,/^### F-002/p' "$box/result.md")
    echo "case: $engine $place $claim: $told"
    [[ $told == *"**Verdict**: $verdict"$'\n'"**Basis**: $basis"* ]]
  done <<'TABLE'
lint|adversarial|`shop.py:3`|undefined name 'totl'|SURVIVES|Opened `shop.py:3`: it holds `return totl`. local/lint sees at `shop.py:3`: pyflakes
syntax|collaborative|`shop.py:3`|`totl` is a misspelling|AGREE|Opened `shop.py:3`: it holds `return totl`. local/syntax sees
trace|adversarial|`shop.py:3`|the sum is lost here|SURVIVES|Opened `shop.py:3`
syntax|adversarial|`late.py:5`|undefined name 'late'|REFUTED|Opened `late.py:5`: it holds `late()`. 'late' is bound at `late.py:1`: `def late():`.
syntax|collaborative|`late.py:5`|undefined name 'late'|DISAGREE|Opened `late.py:5`
lint|adversarial|`late.py:5`|undefined name 'late'|UNVERIFIABLE|Opened `late.py:5`
lint|adversarial|`late.py:2`|undefined name 'late'|REFUTED|Opened `late.py:2`: it holds `return 1`. Nothing called 'late' stands there.
lint|adversarial|`late.py:9`|it ends wrongly|REFUTED|The file of late.py:9 ends at `late.py:5`: `late()`.
lint|adversarial|`gone.py:1`|it is wrong|REFUTED|There is no file gone.py in the project.
lint|adversarial|`brief.md:1`|it is wrong|UNVERIFIABLE|local/lint did not read it: brief.md: not among the files that are looked at.
trace|collaborative|`late.py:2`|it should be 2|UNVERIFIABLE|Opened `late.py:2`: it holds `return 1`. local/trace sees nothing there
syntax|adversarial|`late.py:2`|The line reads `return 2`.|REFUTED|Opened `late.py:2`: it holds `return 1`. The finding says
TABLE
  grep -q '^### F-002$' "$box/result.md"
  grep -q '^- Evidence read: late.py:2-2$' "$box/audit.md"
}

@test "the wrapper: its words, its last event, and what cannot be followed (H-030, H-030a, H-033)" {
  prompt x initial "$HOME/x/prompt.md"
  mkdir -p "$RUN/outbox/x-initial-001"
  printf '**Brief:** %s\n' "$PROJECT/brief.md" >>"$HOME/x/prompt.md"
  while IFS='|' read -r role model extra code message; do
    { cat "$HOME/x/prompt.md" && printf '**Role:** %s\n' "$role"; } >"$HOME/x/now.md"
    rm -f "$HOME/x/now.log" "$RUN"/outbox/x-initial-001/*
    # shellcheck disable=SC2086 # several words
    run "-$code" --separate-stderr "$BASH" -p "$TREE/bin/okstra-local-exec.sh" . "$HOME/x/now.md" "$model" -- $extra
    echo "case: $role $model $extra: $(cat "$HOME/x/now.log")"
    [[ $(sed -n '$p' "$HOME/x/now.log") == *"$message" ]]
    ((code)) || okstra worker-result check "$RUN/outbox/x-initial-001/result.md"
    ((code == 0)) || [ -z "$(ls "$RUN/outbox/x-initial-001")" ]
  done <<'TABLE'
analyser|lint||0|{"type": "local-result", "ok": true, "engine": "lint", "role": "analyser", "blocks": 3}
analyser|local/trace|--local-seconds=5|0|"engine": "trace", "role": "analyser", "blocks": 2}
critic|syntax||0|"engine": "syntax", "role": "critic", "blocks": 3}
analyser|default||2|not an engine of local: ''; known: lint, syntax, trace
analyser|gpt||2|not an engine of local: 'gpt'; known: lint, syntax, trace
executor|lint||2|local cannot be executor; these can: claude, codex, antigravity
lead|lint||2|local cannot be lead; these can: claude, codex, antigravity
planner|lint||2|local cannot be planner; these can: claude, codex, antigravity
analyser|lint|--local-seconds=soon|2|not a number of seconds: --local-seconds=soon
TABLE
  sed 's|^\*\*Result Path.*|**Result Path:** /tmp/result.md|' "$HOME/x/prompt.md" >"$HOME/x/now.md"
  printf '**Role:** analyser\n' >>"$HOME/x/now.md"
  run -2 okstra local-worker --engine=lint <"$HOME/x/now.md"
  [[ $output == *'Result Path is no place of okstra'"'"'s in the project: /tmp/result.md'* ]]
}

@test "what was not looked at is counted; odd files are not opened and get nothing down (H-032, XF-15)" {
  python() { "$OKSTRA_PYTHON" -IS -c "$@"; }
  mkdir -p odd "$RUN/outbox/x-initial-001"
  ln -s /dev/zero odd/zero.py
  ln -s "$HOME/x" odd/out
  python 'import sys
for name, data in {"deep.py": b"(" * 200000, "line.json": b"[" * 500000, "nul.py": b"\0" * 999, "bytes.py": bytes(range(256)),
    "big.py": b"#" * 1048577, "bomb.yaml": b"a: &a [x,x]\n" + b"".join(b"%c: &%c [*%c,*%c]\n" % (n, n, n - 1, n - 1) for n in range(98, 122)),
    "deep.sh": b"( " * 20000}.items():
    open("odd/" + name, "wb").write(data)'
  git add -f odd
  rm odd/big.py && mkfifo odd/big.py
  prompt x initial "$HOME/x/prompt.md"
  printf '**Brief:** %s\n**Role:** analyser\n- `brief.md` sha256:000000000000\n' "$PROJECT/brief.md" >>"$HOME/x/prompt.md"
  for engine in lint syntax trace; do
    run -0 okstra local-worker --engine=$engine --local-seconds=20 <"$HOME/x/prompt.md"
    run -0 okstra worker-result check "$RUN/outbox/x-initial-001/result.md"
    sed -n '/^## 5/,$p' "$RUN/outbox/x-initial-001/result.md"
    grep -qx -- '- Looked at 9 of 12 files that git tracks\.' "$RUN/outbox/x-initial-001/result.md"
    grep -qx -- '- Not looked at: a link: 2; no plain file: 1\.' "$RUN/outbox/x-initial-001/result.md"
    grep -q 'The input brief.md has another sha256 than the prompt says, 000000000000' "$RUN/outbox/x-initial-001/result.md" \
      "$RUN/outbox/x-initial-001/audit.md"
  done
  run -0 okstra local-worker --engine=lint --local-seconds=0 <"$HOME/x/prompt.md"
  grep -qx -- '- Not looked at: no time left of 0 s: 12\.' "$RUN/outbox/x-initial-001/result.md"
  run -0 okstra local-worker --engine=trace <"$HOME/x/prompt.md"
  cp "$RUN/outbox/x-initial-001/result.md" first.md
  run -0 okstra local-worker --engine=trace <"$HOME/x/prompt.md"
  cmp first.md "$RUN/outbox/x-initial-001/result.md"
}
