# shellcheck shell=bash
# The real claude and codex as workers: started by `okstra codex-dispatch`, `okstra team` and okstra's
# own wrappers, with the least rights of their role; how each of their turns can end, and which
# reason okstra gives it (D-076, Z-014, Z-016, Z-092, Z-093).
# shellcheck source=../bats/dispatch_helper.bash
. "${BASH_SOURCE[0]%/*}/../bats/dispatch_helper.bash" # prompts, jobs files, the records
# shellcheck source=surroundings.sh
. "${BASH_SOURCE[0]%/*}/surroundings.sh"

# Claude as with a subscription, whose limits have an end. Each CLI asks once more before it gives up.
# Codex tells an end by the clock of its zone.
worker_env() { # <command> [<argument>...]
  sealed env -u ANTHROPIC_AUTH_TOKEN CLAUDE_CODE_OAUTH_TOKEN=no-credential CLAUDE_CODE_MAX_RETRIES=1 \
    TZ=Asia/Seoul OKSTRA_WRAPPER_IDLE_SECONDS="${IDLE-60}" "$@"
}

okstra() {
  worker_env "$TREE/bin/okstra" "$@"
}

prepare() {
  okstra render-bundle --project-id=shop --task-group=checkout --task-id=DEV-1 --render-only \
    --task-type=error-analysis --task-brief=brief.md --lead-runtime=codex --workers=claude,codex \
    --role-count=analyser=2 --role-model=analyser=claude/sonnet --role-model=analyser=codex/gpt-5.5 >"$PLACE/prepared" 2>&1
  RUN=.okstra/tasks/checkout/dev-1/runs/error-analysis
  # shellcheck disable=SC2034 # the helper reads both
  MANIFEST=$RUN/manifests/run-manifest-error-analysis-001.json STATE=$RUN/state/team-state-error-analysis-001.json
}

# The model's words, with a limit that ends in two hours.
start_service() {
  local answer patch audit
  RESET=$(($(date +%s) + 7200))
  answer=$(sed 's/@provider/claude/; s/@model/sonnet/' "$HERE/replies/answer.md")$'\n'
  audit=$(sed "s/@sha256/$("$OKSTRA_PYTHON" -IS -c 'import hashlib
print(hashlib.sha256(open("brief.md", "rb").read()).hexdigest()[:12])')/" "$HERE/replies/audit.md")
  patch='*** Begin Patch'$'\n''*** Add File: <<Result Path>>'$'\n'
  patch+=$(sed 's/@provider/codex/; s/@model/gpt-5.5/; s/^/+/' "$HERE/replies/answer.md")
  patch+=$'\n''*** Add File: <<Audit Path>>'$'\n'$(printf '%s\n' "$audit" | sed 's/^/+/')$'\n''*** End Patch'$'\n'
  start_model workers.json "RESET=$RESET" "ANSWER=$answer" "PATCH=$patch" "AUDIT=$audit"$'\n'
  codex_worker_settings
  sed -i.bak 's/^request_max_retries = 0/request_max_retries = 1/' "$PLACE/codex/config.toml"
}

dispatch() { # <kind>; of both, a few at a time
  team dispatch --max-parallel=4 --jobs-file="$(jobs_file "$1" claude-analyser codex-analyser)" >>"$PLACE/dispatched" 2>&1
}

record() { # <cli> <kind> <expression over the newest record, `d`>
  state_of "(lambda d: $3)([d for d in it['workerDispatches']
    if (d['provider'], d['dispatchKind']) == ('$1', '$2')][-1])"
}

# One row: what the record of this dispatch says; kept for the table.
row() { # <cli> <kind> <ending, in words> <status> <reason> <exit code> [<mark>]
  local found
  found=$(record "$1" "$2" "' '.join([d['status'], d['reason'] or '-', str(d['exitCode'])] + ['mismatch'] * d['modelMismatch'])")
  check "$1 worker: $3 -> ${5/#-/completed}${7:+, $7}" test "$found" = "${*:4}"
  [[ $found == "${*:4}" ]] || printf '# it is: %s %s\n' "$found" "$(record "$1" "$2" "d['detail']")"
  ROWS+=("$(record "$1" "$2" "'%-7s %-28s %-18s %5s  %-20s %s' % ('$1', '$3', d['reason'] or d['status'],
    d['exitCode'], d['resetAt'] or '-', d['modelUsed'] or '-')")")
}

asked() { # <kind> <number>; so many requests of this dispatch, of both services
  holds '[sum(r["path"].endswith(p) and "Kind:** " + words[1] in json.dumps(r["body"]) for r in rows(words[0]))
    for p in ("/messages", "/responses")] == [int(words[2])] * 2' "$PLACE/requests.jsonl" "$1" "$2"
}

published() { # <cli> <kind>; a sound result under its published name, and its audit
  local results=$RUN/worker-results
  okstra worker-result check "$results/$1-analyser-$2.md" && [[ -s $results/$1-analyser-audit-$2.md ]]
}

# Sends a signal to what a status file recorded, if it still is that process (Z-011).
signal() { # <name> <wrapper or CLI> <cli> <kind>
  "$OKSTRA_PYTHON" -IS -c 'import json, os, signal, sys
sys.path.insert(0, sys.argv[1])
from okstra_kernel import processes
s = json.load(open(sys.argv[4]))
names = ("wrapperPid", "wrapperStartedAt") if sys.argv[3] == "wrapper" else ("pid", "processStartedAt")
pid, start = (s[n] for n in names)
sys.exit(not processes.is_alive(pid, start) or os.kill(pid, getattr(signal, "SIG" + sys.argv[2])))' \
    "$TREE/lib/python" "$1" "$2" "$RUN/prompts/$3-analyser-$4-error-analysis-001.status.json"
}

