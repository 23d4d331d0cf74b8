# shellcheck shell=bash
# surroundings.sh: what each file here works in: a place of its own, the scripted model service, a
# terminal in tmux, and checks that are counted by their lines. `run` starts the files.
set -euo pipefail
unset CDPATH
HERE=$(cd -P -- "${BASH_SOURCE[0]%/*}" && printf '%s' "$PWD")
TREE=$(cd -P -- "$HERE/../.." && printf '%s' "$PWD")
: "${OKSTRA_PYTHON:=$TREE/venv/bin/python3}"
: "${REAL_CLI_DIR:=${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/okstra-real-clis}"
FAILED=0 SERVER=''

skip() { # <reason>; the rest of the file
  printf 'skip    %s\n' "$1"
  exit 77
}

# Installs the pinned package into the cache unless it is there; says on stdout why not, and fails.
have_cli() { # <name> <package@version>
  local dir=$REAL_CLI_DIR/$1
  if [[ ! -x $dir/node_modules/.bin/$1 || $(cat "$dir/.package" 2>/dev/null) != "$2" ]]; then
    command -v npm >/dev/null || { printf '%s' "npm is not here, so $2 cannot be installed"; return 1; }
    mkdir -p "$dir"
    npm install --prefix "$dir" --no-audit --no-fund --loglevel error "$2" >&2 ||
      { printf '%s' "npm could not install $2"; return 1; }
    printf '%s\n' "$2" >"$dir/.package"
  fi
  HOME="$dir/.home" "$dir/node_modules/.bin/$1" --version >/dev/null 2>&1 ||
    { printf '%s' "$1 of $2 does not start here"; return 1; }
}

# Makes the place: sealed homes, a project in a folder with a space and a Korean letter, and a
# `claude` and `codex` that note their argv before they become the real ones.
new_place() {
  local name
  PLACE=$(mktemp -d "${TMPDIR:-/tmp}/okstra-real.XXXXXX")
  PLACE=$(cd -P -- "$PLACE" && printf '%s' "$PWD")
  trap leave_place EXIT
  PROJECT="$PLACE/실제 shop"
  mkdir "$PLACE/빈 home" "$PLACE/tmp" "$PLACE/bin" "$PLACE/claude" "$PLACE/codex" "$PROJECT"
  for name in claude codex; do
    # shellcheck disable=SC2016 # the written script expands
    printf '#!/bin/bash -p\nprintf "%%s\\0" "$@" >%q\nexec %q "$@"\n' "$PLACE/$name.argv" \
      "$REAL_CLI_DIR/$name/node_modules/.bin/$name" >"$PLACE/bin/$name"
    chmod +x "$PLACE/bin/$name"
  done
  export OKSTRA_HOME="$PLACE/okstra"
  cd -- "$PROJECT"
  printf '# Receipts fail\n\nKeyError: Silver, in discount.py.\n' >brief.md
  sealed git init -q .
  sealed git -c user.name=t -c user.email=t@localhost commit -q --allow-empty -m first
}

# The only environment that any program here gets. It is also how their processes are found again.
sealed() { # <command> [<argument>...]
  env -i HOME="$PLACE/빈 home" TMPDIR="$PLACE/tmp" PATH="$PLACE/bin:$PATH" TERM=xterm-256color \
    LC_ALL=C.UTF-8 OKSTRA_PYTHON="$OKSTRA_PYTHON" OKSTRA_HOME="$OKSTRA_HOME" REAL_CLI_PLACE="$PLACE" \
    GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null \
    CLAUDE_CONFIG_DIR="$PLACE/claude" CLAUDE_CODE_TMPDIR="$PLACE/tmp" CLAUDE_CODE_MAX_RETRIES=0 \
    ANTHROPIC_BASE_URL="http://127.0.0.1:${PORT-}" ANTHROPIC_AUTH_TOKEN=no-credential \
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1 DISABLE_AUTOUPDATER=1 DISABLE_TELEMETRY=1 \
    CODEX_HOME="$PLACE/codex" STUB_API_KEY=no-credential "$@"
}

