# shellcheck shell=bash
# The real codex, started by okstra.sh in tmux (80 §9).
# shellcheck source=surroundings.sh
. "${BASH_SOURCE[0]%/*}/surroundings.sh"

lead() { # <tree> <task id> [<line of [features]>]; one run in a pane, its sandbox question answered
  TASK=$2
  rm -f made.txt "$PLACE/codex.argv"
  start_model codex-write.json
  codex_settings "${3-}"
  start_pane "$1/bin/okstra.sh" --project-id=shop --task-group=checkout --task-id="$TASK" \
    --task-type=error-analysis --task-brief=brief.md --lead-runtime=codex --lead-model=stub-model
  check "$TASK: okstra asks about the sandbox" wait_for 20 pane_shows '[y/N]'
  pane_type y
  check "$TASK: its screen shows the first line of the prompt" wait_for 40 pane_shows "okstra: shop:checkout:$TASK"
  check "$TASK: the turn ends" wait_for 40 pane_shows 'The file is written.'
  check "$TASK: the file is there" grep -qx 'made here' made.txt
  check "$TASK: the model got the whole prompt" prompt_arrived
  check "$TASK: the waiver stands in the manifest" holds \
    'read(words[0])["sandboxWaiver"]["grantedBy"] == "tty"' "$(run_file manifests/run-manifest-error-analysis-001.json)"
}

leave() {
  pane_type /quit
  check "$TASK: /quit ends it with 0" wait_for 20 ended_with 0
}

argv_is() { # <words before the prompt, as a Python list>
  holds "argv(words[1]) == $1 + [text(words[0])]" \
    "$(run_file instruction-set/001/lead-execution-prompt.md)" "$PLACE/codex.argv"
}

new_place
printf '#!/bin/bash\n' >"$PLACE/bin/only-on-path"
chmod +x "$PLACE/bin/only-on-path"

lead "$TREE" first 'daemon_auto_start = false'
check 'first: the argv is that of L-053' argv_is '["-s", "danger-full-access", "-m", "stub-model"]'
leave

probe >"$PLACE/probed"
own_tree
lead "$PLACE/tree" dashed
check 'dashed: with a record come the words that isolate the session, and --' argv_is \
  '["-s", "danger-full-access", "--no-daemon", "-c", "allow_login_shell=false", "-m", "stub-model", "--"]'
check 'dashed: its commands keep the PATH' grep -qxF "$PLACE/bin/only-on-path" made.txt
leave
check 'dashed: no daemon was set up' test ! -e "$PLACE/codex/app-server-daemon/daemon.pid"

end_pane
end_model
check_no_process_left 10
finish
