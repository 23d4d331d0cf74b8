# shellcheck shell=bash
# Inside a command of the real claude and of the real codex, okstra tells its host and its session
# (Z-098, 80 §10).
# shellcheck source=surroundings.sh
. "${BASH_SOURCE[0]%/*}/surroundings.sh"

# The command that the scripted model has run: prepare with the runtime left open.
command_file() { # <task id>
  TASK=$1
  rm -f "$PLACE/printed" "$PLACE/ids"
  cat >"$PLACE/command.sh" <<SH
printf '%s\n' "\${CLAUDE_CODE_SESSION_ID-}" "\${CODEX_THREAD_ID-}" >'$PLACE/ids'
'$TREE/bin/okstra' render-bundle --project-id=shop --task-group=checkout --task-id=$TASK \\
  --task-type=error-analysis --task-brief=brief.md --lead-runtime=auto >'$PLACE/printed' 2>&1
SH
}

told() { # <runtime> <session id>
  holds '[(m["leadRuntime"], m["leadRuntimeRequest"], m["runtimeResolution"]["reason"], m["leadSessionId"])
    for m in [read(words[0])]] == [(words[1], "auto", "host-session", words[2])]' \
    "$(run_file manifests/run-manifest-error-analysis-001.json)" "$1" "$2"
}

new_place
claude_settings
id=11111111-2222-4333-8444-555555555555

command_file in-claude
start_model claude-command.json
printf 'Run it.\n' | sealed claude -p --model sonnet --session-id "$id" --allowedTools=Bash >"$PLACE/said" 2>&1 || :
check 'claude ran the command, which has its session id' grep -qx "$id" "$PLACE/ids"
check 'in claude: the manifest names claude-code and that session' told claude-code "$id"

command_file in-codex
start_model codex-command.json
codex_settings 'daemon_auto_start = false'
printf 'Run it.\n' | sealed codex exec --json -m stub-model -s danger-full-access - >"$PLACE/events" 2>"$PLACE/said" || :
thread=$(sed -n 's/.*"thread.started","thread_id":"\([^"]*\)".*/\1/p' "$PLACE/events")
check 'codex ran the command, which has its thread id' grep -qx "${thread:-none}" "$PLACE/ids"
check 'in codex: the manifest names codex and that thread' told codex "$thread"

# Codex runs claude, which runs the command: its variables tell of both, its parents of the nearest.
command_file in-both
start_model both-command.json
codex_settings 'daemon_auto_start = false'
id=11111111-2222-4333-8444-666666666666
cat >"$PLACE/nested.sh" <<SH
printf 'Run the inner one.\n' | claude -p --model sonnet --session-id $id --allowedTools=Bash
SH
printf 'Run it.\n' | sealed codex exec --json -m stub-model -s danger-full-access \
  -c allow_login_shell=false - >"$PLACE/events" 2>"$PLACE/said" || :
thread=$(sed -n 's/.*"thread.started","thread_id":"\([^"]*\)".*/\1/p' "$PLACE/events")
check 'claude in codex ran the command, which sees both ids' holds \
  'text(words[0]).split() == words[1:]' "$PLACE/ids" "$id" "$thread"
check 'in claude in codex: the manifest names claude-code and its session' told claude-code "$id"

end_model
check_no_process_left 10
finish
