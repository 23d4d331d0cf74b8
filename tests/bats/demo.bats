load test_helper

@test "the demo prepares a bundle, starts a lead with the argv of L-053, and leaves nothing" {
  export TMPDIR=$PWD
  run -0 "$TREE/tests/demo/run"
  [[ $output == *"KeyError: 'Silver'"* ]]
  [[ $output == *$'\n  1: \'-s\'\n  2: \'danger-full-access\'\n  3: \'-m\'\n'* ]]
  [[ $output == *$'\nyes: codex -s danger-full-access -m '* ]]
  # No place of this machine but the demo's own is shown.
  [[ ${output//$TMPDIR/} != *"$TREE"* ]]
  [ -z "$(ls -A "$TMPDIR")" ]
}

@test "the demo's last command goes on with what --keep kept" {
  run -0 "$TREE/tests/demo/run" --keep=kept
  [[ ${lines[${#lines[@]} - 1]} == OKSTRA_HOME=*bin/okstra.sh* ]]
  cd "$TREE"
  eval "${lines[${#lines[@]} - 1]} --render-only" >"$HOME/out"
  grep -q '^okstra current run dir: .*/kept/.*/runs/error-analysis$' "$HOME/out"
  run -2 "$TREE/tests/demo/run" --keep="$HOME/kept"
}

@test "the demo fails when the lead gets another argv" {
  cp -R "$TREE/bin" "$TREE/lib" "$TREE/prompts" "$TREE/validators" "$TREE/VERSION" .
  mkdir tests && cp -R "$TREE/tests/demo" "$TREE/tests/support" tests
  run -0 tests/demo/run
  sed 's/"danger-full-access"/"workspace-write"/' "$TREE/lib/python/okstra_ctl/providers/codex.py" \
    >lib/python/okstra_ctl/providers/codex.py
  run -1 tests/demo/run
  [[ $output == *'demo: the argv is not: codex -s danger-full-access -m <model> <prompt>'* ]]
}
