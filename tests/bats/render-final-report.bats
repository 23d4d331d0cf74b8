# shellcheck disable=SC2154 # output and stderr are set by run
load test_helper

eval "$(declare -f setup | sed '1s/setup/seal/')" # the common one
setup() {
  seal || return
  export OKSTRA_HOME="$HOME/okstra home"
  mkdir -p "$OKSTRA_HOME" '빈 shop'
  NAME='빈 shop/final-report-error-analysis-001'
  sample >"$NAME.data.json"
}

sample() { "$OKSTRA_PYTHON" "$TREE/tests/support/report_samples.py" "$@"; }
render() { okstra render-final-report "$@"; }

@test "the Markdown is written beside the data, the same bytes each time (R-025, R-089)" {
  run -0 --separate-stderr render "$NAME.data.json"
  [[ $output == "$NAME.md" && -z $stderr ]]
  cp "$NAME.md" first.md
  rm "$NAME.md"
  run -0 render "$NAME.data.json"
  cmp first.md "$NAME.md"
  [[ $(head -2 "$NAME.md" | tail -1) == 'task-key: "shop:checkout:DEV-1"' ]]
}

@test "--output writes elsewhere, and nothing beside the data (R-089)" {
  run -0 render "$NAME.data.json" --output=other.md
  [[ $output == other.md && -s other.md && ! -e $NAME.md ]]
}

@test "--check compares and writes nothing (R-025)" {
  run -1 render "$NAME.data.json" --check
  [[ ! -e $NAME.md ]]
  run -0 render "$NAME.data.json"
  run -0 render "$NAME.data.json" --check
  echo more >>"$NAME.md"
  cp "$NAME.md" before.md
  run -1 render "$NAME.data.json" --check
  [[ $output == "$NAME.md: not what $NAME.data.json makes" ]]
  cmp before.md "$NAME.md"
}

@test "what an approval wrote stays, and is not a difference; a changed plan is unapproved again (Z-030, R-022)" {
  sample en implementation-planning >plan.data.json
  run -0 render plan.data.json
  sed 's/^approved: false/approved: true/; s/^implementation-option:/& B/' plan.md >approved.md
  mv approved.md plan.md
  run -0 render plan.data.json --check
  run -0 render plan.data.json
  [[ $(sed -n 2,3p plan.md) == $'approved: true\nimplementation-option: B' ]]
  sed 's/mend it/mend it well/' plan.data.json >changed
  mv changed plan.data.json
  run -0 render plan.data.json
  [[ $(sed -n 2p plan.md) == 'approved: false' ]]
}

@test "data that is missing, broken, of another version or against a rule: exit 2, nothing written (R-011, Z-112)" {
  run -2 --separate-stderr render nowhere.data.json
  [[ $stderr == *'no such report: nowhere.data.json'* ]]
  echo '{' >"$NAME.data.json"
  run -2 render "$NAME.data.json"
  sample | sed 's/"schemaVersion": "2.0"/"schemaVersion": "1.0"/' >"$NAME.data.json"
  run -2 --separate-stderr render "$NAME.data.json"
  [[ $stderr == *'this okstra reads final-report-v2.0 2.0, found "1.0"'* ]]
  sample | sed 's/"class": "contested"/"class": "consensus"/' >"$NAME.data.json"
  run -2 --separate-stderr render "$NAME.data.json"
  [[ $stderr == *'$.consensus: F-002 is missing'* && ! -e $NAME.md ]]
  run -2 render notes.txt
}

@test "a secret of the environment is in neither form (Z-051)" {
  sample | sed 's/mend it/say s3cr3t-of-the-user-77/' >"$NAME.data.json"
  MY_TOKEN=s3cr3t-of-the-user-77 run -0 render "$NAME.data.json"
  MY_TOKEN=s3cr3t-of-the-user-77 run -0 okstra render-views "$NAME.md"
  run -1 grep -l s3cr3t "$NAME.md" "$NAME.html"
}
