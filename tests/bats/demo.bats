# shellcheck disable=SC2030,SC2031,SC2154 # each test is a subshell; output and stderr are set by run
load test_helper

eval "$(declare -f setup | sed '1s/setup/seal/')" # the common one
setup() {
  seal && export TMPDIR=$PWD OKSTRA_PYTHON
}

# Without a network, where that can be had: no interface but loopback, and that one down.
offline() { # <command> [<argument>...]
  if unshare -rn true 2>/dev/null; then unshare -rn "$@"; else "$@"; fi
}

@test "the demo finds the planted defect by votes, offline, and leaves nothing (H-040)" {
  SECONDS=0
  run -0 --separate-stderr offline "$BASH" -p "$TREE/bin/okstra" demo
  echo "$SECONDS s" >&3
  ((SECONDS < 30))
  [[ $output == *"F-001    consensus  medium (one-family)  raised "*"found + "*"undefined name 'taxes'"* ]]
  [[ $output == *'final-report-error-analysis-001.html'*'capped at medium confidence'*'okstra run external '* ]]
  [ -z "$(ls -A "$TMPDIR")" ]
}

@test "without the defect the demo fails (H-040)" {
  run -1 --separate-stderr okstra demo --without-defect
  [[ $output == '' && $stderr == *'the planted defect is not a finding on which the votes agree: shop/prices.py:9' ]]
  [ -z "$(ls -A "$TMPDIR")" ]
}

@test "--keep leaves a run that is valid, can be replayed, and touched nothing else (H-040, Z-020)" {
  before=$(find . | LC_ALL=C sort)
  run -0 --separate-stderr okstra demo --keep='시연 keep'
  run -2 okstra demo --keep='시연 keep'
  [[ $output == *'cannot make this folder anew: --keep='* ]]
  RUN='시연 keep/shop/.okstra/tasks/demo/no-total/runs/error-analysis'
  run -0 okstra convergence replay --run-dir="$RUN"
  run -0 okstra validate "$RUN"/state/*.json "$RUN"/reports/*.data.json "$RUN"/manifests/*.json
  git -C '시연 keep/shop' diff --exit-code
  [ "$(find . -not -path './시연 keep*' | LC_ALL=C sort)" = "$before" ]
}

@test "make demo is okstra demo, with the Python of the tree (H-040)" {
  run -0 make -C "$TREE" -n -o venv/.made demo
  # shellcheck disable=SC2016 # make's words
  [[ $output == *'OKSTRA_PYTHON="$PWD/venv/bin/python3" bin/okstra demo'* ]]
}
