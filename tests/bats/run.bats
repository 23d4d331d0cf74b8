# shellcheck disable=SC2030,SC2031,SC2153 # each test is a subshell; TREE comes from a helper
load test_helper
load launch_helper

setup_file() {
  launch_setup_file
}

eval "$(declare -f setup | sed '1s/setup/seal/')" # the common one
setup() {
  seal && launch_setup
}

bare_path() { # without tmux, and without any AI CLI
  local name bare=$BATS_TEST_TMPDIR/bare
  mkdir -p "$bare"
  for name in git mktemp rm readlink; do [[ -e $bare/$name ]] || ln -s "$(type -P "$name")" "$bare"; done
  printf '%s' "$bare"
}

resolution() { # of the run that was prepared last: request, requested, resolved, reason
  "$OKSTRA_PYTHON" -c 'import json, sys
about = json.load(open(sys.argv[1]))
print(about["leadRuntimeRequest"], *(about["runtimeResolution"][n] for n in ("requestedRuntime", "resolvedRuntime", "reason")))
' "$(printf '%s\n' "$RUN/manifests"/*.json | tail -1)"
}

@test "which lead is asked for, and what the manifest keeps of it (L-056 to L-060, Z-003)" {
  # words | environment | what the manifest says: request, requested, resolved, reason
  while IFS='|' read -r words setting kept; do
    eval "words=($words)"
    run -0 env ${setting:+"$setting"} "$TREE/bin/okstra-run" "${words[@]}" "${TASK[@]}" --render-only
    echo "case: ${words[*]} $setting: $(resolution)"
    [ "$(resolution)" = "$kept" ]
  done <<'TABLE'
claude||claude-code claude-code claude-code explicit
claude-code||claude-code claude-code claude-code explicit
codex||codex codex codex explicit
antigravity||antigravity antigravity antigravity explicit
codex --lead-runtime=claude-code||claude-code claude-code claude-code explicit
codex --lead-runtime claude-code||claude-code claude-code claude-code explicit
codex --lead-runtime=||codex codex codex explicit
|OKSTRA_RUNTIME_HOST=codex|auto auto codex OKSTRA_RUNTIME_HOST
--lead-runtime=auto|OKSTRA_RUNTIME_HOST=antigravity|auto auto antigravity OKSTRA_RUNTIME_HOST
|CODEX_THREAD_ID=x|auto auto codex host-session
TABLE
}

@test "refused before anything is made, nothing installed (L-057, L-060 to L-064, L-110)" {
  before=$(listing)
  while IFS='|' read -r words setting wanted told; do
    eval "words=($words)"
    run env PATH="$(bare_path)" ${setting:+"$setting"} "$TREE/bin/okstra-run" "${words[@]}" "${TASK[@]}"
    echo "case: ${words[*]} $setting: $status: $output"
    [[ $status == "$wanted" && $output == "okstra-run: "*"$told"* ]]
    no_traceback
  done <<'TABLE'
gemini||2|not a lead: 'gemini'; known: claude, claude-code, codex, antigravity, external
agy||2|not a lead: 'agy'
Codex||2|not a lead: 'Codex'
--lead-runtime=cmux||2|cmux
|OKSTRA_RUNTIME_HOST=foo|2|OKSTRA_RUNTIME_HOST: 
||2|no lead was named
TABLE
  [ "$(listing)" = "$before" ]
}

@test "without a session the run is prepared, its plan shown, and nothing started without a yes (H-020, D-089, Z-004)" {
  for words in external 'codex --lead-runtime=external'; do
    # shellcheck disable=SC2086 # two words
    run -2 --separate-stderr env PATH="$(bare_path)" "$TREE/bin/okstra-run" $words "${TASK[@]}"
    [[ $stderr == *'at most 9 paid turns'*'okstra-drive: there is no terminal to ask on; nothing was started'* ]]
    [[ $stderr == *$'\n''next: okstra drive '*' --yes' ]]
  done
  run -2 --separate-stderr env PATH="$(bare_path)" "$TREE/bin/okstra-run" external --max-rounds 99 "${TASK[@]}"
  [[ $stderr == *'not a number from 1 to 10: --max-rounds=99'* ]]
  run -0 --separate-stderr env PATH="$(bare_path)" "$TREE/bin/okstra-run" external --dry-run "${TASK[@]}"
  [[ $output == *'"status": "dry run"'* ]]
}

@test "agy on PATH selects nothing; tmux selects the run without a session (L-061, Z-004)" {
  bare=$(bare_path)
  ln -s "$CLIS/agy" "$bare/agy"
  run -2 env PATH="$bare" "$TREE/bin/okstra-run" "${TASK[@]}"
  ln -s "$CLIS/agy" "$bare/tmux"
  run -2 env PATH="$bare" "$TREE/bin/okstra-run" "${TASK[@]}"
  [[ $output == *'okstra-drive: there is no terminal to ask on'* ]]
}

@test "the lead's exit status is okstra run's, and --yes passes through (L-067, L-073)" {
  run -7 on_pty -- "$BASH" -p "$TREE/bin/okstra" run codex --yes "${TASK[@]}"
  read_words "$CLI_ARGV"
  [ "${words[*]:0:5}" = 'codex -s danger-full-access -m gpt-6-sol' ]
  run -2 on_pty -- "$BASH" -p "$TREE/bin/okstra" run codex --y "${TASK[@]}"
  [[ $output == *'unknown option: --y'* ]]
  run -2 alone "$BASH" -p "$TREE/bin/okstra" run codex --render-only
  [[ $output == *'okstra.sh: missing, and there is no terminal to ask on: --task-group='* ]]
}

@test "a launcher that is missing or cannot be started is named, exit 1 (L-067)" {
  tree=$BATS_TEST_TMPDIR/tree
  mkdir "$tree"
  cp -R "$TREE/bin" "$TREE/lib" "$TREE/VERSION" "$tree"
  chmod -x "$tree/bin/okstra.sh"
  run -1 "$tree/bin/okstra-run" claude "${TASK[@]}"
  [[ $output == *"the launcher cannot be started: $tree/bin/okstra.sh: Permission denied"* ]]
  rm "$tree/bin/okstra.sh"
  run -1 "$tree/bin/okstra-run" claude "${TASK[@]}"
  [[ $output == *'a file of okstra is missing: bin/okstra.sh'*'next: okstra install'* ]]
}