leave_place() {
  local pid
  end_pane
  end_model
  # What the marker tells is ours alone; `check_no_process_left` has told of it before.
  for pid in $(processes_left); do kill -9 "$pid" 2>/dev/null || :; done
  if [[ -n ${KEEP-} ]]; then printf '# kept: %s\n' "$PLACE"; else remove_place; fi
}

remove_place() { # a client that was just ended may still write
  rm -rf -- "$PLACE" 2>/dev/null || { sleep 1 && rm -rf -- "$PLACE"; }
}

# Starts the scripted service with these replies and a fresh log of requests; sets PORT.
start_model() { # <file in replies/> [<NAME=VALUE>...]
  local replies=$HERE/replies/$1 pair variables=()
  shift
  for pair in "PROJECT=$PROJECT" "PLACE=$PLACE" "$@"; do variables+=("--var=$pair"); done
  end_model
  rm -f -- "$PLACE/port" "$PLACE/requests.jsonl"
  "$OKSTRA_PYTHON" -E -s "$HERE/model_server.py" --script="$replies" --log="$PLACE/requests.jsonl" \
    --port-file="$PLACE/port" "${variables[@]}" >/dev/null &
  SERVER=$!
  wait_for 10 test -s "$PLACE/port"
  PORT=$(<"$PLACE/port")
}

end_model() {
  [[ -n $SERVER ]] || return 0
  kill "$SERVER" 2>/dev/null || :
  wait "$SERVER" 2>/dev/null || :
  SERVER=
}

wait_for() { # <seconds> <command>...; until it succeeds
  local left=$(($1 * 10))
  shift
  while ! "$@" >/dev/null 2>&1; do
    ((left > 0)) || return 1
    left=$((left - 1))
    sleep 0.1
  done
}

check() { # <text> <command>...
  local text=$1
  shift
  if "$@" >/dev/null 2>&1; then
    printf 'ok      %s\n' "$text"
  else
    FAILED=$((FAILED + 1))
    printf 'not ok  %s\n' "$text"
    if pane_screen >"$PLACE/screen" 2>/dev/null; then sed '/^ *$/d; s/^/# /' "$PLACE/screen"; fi
  fi
}

# Whether a Python expression holds; `words` are the arguments, `read` and `rows` read a file of JSON.
holds() { # <expression> [<argument>...]
  "$OKSTRA_PYTHON" -I -c '
import json, os, sys
def read(path): return json.load(open(path, encoding="utf-8"))
def rows(path): return [json.loads(x) for x in open(path, encoding="utf-8") if x.startswith("{")]
def argv(path): return open(path, encoding="utf-8").read().split("\0")[:-1]
def text(path): return open(path, encoding="utf-8", newline="").read()
words = sys.argv[2:]
sys.exit(not eval(sys.argv[1]))' "$@"
}

run_file() { # <kind of file> <folder>; of run 001 of the task
  printf '%s' "$PROJECT/.okstra/tasks/checkout/$TASK/runs/error-analysis/$1"
}

# The lead's prompt must have reached the model as it stands in the bundle.
prompt_arrived() {
  holds 'any(text(words[0]).strip() in x for r in rows(words[1]) for x in
    [p.get("text", "") for m in (r["body"].get("messages") or r["body"].get("input") or [])
     if m.get("role") == "user" and isinstance(m["content"], list) for p in m["content"]]
    + [m["content"] for m in (r["body"].get("messages") or r["body"].get("input") or [])
       if isinstance(m.get("content"), str)])' \
    "$(run_file instruction-set/001/lead-execution-prompt.md)" "$PLACE/requests.jsonl"
}

# Keeps the record of what these CLIs can do, as `okstra install --probe` does, and prints a sentence each.
probe() {
  sealed "$OKSTRA_PYTHON" -I -c 'import sys
sys.path.insert(0, sys.argv[1])
from okstra_ctl.providers.capabilities_process import probe_and_store
sys.stdout.write("\n".join(probe_and_store(sys.argv[2])) + "\n")' "$TREE/lib/python" "$OKSTRA_HOME"
}