none_recorded_alive() { [[ -z $(recorded_alive) ]]; }

wrapper() { # <cli> <kind>; by hand, as okstra starts it; sets CODE
  local box=$PROJECT/$RUN/outbox/$1-analyser-$2-001 file=$RUN/prompts/$1-analyser-$2-error-analysis-001.md words
  prompt "$1-analyser" "$2" "$file"
  mkdir -p "$box"
  words=(sonnet -- "--allowedTools=Edit(/$box/**)")
  [[ $1 == claude ]] || words=(gpt-5.5 -- -s workspace-write -C "$box" --skip-git-repo-check)
  CODE=0
  worker_env "$TREE/bin/okstra-$1-exec.sh" "$PROJECT" "$PROJECT/$file" "${words[@]}" || CODE=$?
}

wrapper_ended() { # <cli> <kind> <status> <exit code>; and its status file says the same
  [[ $CODE == "$4" ]] && holds '[read(words[0])[n] for n in ("status", "exitCode")] == [words[1], int(words[2])]' \
    "$RUN/prompts/$1-analyser-$2-error-analysis-001.status.json" "$3" "$4"
}

new_place
claude_settings
ROWS=()
start_service
prepare

prompts claude-analyser # codex leads: its own analyser stays with it
check 'okstra codex-dispatch ends with 0' okstra codex-dispatch --project-root="$PROJECT" --run-manifest="$MANIFEST" --json
row claude initial 'first round' completed - 0
check 'claude worker: result and audit are published' published claude error-analysis-001

for kind in wrote other-model denied shell-denied http-401 http-429 limit http-500 http-529 cut; do dispatch "$kind"; done
status=0
team await >"$PLACE/awaited" 2>&1 || status=$?
check 'okstra team await ends with 1: some failed' test "$status" = 1
for cli in claude codex; do
  row "$cli" wrote 'files by a tool call' completed - 0
  check "$cli worker: what it wrote is published" published "$cli" wrote-001
  row "$cli" other-model 'another model answers' completed - 0 mismatch
  row "$cli" denied 'a file it may not write' error permission-blocked 0
  case $cli in # of a command that its sandbox stops, codex says nothing (80 §7)
    claude) row "$cli" shell-denied 'a command it may not run' error permission-blocked 0 ;;
    codex) row "$cli" shell-denied 'a command it may not run' error missing-result 0 ;;
  esac
  row "$cli" http-401 401 error auth-required 1
  row "$cli" http-429 '429, no end told' error rate-limited 1
  row "$cli" limit '429, a limit with an end' held quota-exhausted 1
  row "$cli" http-500 500 error crashed 1
  row "$cli" http-529 529 error rate-limited 1
  case $cli in # claude asks again, without a stream
    claude) row "$cli" cut 'the stream is cut' completed - 0 ;;
    codex) row "$cli" cut 'the stream is cut' error crashed 1 ;;
  esac
  # Codex tells the minute: the end of it is meant.
  check "$cli worker: held until the limit ends" holds '0 <= int(words[0]) - int(words[1]) <= 60' \
    "$(record "$cli" limit '__import__("calendar").timegm(__import__("time").strptime(d["resetAt"], "%Y-%m-%dT%H:%M:%SZ"))')" "$RESET"
done
check 'both asked once more after a 500' asked http-500 2
check 'what was denied was not written' test ! -e made.txt

for kind in terminated interrupted killed; do
  dispatch "$kind"
  check "$kind: both turns run" wait_for 20 asked "$kind" 1
  for cli in claude codex; do
    case $kind in
      terminated) signal TERM wrapper "$cli" "$kind" ;;
      interrupted) signal INT cli "$cli" "$kind" ;;
      killed) signal KILL cli "$cli" "$kind" ;;
    esac
  done
  team await >"$PLACE/awaited" 2>&1 || :
  check "$kind: no recorded process lives" none_recorded_alive
  check "$kind: nothing that they started lives" no_process_left
done
for cli in claude codex; do
  row "$cli" terminated 'TERM to the wrapper' error cancelled 143
  row "$cli" interrupted 'INT to the CLI' error crashed "$([[ $cli == claude ]] && echo 0 || echo 1)"
  row "$cli" killed 'KILL to the CLI' error crashed 137
done

IDLE=3
dispatch silent
team await >"$PLACE/awaited" 2>&1 || :
unset IDLE
for cli in claude codex; do row "$cli" silent 'the service says nothing' timeout idle-timeout 124; done
check 'silent: nothing that they started lives' no_process_left

# Their limit has ended: await starts the held ones again, and now they are served.
"$OKSTRA_PYTHON" -IS -c 'import pathlib, re, sys
p = pathlib.Path(sys.argv[1]); p.write_text(re.sub(r"(\"resetAt\": \")\d{4}", r"\g<1>2020", p.read_text()))' "$STATE"
team await >"$PLACE/awaited" 2>&1 || :
for cli in claude codex; do row "$cli" limit 'the limit has ended' completed - 0; done

for cli in claude codex; do
  wrapper "$cli" by-hand
  check "$cli wrapper: 0, and the files are in the outbox" wrapper_ended "$cli" by-hand completed 0
  check "$cli wrapper: it published nothing itself" test -s "$RUN/outbox/$cli-analyser-by-hand-001/audit.md" -a \
    ! -e "$RUN/worker-results/$cli-analyser-by-hand-001.md"
  wrapper "$cli" http-401
  check "$cli wrapper: 401 -> 1, the CLI's own" wrapper_ended "$cli" http-401 failed 1
done

end_model
check_no_process_left 10
printf '#\n# %-7s %-28s %-18s %5s  %-20s %s\n' cli ending reason exit 'held until' 'model told'
printf '# %s\n' "${ROWS[@]}"
finish
