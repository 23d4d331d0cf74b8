# shellcheck disable=SC2016,SC2030,SC2031 # each test is a subshell; the inner shell expands
load test_helper
load launch_helper

setup_file() {
  launch_setup_file
}

eval "$(declare -f setup | sed '1s/setup/seal/')" # the common one
setup() {
  seal && launch_setup
}

render() { # [<argument>...]
  okstra render-bundle "$@"
}

@test "what it prints, and nothing is started (L-036, P-198)" {
  run -0 render "${TASK[@]}" --lead-runtime=codex
  [ "$output" = "okstra hides .okstra/ from git: $PROJECT/.git/info/exclude
okstra current run dir: $RUN
final report path: $RUN/reports/final-report-error-analysis-001.md
run manifest path: $RUN/manifests/run-manifest-error-analysis-001.json" ]
  [ ! -e "$CLI_ARGV" ]
  git status --porcelain | { run ! grep .; }
}

@test "every file that a run writes is a valid artifact (Z-062)" {
  render "${TASK[@]}" --lead-runtime=external --critic=codex --analysis-target=brief.md --evidence-inputs=brief.md
  render --task-group=checkout --task-id=DEV-1 --lead-runtime=claude-code --task-type=requirements-discovery --related-tasks=shop:checkout:DEV-1
  find .okstra "$HOME/.okstra" \( -name '*.json' -o -name '*.jsonl' \) -exec "$TREE/bin/okstra-validate" {} + >valid
  [ "$(grep -c ': valid ' valid)" = "$(find .okstra "$HOME/.okstra" \( -name '*.json' -o -name '*.jsonl' \) | wc -l | tr -d ' ')" ]
  find .okstra -name '*.sh' -exec sh -n {} \;
}

@test "the recorded words prepare the run again (P-201, P-208)" {
  render "${TASK[@]}" --lead-runtime=codex --directive=$'it\'s\n--yes' --role-count=analyser=3
  "$OKSTRA_PYTHON" -c 'import json, sys
for word in json.load(open(sys.argv[1]))["argv"]: print(word, end="\0")' "$RUN"/manifests/*-001.json >words
  cd /
  xargs -0 "$TREE/bin/okstra-render-bundle" <"$PROJECT/words"
  cd "$PROJECT"
  for n in 1 2; do sed -n '/"argv"/,/]/p' "$RUN/manifests/run-manifest-error-analysis-00$n.json" >"argv-$n"; done
  diff argv-1 argv-2
}

@test "refused with a name and a status before anything is made (L-201, 20 §32, XI-01, XI-09)" {
  : >empty.md
  printf 'ELF\0' >binary.md
  mkfifo pipe
  truncate -s 209715200 long.md 2>/dev/null || "$OKSTRA_PYTHON" -c 'open("long.md", "wb").truncate(200 << 20)'
  before=$(listing)
  # words after the task's own | exit status | what is said
  while IFS='|' read -r words wanted told; do
    eval "words=($words)"
    run render "${TASK[@]}" --lead-runtime=codex "${words[@]}"
    echo "case: ${words[*]}: $status: $output"
    [[ $status == "$wanted" && $output == "okstra-render-bundle: "*"$told"* ]]
    no_traceback
  done <<'TABLE'
--runtime-resolution-json='{'|2|invalid runtime resolution data
--terminal-backend=mixed|2|--terminal-backend=mixed
--terminal-backend|2|option needs a value: --terminal-backend
--reverify-scope=full|2|--reverify-scope=full goes with implementation-planning, not with error-analysis
--qa-waiver=s1|2|--qa-waiver=s1 goes with implementation
--approve|2|--approve goes with implementation
--clarification-response=none.md|2|clarification response file not found: none.md
--workers=codex-verifier|2|unknown workers: codex-verifier
--critic=gpt|2|not a critic: --critic=gpt
--lead-provider=claude|2|the host codex leads with codex
--lead-provider=grok|2|grok
--work-category=unknown|2|known: bugfix, feature, refactor, ops, improvement
--base-ref=nosuch|2|--base-ref=nosuch
--base-ref=--all|2|--base-ref=--all
--related-tasks=shop:g:t|2|no such task in this project
--task-id=DEV-1|2|given more than once: --task-id
--bogus|2|unknown option: --bogus
--direct=x|2|unknown option: --direct; did you mean --directive?
--trust=x|2|option takes no value: --trust
-- x|2|unexpected: x
x|2|unexpected: x
--directive=$'\377'|2|not UTF-8: --directive=
--critic= --critic=|2|given more than once: --critic
TABLE
  TASK=("${TASK[@]:0:4}")
  while IFS='|' read -r words wanted told; do
    eval "words=($words)"
    run render "${TASK[@]}" --lead-runtime=codex "${words[@]}"
    echo "case: ${words[*]}: $status: $output"
    [[ $status == "$wanted" && $output == "okstra-render-bundle: "*"$told"* ]]
    no_traceback
  done <<'TABLE'
|2|missing: --task-brief=…
--task-brief=none.md|2|cannot read none.md: No such file
--task-brief=.|2|not a file: 
--task-brief=pipe|2|not a file: pipe
--task-brief=/dev/zero|2|not a file: /dev/zero
--task-brief=empty.md|2|empty: it has neither a letter nor a digit
--task-brief=binary.md|2|byte 3 is NUL: a binary file
--task-brief=long.md|2|larger than 4 MiB
TABLE
  TASK=(--project-id=shop --task-group=checkout --task-id=DEV-1 --task-brief=brief.md)
  while IFS='|' read -r words wanted told; do
    eval "words=($words)"
    run render "${TASK[@]}" "${words[@]}"
    echo "case: ${words[*]}: $status: $output"
    [[ $status == "$wanted" && $output == "okstra-render-bundle: "*"$told"* ]]
    no_traceback
  done <<'TABLE'
|2|missing: --task-type=…
--task-type=nosuch --lead-runtime=codex|2|nosuch
--task-type=implementation-planning --lead-runtime=codex|2|not available yet: implementation-planning; available: requirements-discovery, error-analysis
--task-type=implementation --lead-runtime=codex --stage=3|2|not available yet: implementation
--task-type=error-analysis --lead-runtime=cmux|2|cmux
TABLE
  [ "$(listing)" = "$before" ]
}

@test "a variable that cannot be used is named (L-094, L-062, L-154)" {
  before=$(listing)
  while IFS='|' read -r setting words told; do
    eval "words=($words)"
    run -2 env "$setting" "$TREE/bin/okstra-render-bundle" "${TASK[@]}" "${words[@]}"
    [[ $output == *"$told"* ]]
    no_traceback
  done <<'TABLE'
OKSTRA_RUN_SEQ_OVERRIDE=abc|--lead-runtime=codex|OKSTRA_RUN_SEQ_OVERRIDE=abc
OKSTRA_RUNTIME_HOST=foo||OKSTRA_RUNTIME_HOST: 
OKSTRA_DEFAULT_LEAD_MODEL=nosuch|--lead-runtime=claude-code|OKSTRA_DEFAULT_LEAD_MODEL: 
TABLE
  [ "$(listing)" = "$before" ]
}

@test "ids that lead out of their folder are refused, others are slugged inside it (XI-01, XI-03)" {
  before=$(listing)
  options=(--project-id --task-group --task-id) n=0
  for id in ../x .. . /etc 'a\..\b' '' $'a\nb' $'a\tb' $'\e[1m' '~' a:b; do
    given=(--project-id=shop --task-group=g --task-id=t)
    given[n % 3]=${options[n % 3]}=$id # all three of each: see tests/python/okstra_ctl/prepare
    ((n += 1))
    run render "${given[@]}" --task-type=error-analysis --task-brief=brief.md --lead-runtime=codex
    echo "case: ${given[*]}: $output"
    [ "$status" -eq 2 ]
    no_traceback
  done
  [ "$(listing)" = "$before" ]
  long=$(printf 'x%.0s' {1..300})
  for id in a/b 'a\c' -rf con dot. 'a d' "$long" "'" '"q' '`x`y' '$(touch ran)z' ';semi;' '|pipe' '&amp' '*w' '%s' '{{X}}' '{{TASK_KEY}}' '결제' "--yes"; do
    render --project-id=shop --task-group="$id" --task-id="$id" --task-type=error-analysis --task-brief=brief.md --lead-runtime=external
  done
  [ -z "$(find . "$HOME" -name 'ran*')" ]
  outside=$(find "$BATS_TEST_TMPDIR" -newer brief.md -type f ! -path "$PROJECT/.okstra/*" ! -path "$HOME/.okstra/*" ! -path "$PROJECT/.git/*")
  [ -z "$outside" ]
  for folder in .okstra/tasks/*/ .okstra/tasks/*/*/; do
    [[ $(basename "$folder") =~ ^[a-z0-9][a-z0-9._-]{0,79}$ ]]
  done
  find .okstra -name '*.json' -exec "$TREE/bin/okstra-validate" {} + >/dev/null
}

@test "a brief is copied byte for byte (XI-05)" {
  printf '\357\273\277CRLF\r\nno end' >crlf.md
  printf 'x' >one.md
  "$OKSTRA_PYTHON" -c 'import sys; sys.stdout.write("# a" + " " * 4000000 + "b\n")' >spaces.md
  n=0
  for name in crlf one spaces; do
    render "${TASK[@]:0:4}" --task-brief="$name.md" --lead-runtime=codex
    ((n += 1))
    cmp "$name.md" "$RUN/instruction-set/00$n/task-brief.md"
  done
}

@test "many words are refused at once (XI-09)" {
  many=()
  for ((i = 0; i < 5000; i++)); do many+=("--directive=$i"); done
  SECONDS=0
  run -2 render "${many[@]}"
  [[ $output == *'given more than once: --directive'* ]]
  run -2 render "${many[@]#--directive=}"
  [[ $output == *'unexpected: 0'* ]]
  ((SECONDS < 20))
}

@test "homes that are odd (XI-23)" {
  while IFS='|' read -r setting wanted told; do
    eval "setting=($setting)"
    run env "${setting[@]}" "$TREE/bin/okstra-render-bundle" "${TASK[@]}" --lead-runtime=codex
    echo "case: ${setting[*]}: $status: $output"
    [[ $status == "$wanted" && $output == *"$told"* ]]
    no_traceback
  done <<'TABLE'
-u HOME -u OKSTRA_HOME|2|neither OKSTRA_HOME nor HOME is set
HOME=|2|neither OKSTRA_HOME nor HOME is set
OKSTRA_HOME=relative|2|OKSTRA_HOME is not an absolute path: relative
OKSTRA_HOME=/dev/null|2|OKSTRA_HOME is not a folder: /dev/null
OKSTRA_HOME=/dev/null/x|2|okstra's home cannot be used: /dev/null/x
TABLE
  [ ! -e .okstra ]
  mkdir "$BATS_TEST_TMPDIR/real home"
  ln -s "real home" "$BATS_TEST_TMPDIR/link"
  OKSTRA_HOME=$BATS_TEST_TMPDIR/link run -0 render "${TASK[@]}" --lead-runtime=codex
  [ -e "$BATS_TEST_TMPDIR/real home/recent.jsonl" ]
}

@test "a state file that is broken is named with the command that repairs it (XI-10, XI-14, XI-15)" {
  render "${TASK[@]}" --lead-runtime=codex
  task=$PROJECT/.okstra/tasks/checkout/dev-1
  for file in "$PROJECT/.okstra/project.json" "$task/task-manifest.json" "$task/history/timeline.json"; do
    printf '{"schemaVersion": 2}' >"$file"
    before=$(listing)
    run -2 render "${TASK[@]}" --lead-runtime=codex
    [[ $output == *"$file: \$.schemaVersion: this okstra reads 1, found 2"* ]]
    [ "$(listing)" = "$before" ]
    repair=$(sed -n 's/^next: //p' <<<"$output")
    eval "$repair"
    render "${TASK[@]}" --lead-runtime=codex
  done
}

@test "links inside .okstra/ are never written through (Z-101, XS-06)" {
  mkdir victim
  ln -s ../victim .okstra
  run -1 render "${TASK[@]}" --lead-runtime=codex --trust
  [[ $output == *"okstra does not write through links: $PROJECT/.okstra"* ]]
  [ -z "$(ls victim)" ]
}

@test "the index that cannot be written is a warning (P-212)" {
  mkdir -p "$HOME/.okstra/active.jsonl"
  run -0 render "${TASK[@]}" --lead-runtime=codex
  [[ $output == *'central index: '* ]]
}
