# shellcheck shell=bash
# The real claude, started by okstra.sh in tmux (80 §6).
# shellcheck source=surroundings.sh
. "${BASH_SOURCE[0]%/*}/surroundings.sh"

lead() { # <tree> <task id>; one run in a pane
  TASK=$2
  rm -f made.txt "$PLACE/claude.argv"
  start_model claude-write.json
  start_pane "$1/bin/okstra.sh" --project-id=shop --task-group=checkout --task-id="$TASK" \
    --task-type=error-analysis --task-brief=brief.md --lead-runtime=claude-code --lead-model=sonnet
  # Claude draws Markdown: of a heading it shows no mark.
  check "$TASK: its screen shows the first line of the prompt" wait_for 40 pane_shows "okstra: shop:checkout:$TASK"
  check "$TASK: the turn ends" wait_for 40 pane_shows 'The file is written.'
  check "$TASK: the file is there" grep -qx 'made here' made.txt
  check "$TASK: the model got the whole prompt" prompt_arrived
}

leave() {
  pane_type /exit
  check "$TASK: /exit ends it with 0" wait_for 20 ended_with 0
}

argv_is() { # <words before the prompt, as a Python list over the manifest `m` and the prompt `p`>
  holds "(lambda p, m: argv(words[2]) == $1 + [p])(text(words[0]), read(words[1]))" \
    "$(run_file instruction-set/001/lead-execution-prompt.md)" \
    "$(run_file manifests/run-manifest-error-analysis-001.json)" "$PLACE/claude.argv"
}

new_place
claude_settings

lead "$TREE" first
check 'first: the argv is that of L-053' argv_is '["--model", "sonnet", "--session-id", m["leadSessionId"]]'
check 'first: the log bears the session id of the manifest' holds \
  'len([f for d, _, fs in os.walk(words[1]) for f in fs if f == read(words[0])["leadSessionId"] + ".jsonl"]) == 1' \
  "$(run_file manifests/run-manifest-error-analysis-001.json)" "$PLACE/claude/projects"
leave

probe >"$PLACE/probed"
own_tree
lead "$PLACE/tree" dashed
check 'dashed: with a record, -- stands before the prompt' argv_is \
  '["--model", "sonnet", "--session-id", m["leadSessionId"], "--"]'
leave

end_pane
end_model
check_no_process_left 10
finish
