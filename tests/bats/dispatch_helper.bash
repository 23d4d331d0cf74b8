# shellcheck shell=bash
# shellcheck disable=SC2153,SC2154 # TREE and output come from others
# A prepared run in ./빈 shop, scripted CLIs on the PATH, and what a lead writes before a dispatch.
# Loaded after `test_helper`.

dispatch_setup() { # [<word of prepare>...]
  unset "${!OKSTRA_DEFAULT_@}" "${!CMUX_@}" OKSTRA_LANG OKSTRA_RUNTIME_HOST TMUX TMUX_PANE
  unset CLAUDECODE CLAUDE_CODE_SESSION_ID CODEX_THREAD_ID CODEX_SESSION_ID OKSTRA_WRAPPER_IDLE_SECONDS
  export PATH="$TREE/tests/rehearsal/bin:$PATH" OKSTRA_PYTHON
  mkdir -p "$HOME/rehearsal" '빈 shop'
  cd '빈 shop' || return
  PROJECT=$PWD
  git init -q
  printf 'def pay(cart):\n    return cart[1]\n' >shop.py
  printf '# Checkout fails\n\nKeyError\n\n## Expected\n\nIt is 3.\n' >brief.md
  git add .
  git -c user.name=a -c user.email=a@b.c commit -qm first
  prepare_run "${@:---lead-runtime=antigravity}" --workers=claude,codex,grok --role-count=analyser=3
  RUN=.okstra/tasks/checkout/dev-1/runs/error-analysis
  MANIFEST=$RUN/manifests/run-manifest-error-analysis-001.json
  STATE=$RUN/state/team-state-error-analysis-001.json
}

prepare_run() { # <word of prepare>...
  okstra render-bundle --project-id=shop --task-group=checkout --task-id=DEV-1 --render-only \
    --task-type=error-analysis --task-brief=brief.md "$@" >/dev/null 2>&1
}

# No process of a stand-in, nor any recorded one, is left; however a test ended.
dispatch_teardown() {
  cd "$PROJECT" || return
  team teardown >/dev/null 2>&1 || :
  no_process_left
}

team() { # <verb> [<word>...]
  okstra team "$1" --project-root="$PROJECT" --run-manifest="$MANIFEST" "${@:2}"
}

scenario() { # <kind, or worker and kind> <name>
  printf '%s\n' "$2" >"$HOME/rehearsal/$1"
}

prompt() { # <worker> <kind> <file>
  local box=$PROJECT/$RUN/outbox/$1-$2-001
  mkdir -p "${3%/*}"
  cat >"$3" <<MD
# What to do

**Worker:** $1
**Project Root:** $PROJECT
**Result Path:** $box/result.md
**Audit Path:** $box/audit.md
**Errors log path:** $box/errors.json
**Task Key:** shop:checkout:DEV-1
**Task Type:** error-analysis
**Seq:** 001
**Dispatch Kind:** $2
MD
}

prompts() { # <worker>...; of the first round
  local worker
  for worker; do prompt "$worker" initial "$RUN/prompts/$worker-error-analysis-001.md"; done
}

jobs_file() { # <kind> <worker>...; prints its path; the prompts are written, too
  local kind=$1 worker file results=$RUN/worker-results rows=''
  shift
  for worker; do
    file=$RUN/prompts/$worker-$kind-error-analysis-001.md
    prompt "$worker" "$kind" "$file"
    rows+="${rows:+,}{\"workerId\":\"$worker\",\"provider\":\"${worker%-analyser}\",\"role\":\"analyser\",
      \"modelExecutionValue\":\"$(model_of "$worker")\",\"promptPath\":\"$file\",
      \"resultPath\":\"$results/$worker-$kind-001.md\",\"workerResultPath\":\"$results/$worker-audit-$kind-001.md\",
      \"completionPaths\":[\"$results/$worker-$kind-001.md\",\"$results/$worker-audit-$kind-001.md\"]}"
  done
  printf '{"schemaVersion":1,"dispatchKind":"%s","jobs":[%s]}\n' "$kind" "$rows" >"$RUN/state/jobs-$kind.json"
  printf '%s' "$RUN/state/jobs-$kind.json"
}

model_of() { # <worker>
  state_of "next(w['modelExecutionValue'] for w in it['workers'] if w['workerId'] == '$1')"
}

state_of() { # <expression>; of the team state, named `it`
  "$OKSTRA_PYTHON" -IS -c 'import json, sys; it = json.load(open(sys.argv[1])); print(eval(sys.argv[2]))' "$STATE" "$1"
}

dispatches() { # a line for each: kind, provider, status, reason, exit code, marks; sorted
  state_of "'\n'.join(sorted(' '.join([d['dispatchKind'], d['provider'], d['status'], d['reason'] or '-', str(d['exitCode'])]
    + ['reset'] * bool(d['resetAt']) + ['mismatch'] * d['modelMismatch']) for d in it['workerDispatches']))"
}

recorded_alive() { # those of the recorded processes that live, by pid and start time
  "$OKSTRA_PYTHON" -IS -c 'import json, os, sys
sys.path.insert(0, sys.argv[1])
from okstra_kernel import processes
noted = [line.rstrip().partition(" ") for line in open(sys.argv[3])] if os.path.exists(sys.argv[3]) else []
alive = [int(pid) for pid, _, start in noted if processes.is_alive(int(pid), start)]
for folder, _, names in os.walk(sys.argv[2]):
    for name in names:
        if name.endswith(".status.json"):
            s = json.load(open(os.path.join(folder, name)))
            for pid, start in ((s["pid"], s["processStartedAt"]), (s["wrapperPid"], s["wrapperStartedAt"])):
                if pid and processes.is_alive(pid, start):
                    alive.append(pid)
print(*alive)' "$TREE/lib/python" "$PROJECT/$RUN/prompts" "$HOME/rehearsal/pids"
}

no_process_left() { # within three seconds
  local end=$((SECONDS + 3))
  while ((SECONDS < end)); do
    [[ -n $(recorded_alive) ]] || return 0
    sleep 0.2
  done
  echo "alive: $(recorded_alive)"
  return 1
}
