# shellcheck disable=SC2154 # output and stderr are set by run
load test_helper
load dispatch_helper

eval "$(declare -f setup | sed '1s/setup/seal/')" # the common one
setup() {
  seal && dispatch_setup --lead-runtime=codex
}

teardown() {
  dispatch_teardown
}

dispatch() { # [<word>...]
  okstra codex-dispatch --project-root="$PROJECT" --run-manifest="$MANIFEST" "$@"
}

@test "the CLI workers of a Codex run are started and awaited; its own stay with it (D-042, D-084)" {
  prompts claude-analyser grok-analyser
  scenario grok-analyser-initial none
  run -1 --separate-stderr dispatch
  [ "$(dispatches)" = $'initial claude completed - 0\ninitial grok error missing-result 0' ]
  run -2 dispatch --workers=codex-analyser
  [[ $output == *'this worker cannot be dispatched: codex-analyser'* ]]
}

@test "another lead's run and retired flags are refused (D-086)" {
  "$OKSTRA_PYTHON" -c 'import pathlib, sys; p = pathlib.Path(sys.argv[1]); p.write_text(p.read_text().replace("\"leadRuntime\": \"codex\"", "\"leadRuntime\": \"antigravity\""))' "$MANIFEST"
  run -2 dispatch
  [[ $output == 'okstra-codex-dispatch: this run is led by antigravity, not by codex'* ]]
  run -2 dispatch --enable-codex-report-writer
  [[ $output == *"the report writer's assignment in the manifest"* ]]
}
