# shellcheck disable=SC2012,SC2128,SC2153,SC2154,SC2178 # variables of helpers; names are ours
load test_helper
load launch_helper

setup_file() {
  launch_setup_file
}

eval "$(declare -f setup | sed '1s/setup/seal/')" # the common one
setup() {
  seal && launch_setup
}

own_launch_tree() { # <launch template>; a whole copy of okstra in ./tree whose template it is
  tree=$BATS_TEST_TMPDIR/나무
  mkdir -p "$tree"
  cp -R "$TREE/bin" "$TREE/lib" "$TREE/VERSION" "$TREE/prompts" "$TREE/validators" "$tree"
  printf '%s' "$1" >"$tree/prompts/launch.template.md"
}

session_id() { # of the run that was prepared last
  sed -n 's/.*"leadSessionId": "\(.*\)".*/\1/p' "$RUN/manifests"/run-manifest-*.json | tail -1
}

waivers() { # what was answered to the sandbox question, in order
  cat "$RUN/logs"/lead-events-*.jsonl 2>/dev/null | sed -n 's/.*"answer":"\([^"]*\)".*/\1/p' | tr '\n' ' '
}

SHARP=$'it\'s "two" `touch ran` $(touch ran) ${HOME} \\n \\ %s\n결제가 안 됨\t*\n\n-- end\n\n'

@test "each lead gets exactly its words, whatever stands in the prompt (L-053, L-048, XI-08)" {
  own_launch_tree "$SHARP"
  claude=(claude --model opus --session-id)
  codex=(codex -s danger-full-access -m gpt-6-sol)
  agy=(agy --model 'some model' --prompt-interactive)

  run -7 launch -- --lead-runtime=claude-code
  read_words "$CLI_ARGV"
  expected=("${claude[@]}" "$(session_id)" "$SHARP")
  [ "$(printf '<%s>' "${words[@]}")" = "$(printf '<%s>' "${expected[@]}")" ]
  [ "$(cat "$CLI_ARGV.cwd")" = "$PROJECT" ]

  run -7 launch --answer=y -- --lead-runtime=codex
  read_words "$CLI_ARGV"
  expected=("${codex[@]}" "$SHARP")
  [ "$(printf '<%s>' "${words[@]}")" = "$(printf '<%s>' "${expected[@]}")" ]

  run -7 launch -- --lead-runtime=antigravity '--lead-model=some model'
  read_words "$CLI_ARGV"
  expected=("${agy[@]}" "$SHARP")
  [ "$(printf '<%s>' "${words[@]}")" = "$(printf '<%s>' "${expected[@]}")" ]
  [ ! -e ran ]
}

@test "a capability record isolates codex, and guards a prompt that begins with a dash (Z-090)" {
  own_launch_tree $'-n $HOME\n'
  mkdir -p "$HOME/.okstra"
  flags='"flags": ["--no-daemon", "-c"]'
  printf '{"schemaVersion": 1, "probedAt": "2026-01-01T00:00:00Z", "providers": {
    "codex": {"executable": "/x/codex", "version": "0.171.0", %s},
    "claude": {"executable": "/x/claude", "version": "2.1.332", %s}}}' "$flags" "$flags" >"$HOME/.okstra/capabilities.json"
  run -7 launch -- --lead-runtime=codex --yes
  read_words "$CLI_ARGV"
  expected=(codex -s danger-full-access --no-daemon -c allow_login_shell=false -m gpt-6-sol -- $'-n $HOME\n')
  [ "$(printf '<%s>' "${words[@]}")" = "$(printf '<%s>' "${expected[@]}")" ]
  run -7 launch -- --lead-runtime=claude-code
  read_words "$CLI_ARGV"
  expected=(claude --model opus --session-id "$(session_id)" -- $'-n $HOME\n')
  [ "$(printf '<%s>' "${words[@]}")" = "$(printf '<%s>' "${expected[@]}")" ]
  "$tree/bin/okstra-validate" "$HOME/.okstra/capabilities.json"
}