own_tree() { # a copy in $PLACE/tree, whose launch prompt begins like an option
  mkdir "$PLACE/tree"
  cp -R "$TREE/bin" "$TREE/lib" "$TREE/prompts" "$TREE/validators" "$TREE/VERSION" "$PLACE/tree"
  { printf -- '---\n\n' && cat "$TREE/prompts/launch.template.md"; } >"$PLACE/tree/prompts/launch.template.md"
}

# Starts a command in a pane of its own tmux; the pane stays when the command ends. Its status goes
# into a file: tmux now and then knows that a pane is dead, but not the status.
start_pane() { # <command> [<argument>...]
  end_pane
  rm -f -- "$PLACE/ended"
  # shellcheck disable=SC2016 # the inner shell expands
  sealed tmux -S "$PLACE/tmux" -f /dev/null start-server \; set-option -g remain-on-exit on \; \
    new-session -d -x 150 -y 120 -s lead -c "$PROJECT" \
    /bin/bash -pc '"$@"; printf "%s\n" "$?" >"$REAL_CLI_PLACE/ended"' - "$@"
}

ended_with() { # <status>
  grep -qx -- "$1" "$PLACE/ended"
}

end_pane() {
  [[ ! -S $PLACE/tmux ]] || tmux -S "$PLACE/tmux" kill-server 2>/dev/null || :
  rm -f -- "$PLACE/tmux"
}

pane_screen() { tmux -S "$PLACE/tmux" capture-pane -p -t lead; }
pane_shows() { [[ $(pane_screen) == *"$1"* ]]; }
pane_type() { # <text>; then Enter, once the screen has taken it in
  tmux -S "$PLACE/tmux" send-keys -t lead -l -- "$1"
  sleep 1
  tmux -S "$PLACE/tmux" send-keys -t lead Enter
}

processes_left() { # the ids of the processes that were started in this place, this shell's apart
  local file pid
  for file in /proc/[0-9]*/environ; do
    pid=${file#/proc/} pid=${pid%/environ}
    if { tr '\0' '\n' <"$file"; } 2>/dev/null | grep -qxF "REAL_CLI_PLACE=$PLACE"; then
      printf '%s\n' "$pid"
    fi
  done
}

no_process_left() { [[ -z $(processes_left) ]]; }

check_no_process_left() { # <seconds to end in>
  if [[ -e /proc/self/environ ]]; then
    check 'no process is left' wait_for "$1" no_process_left
  else
    printf 'skip    no process is left: there is no /proc to look into\n'
  fi
}

# Codex's own settings: the scripted service, no update, nothing that leaves loopback (80 §7, §9).
codex_settings() { # [<line of [features]>]
  cat >"$PLACE/codex/config.toml" <<TOML
model_provider = "stub"
check_for_update_on_startup = false

[model_providers.stub]
name = "stub"
base_url = "http://127.0.0.1:$PORT/v1"
env_key = "STUB_API_KEY"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0

[analytics]
enabled = false

[features]
plugins = false
${1-}

[projects."$PROJECT"]
trust_level = "trusted"
TOML
}

codex_worker_settings() {
  codex_settings 'daemon_auto_start = false'
  # The place lies in the temporary folder, which this sandbox else leaves open.
  printf '[sandbox_workspace_write]\nexclude_slash_tmp = true\n' >>"$PLACE/codex/config.toml"
}

# Claude's: its onboarding, which asks the internet, and the folder's trust are answered (80 §6).
claude_settings() {
  printf '{"hasCompletedOnboarding": true, "projects": {"%s": {"hasTrustDialogAccepted": true}}}\n' \
    "$PROJECT" >"$PLACE/claude/.claude.json"
}

finish() { ((FAILED == 0)) || exit 1; }