@test "a prompt of any length arrives, whole or as its file, length and sha256 (Z-007, XI-07)" {
  own_launch_tree ''
  for size in 98304 98305 131071 131072 300000 2000000 10000000; do
    "$OKSTRA_PYTHON" -c 'import sys
size, path = int(sys.argv[1]), sys.argv[2]
open(path, "w", encoding="utf-8").write("가" * (size // 3) + "x" * (size % 3))' "$size" "$tree/prompts/launch.template.md"
    run -7 launch -- --lead-runtime=claude-code
    read_words "$CLI_ARGV"
    file=$(printf '%s\n' "$RUN/instruction-set"/*/lead-execution-prompt.md | tail -1)
    cmp "$file" "$tree/prompts/launch.template.md"
    if ((size <= 98304)); then
      whole "$file"
      [ "${words[5]}" = "$text" ]
      continue
    fi
    sum=$("$OKSTRA_PYTHON" -c 'import hashlib, sys
print(hashlib.sha256(open(sys.argv[1], "rb").read()).hexdigest())' "$file")
    [[ ${words[5]} == *$'\n'"$file"$'\n'* && ${words[5]} == *"length: $size bytes"* && ${words[5]} == *"sha256: $sum"* ]]
    ((${#words[5]} < 2000))
  done
}

@test "what a run prints, and what it does not (L-033, L-034)" {
  run -7 launch -- --lead-runtime=claude-code
  [ "${lines[0]}" = "okstra hides .okstra/ from git: $PROJECT/.git/info/exclude" ]
  id=$(session_id)
  expected="okstra current run dir: $RUN
final report path: $RUN/reports/final-report-error-analysis-001.md
lead model: Claude Opus
claude session id: $id
resume command file: $RUN/sessions/resume-command-error-analysis-001.sh
launch mode: interactive claude handoff
lead working directory: $PROJECT"
  [[ $output == *"$expected"* && $output != *__OKSTRA_LAUNCH__* ]]
  run -0 okstra_sh "${TASK[@]}" --lead-runtime=claude-code --render-only
  [[ $output == *'run manifest path: '* && $output != *'launch mode'* ]]
}

@test "the sandbox question: only y or Y starts the lead, and each answer is written down (L-044, XS-09)" {
  # keys typed | exit status | what is recorded | what is said
  while IFS='|' read -r keys wanted recorded said; do
    rm -rf .okstra "$CLI_ARGV"
    run launch --key="$keys" -- --lead-runtime=codex --trust
    echo "case: $keys: $status, $(waivers): $output"
    [[ $status == "$wanted" && $(waivers) == "$recorded" && $output == *"$said"* ]]
    [[ $output == *$'\n\nCodex is started without its sandbox'*'[y/N] '* ]]
    [[ ($status == 7 && -e $CLI_ARGV) || ($status != 7 && ! -e $CLI_ARGV) ]]
    okstra validate "$RUN/manifests"/run-manifest-error-analysis-*.json # the bundle stays
  done <<'TABLE'
y\n|7|tty |
Y\n|7|tty |
\n|1|declined |cancelled; the task bundle is prepared, run again
n\n|1|declined |cancelled; the task bundle is prepared, run again
yes\n|1|declined |cancelled; the task bundle is prepared, run again
y \n|1|declined |cancelled; the task bundle is prepared, run again
 y\n|1|declined |cancelled; the task bundle is prepared, run again
\x04|1|declined |cancelled; the task bundle is prepared, run again
\x03|130||
TABLE
}

@test "a yes from anywhere else is none (L-044, L-045, XS-09)" {
  from_stdin() { printf 'y\n' | launch --key='\n' -- --lead-runtime=codex; }
  run -1 from_stdin
  [[ $output == *cancelled* ]]
  # a terminal for stdout, but none to ask on
  # shellcheck disable=SC2016 # the inner shell expands
  run -1 on_pty -- "$OKSTRA_PYTHON" -c 'import subprocess, sys
sys.exit(subprocess.call(sys.argv[1:], start_new_session=True))' "$BASH" -p "$tree/bin/okstra.sh" "${TASK[@]}" --lead-runtime=codex
  [[ $output == *cancelled* ]]
  export OKSTRA_YES=y OKSTRA_ASSUME_YES=1 YES=1
  run -1 launch --key='\n' -- --lead-runtime=codex --directive --yes
  [[ $output == *cancelled* ]]
  [ "$(waivers)" = 'declined declined declined ' ]
  run -2 launch -- --lead-runtime=codex --y
  [[ $output == *'unknown option: --y'* ]]
  [ ! -e "$CLI_ARGV" ]
  [ "$(ls "$RUN/manifests" | wc -l | tr -d ' ')" = 3 ]
}

@test "--yes shows the note and a notice, and is written down (L-042, L-043, Z-006)" {
  run -7 launch -- --lead-runtime=codex --yes
  [[ $output == *$'\n\nCodex is started without its sandbox'*$'\ngoing on without the sandbox, because of --yes'* ]]
  [[ $output != *'[y/N]'* ]]
  [ "$(waivers)" = '--yes ' ]
  grep -A 8 '"sandboxWaiver"' "$RUN/manifests"/*.json | grep -q '"grantedBy": "--yes"'
  okstra validate "$RUN/manifests"/*.json "$RUN/logs"/*.jsonl
  run -7 launch -- --lead-runtime=claude-code # lifts nothing, asks nothing
  [[ $output != *sandbox* ]]
}

@test "the question is asked in the user's language, the labels are not (L-199, Z-064)" {
  for setting in OKSTRA_LANG=ko LC_ALL=ko_KR.UTF-8; do
    run -1 env "$setting" "$OKSTRA_PYTHON" "$TREE/tests/support/pty_run.py" --key='\n' -- \
      "$BASH" -p "$tree/bin/okstra.sh" "${TASK[@]}" --lead-runtime=codex
    [[ $output == *'launch mode: interactive codex handoff'* && $output != *'Start codex without'* ]]
    [[ $output == *codex*'[y/N] '* ]]
  done
}

@test "stdout is no terminal: refused before anything is made (Z-095)" {
  before=$(listing)
  run -1 okstra_sh "${TASK[@]}" --lead-runtime=claude-code
  [[ $output == *'stdout is not a terminal'*'okstra run external'* ]]
  [ "$(listing)" = "$before" ]
}

@test "a lead that is not installed is named before any question; the bundle stays (L-041, L-047)" {
  mkdir "$BATS_TEST_TMPDIR/bare"
  for name in git mktemp rm readlink; do ln -s "$(type -P "$name")" "$BATS_TEST_TMPDIR/bare"; done
  for pair in codex:codex antigravity:agy claude-code:claude; do
    run -1 env PATH="$BATS_TEST_TMPDIR/bare" "$OKSTRA_PYTHON" "$TREE/tests/support/pty_run.py" -- \
      "$BASH" -p "$tree/bin/okstra.sh" "${TASK[@]}" --lead-runtime="${pair%:*}"
    [[ $output == *"okstra.sh: ${pair#*:}: command not found; the task bundle is prepared"* ]]
    [[ $output != *'[y/N]'* ]]
  done
  [ "$(ls "$RUN/manifests" | wc -l | tr -d ' ')" = 3 ]
}

meddling_python() { # <shell code, for after prepare; $handoff is its file>
  # shellcheck disable=SC2016 # the script expands
  printf '%s\n' '#!/bin/bash' "'$OKSTRA_PYTHON' \"\$@\"" 'status=$?' \
    'for word; do [[ $word != --handoff=* ]] || handoff=${word#*=}; done' \
    "if [[ -n \${handoff-} ]]; then $1; fi" 'exit $status' >"$BATS_TEST_TMPDIR/python"
  chmod +x "$BATS_TEST_TMPDIR/python"
}

@test "a hand-over that was damaged starts nothing (L-039, L-048)" {
  # shellcheck disable=SC2016 # the script expands
  for harm in ': >"$handoff"' 'rm "$handoff"' 'head -c 300 "$handoff" >x; cat x >"$handoff"' 'printf "x\0" >>"$handoff"'; do
    meddling_python "$harm"
    run -1 env OKSTRA_PYTHON="$BATS_TEST_TMPDIR/python" "$OKSTRA_PYTHON" "$TREE/tests/support/pty_run.py" -- \
      "$BASH" -p "$tree/bin/okstra.sh" "${TASK[@]}" --lead-runtime=claude-code
    [[ $output == *'okstra.sh: prepare gave no launch metadata'* ]]
    [ ! -e "$CLI_ARGV" ]
  done
}

@test "a project that is gone before the lead starts: exit 1, and nothing starts elsewhere (L-050)" {
  meddling_python "mv '$PROJECT' '$PROJECT.away'"
  for lead in 'claude-code' 'codex --yes'; do
    # shellcheck disable=SC2086 # two words
    run -1 env OKSTRA_PYTHON="$BATS_TEST_TMPDIR/python" "$OKSTRA_PYTHON" "$TREE/tests/support/pty_run.py" -- \
      "$BASH" -p "$tree/bin/okstra.sh" "${TASK[@]}" --lead-runtime=$lead
    [[ $output == *"okstra.sh: the project is gone: $PROJECT"* ]]
    [ ! -e "$CLI_ARGV" ]
    mv "$PROJECT.away" "$PROJECT"
    cd "$PROJECT"
  done
}

@test "no packages: root and hint, exit 1 (L-014)" {
  mkdir -p "$BATS_TEST_TMPDIR/bare/lib"
  cp -R "$TREE/bin" "$BATS_TEST_TMPDIR/bare"
  cp -R "$TREE/lib/okstra" "$BATS_TEST_TMPDIR/bare/lib"
  run -1 "$BASH" -p "$BATS_TEST_TMPDIR/bare/bin/okstra.sh"
  [ "$output" = "okstra.sh: no Python packages under $BATS_TEST_TMPDIR/bare; run okstra install" ]
}

@test "what is missing is asked for, and nothing else (L-018, Z-008)" {
  run -7 on_pty --answer= --answer='../x' --answer=checkout --answer=DEV-1 --answer=9 --answer=implementation \
    --answer=2 --answer=none.md --answer=brief.md -- "$BASH" -p "$tree/bin/okstra.sh" --lead-runtime=claude-code
  [[ $output == *'[가게 shop]: '*'../x'*'1) requirements-discovery'*'Not available yet'*'No such file: '* ]]
  grep -q '"taskKey": "가게 shop:checkout:DEV-1"' "$RUN/manifests"/*.json
  # a task that is known needs its key alone (L-021, L-023)
  for key in '가게 shop:checkout:DEV-1' dev-1; do
    run -7 on_pty -- "$BASH" -p "$tree/bin/okstra.sh" --lead-runtime=claude-code --task-key="$key"
    [[ $output != *'needed'* ]]
  done
  [ "$(ls "$RUN/manifests" | wc -l | tr -d ' ')" = 3 ]
}

@test "the end of input ends the questions, and nothing is written (L-019)" {
  before=$(listing)
  run -2 on_pty --key='\x04' -- "$BASH" -p "$tree/bin/okstra.sh" --lead-runtime=claude-code
  [[ $output == *'Nothing was written'* ]]
  [ "$(listing)" = "$before" ]
}

@test "without a terminal nothing waits: every missing flag is named (L-019, U-15)" {
  before=$(listing)
  run -2 alone "$BASH" -p "$tree/bin/okstra.sh" --render-only --lead-runtime=codex </dev/null
  [ "${lines[0]}" = 'okstra.sh: missing, and there is no terminal to ask on: --project-id=…, --task-group=…, --task-id=…, --task-type=…' ]
  run -2 alone "$BASH" -p "$tree/bin/okstra.sh" --render-only --yes --project-id=shop --task-type=error-analysis </dev/null
  [ "${lines[0]}" = 'okstra.sh: missing, and there is no terminal to ask on: --task-group=…, --task-id=…, --task-brief=…' ]
  [ "$(listing)" = "$before" ]
}

@test "a clone's .okstra/ is asked about once, with what it holds (Z-102, XS-05)" {
  mkdir -p .okstra/tasks/g/t/qa/scripts
  printf '{"schemaVersion": 1, "projectId": "shop", "qaCommands": [{"name": "t", "command": "touch ran"}]}' >.okstra/project.json
  printf 'touch ran\n' >.okstra/tasks/g/t/qa/scripts/stage-1.sh
  before=$(listing)
  run -1 launch --key='\n' -- --lead-runtime=claude-code
  [[ $output == *'settings and commands: .okstra/project.json'*'check script: .okstra/tasks/g/t/qa/scripts/stage-1.sh'*'[y/N] '* ]]
  [[ $output == *"is not trusted, and the answer was no: $PROJECT"*"okstra trust '$PROJECT'"* || $output == *'okstra trust '* ]]
  run -1 alone "$BASH" -p "$tree/bin/okstra.sh" "${TASK[@]}" --lead-runtime=claude-code --render-only
  [[ $output == *'nobody here can be asked'* ]]
  [ "$(listing)" = "$before" ]
  run -7 launch --answer=y -- --lead-runtime=claude-code
  run -7 launch -- --lead-runtime=claude-code
  [[ $output != *'[y/N]'* && ! -e ran ]]
}

@test "refused before anything is made (L-201, 20 §32)" {
  before=$(listing)
  # words | exit status | what is said
  while IFS='|' read -r words wanted told; do
    eval "words=($words)"
    run okstra_sh "${TASK[@]}" --render-only "${words[@]}"
    echo "case: ${words[*]}: $status: $output"
    [[ $status == "$wanted" && $output == *"$told"* ]]
    no_traceback
  done <<'TABLE'
--reverify-scope=auto|2|unknown option: --reverify-scope
--analysis-target=x|2|unknown option: --analysis-target
--evidence-inputs=x|2|unknown option: --evidence-inputs
--resume-clarification|2|unknown option: --resume-clarification
--report-writer-codex-model=x|2|--report-writer-codex-model is no longer an option; use --role-model
--enable-codex-report-writer|2|--enable-codex-report-writer is no longer an option; use --role-model
TABLE
  [ "$(listing)" = "$before" ]
}
