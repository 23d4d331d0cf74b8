# shellcheck shell=bash
# worker-exec.sh: one turn of a worker's CLI, supervised (Z-011a, D-100 to D-112, D-115, D-116). A wrapper in bin/
# sources command.sh, then this, defines `okstra_worker_words <model> [<extra>...]` (sets the array
# `words`), and calls `okstra_worker_exec <provider> <cli> "$@"`. Nothing here is Python: a wrapper
# costs a few milliseconds. The CLI writes straight into the transcript.

# shellcheck source=worker-processes.sh
. "$OKSTRA_ROOT/lib/okstra/worker-processes.sh"

OKSTRA_WORKER_HEARTBEAT=15   # seconds between two writes of the status
OKSTRA_WORKER_LOG=1073741824 # bytes of a transcript; who prints more is ended (XI-21)

# <provider> <cli> <work dir> <prompt> <model> [--idle=<s>] [--deadline=<s>] [-- <extra>...]
okstra_worker_exec() {
  worker_provider=$1 worker_cli=$2
  shift 2
  # shellcheck disable=SC2154 # self is the command file's
  okstra_help "$@" 3<<HELP
"""Run one turn of a worker, watch it, and keep its transcript and its status.

okstra starts this by itself: see okstra team.

Usage:
  ${self##*/} <work-dir> <prompt> <model> [--idle=<seconds>]
    [--deadline=<seconds>] [-- <argument>...]

Exit status: that of the CLI; 64 wrong arguments, 65 the prompt cannot be read,
66 it is empty, 67 no model, 68 no such CLI, 69 the transcript or the status
cannot be written, 71 no such folder, 124 silent or late.
"""
HELP
  okstra_worker_arguments "$@"
  okstra_worker_sidecars "$worker_prompt"
  okstra_worker_open || okstra_die 69 "the transcript cannot be written: $worker_log"
  worker_code='' worker_cause='' worker_state=running worker_pid='' worker_start='' worker_escaped=()
  worker_scratch=$worker_status.$$.tmp # of whoever runs: the wrapper, its watcher, the CLI to be
  worker_model_json='' worker_prompt_json='' worker_log_json=''
  okstra_worker_json worker_model_json "$worker_model"
  okstra_worker_json worker_prompt_json "$worker_prompt"
  okstra_worker_json worker_log_json "$worker_log"
  okstra_worker_now
  worker_began=$okstra_now
  okstra_worker_start $$
  worker_wrapper_start=$okstra_started
  # One for each signal; what runs in the background has none of them. From here on this process
  # expands no $(...): Bash 5.2 parses it anew each time, and a trap in the midst of that ends the
  # shell with a syntax error.
  for worker_signal in TERM HUP INT USR1 USR2 ALRM; do
    # shellcheck disable=SC2064 # the name of now
    trap "okstra_worker_signal $worker_signal" "$worker_signal"
  done
  okstra_worker_record || okstra_die 69 "the status cannot be written: $worker_status"
  okstra_worker_run
  exit "$worker_code"
}

okstra_worker_arguments() { # sets worker_{dir,prompt,model,idle,deadline,words}; each fault has its code
  (($# >= 3)) || okstra_die 64 'expected: <work dir> <prompt> <model> [--idle=<s>] [--deadline=<s>] [-- <argument>...]'
  worker_dir=$1 worker_prompt=$2 worker_model=$3
  worker_idle=${OKSTRA_WRAPPER_IDLE_SECONDS:-600} worker_deadline=0
  shift 3
  while (($#)); do
    case $1 in
      --idle=*) worker_idle=${1#*=} ;;
      --deadline=*) worker_deadline=${1#*=} ;;
      --) break ;;
      *) okstra_die 64 "unexpected: $1" ;;
    esac
    shift
  done
  [[ ${1-} != -- ]] || shift
  [[ $worker_idle =~ ^[0-9]{1,7}$ && $worker_deadline =~ ^[0-9]{1,7}$ ]] || okstra_die 64 \
    "not a number of seconds: $worker_idle, $worker_deadline"
  worker_idle=$((10#$worker_idle)) worker_deadline=$((10#$worker_deadline)) # 010 is ten
  [[ -d $worker_dir ]] || okstra_die 71 "not a folder: $worker_dir"
  [[ -f $worker_prompt && -r $worker_prompt ]] || okstra_die 65 "the prompt cannot be read: $worker_prompt"
  [[ -s $worker_prompt ]] || okstra_die 66 "the prompt is empty: $worker_prompt"
  [[ -n $worker_model ]] || okstra_die 67 'the model is empty; pass default for the default of the CLI'
  worker_program=$(type -P -- "$worker_cli") || okstra_die 68 "$worker_cli: command not found"
  [[ -f $worker_program && -x $worker_program ]] || okstra_die 68 "$worker_cli: not a program: $worker_program"
  [[ $worker_model != default ]] || worker_model=
  okstra_worker_words "$worker_model" "$@"
}

# The one place in the shell that knows a prompt's sidecars; Python's is dispatch/sidecars.py.
okstra_worker_sidecars() { # <prompt>; sets worker_log and worker_status
  worker_log=${1%.md}.log worker_status=${1%.md}.status.json
}

okstra_worker_open() { # makes the transcript, private from the beginning
  if [[ -e $worker_log ]]; then
    { : >>"$worker_log"; } 2>/dev/null && chmod 600 "$worker_log"
  else
    (umask 077 && : >>"$worker_log") 2>/dev/null
  fi
}

# A CLI never runs unrecorded and unwatched, whenever this process is killed (XF-05): before it becomes
# the CLI, its process waits for the watcher's sign, and writes itself down.
okstra_worker_run() {
  local group watchdog turns since=$SECONDS gate=$worker_status.$$.gate
  printf -- '--- okstra: %s started %s\n' "$worker_cli" "$worker_began" >>"$worker_log"
  set -m # allowed: each job gets a process group of its own
  (
    set +m # allowed: what it starts stays in its group
    worker_scratch=$worker_status.$$.own
    okstra_worker_name_self
    for ((turns = 1; ; turns++)); do # it is there in a moment: a program to wait with takes longer
      [[ ! -e $gate ]] || break
      ((turns % 100)) || okstra_worker_runs $$ || exit
      ((turns < 300)) || sleep 0.01
      ((SECONDS - since < OKSTRA_WORKER_GRACE)) || okstra_die 69 'its watcher does not come'
    done
    worker_scratch=$gate # it becomes the status
    okstra_worker_status || okstra_die 69 "the status cannot be written: $worker_status"
    # shellcheck disable=SC2154 # words is set by okstra_worker_words
    cd -- "$worker_dir" && exec "$worker_program" ${words[@]+"${words[@]}"}
  ) <"$worker_prompt" >>"$worker_log" 2>&1 &
  worker_pid=$! group=$!
  okstra_worker_start "$worker_pid"
  worker_start=$okstra_started
  [[ -z $worker_cause ]] || okstra_worker_end_group "$group" # asked to end before it had begun
  okstra_worker_watch $$ "$group" "$gate" </dev/null >/dev/null 2>&1 &
  watchdog=$!
  set +m # allowed: see above
  while :; do
    worker_code=0
    wait "$worker_pid" 2>/dev/null || worker_code=$?
    kill -0 "$worker_pid" 2>/dev/null || break # else a signal came in between
  done
  { kill -KILL -- "-$watchdog" && wait "$watchdog"; } 2>/dev/null || : # without a word on its end
  okstra_worker_end_group "$group" # what it left behind in its group
  okstra_worker_note_escaped $$ "$group" "$watchdog"
  okstra_worker_end_escaped
  [[ ! -e $gate ]] || rm -f "$gate"
  worker_state=completed
  ((worker_code == 0)) || worker_state=failed
  case $worker_cause in
    crashed) worker_state=failed worker_code=143 ;; # that of TERM
    idle-timeout | deadline) worker_state=timeout worker_code=124 ;;
    cancelled) worker_state=failed worker_code=$worker_cancelled ;;
  esac
  okstra_worker_record || :
}

# Writes the status in a child; once more, should a signal to the whole group have ended the first.
okstra_worker_record() {
  (trap '' TERM HUP INT && okstra_worker_status exec) || (trap '' TERM HUP INT && okstra_worker_status exec)
}

okstra_worker_signal() { # <name>; USR1, USR2 and ALRM come from the watcher
  case $1 in
    USR1) okstra_worker_stop idle-timeout ;;
    USR2) okstra_worker_stop deadline ;;
    ALRM) okstra_worker_stop crashed ;;
    HUP) worker_cancelled=129 && okstra_worker_stop cancelled ;;
    INT) worker_cancelled=130 && okstra_worker_stop cancelled ;;
    TERM) worker_cancelled=143 && okstra_worker_stop cancelled ;;
  esac
}

okstra_worker_stop() { # <cause>; the first one counts: a second comes while the first is at work
  [[ -z $worker_cause ]] || return 0
  worker_cause=$1
  [[ -z $worker_pid ]] || okstra_worker_end_group "$worker_pid"
}

# Beside the CLI: keeps the heartbeat, and asks the wrapper to stop a CLI that is silent or late.
# Without a wrapper to ask it ends the CLI itself: nothing is left behind (XF-05).
okstra_worker_watch() { # <pid of the wrapper> <group of the CLI> <file that says it is there>
  local size row self='' last=-1 silent=0 age=0 beat=0 tick=1 told=''
  set +m # allowed: what it starts stays in its group
  worker_scratch=$worker_status.$$.beat
  { IFS= read -r -d ' ' self </proc/self/stat; } 2>/dev/null || :
  { : >"$3"; } 2>/dev/null || kill -ALRM "$1" 2>/dev/null || :
  if ((worker_idle > 0 && worker_idle < 10 || worker_deadline > 0 && worker_deadline < 10)); then tick=0; fi
  while :; do
    if ((tick)); then sleep 1; else sleep 0.2; fi
    ((age += 1)) || :
    if ! okstra_worker_runs "$1"; then
      okstra_worker_family "$2" # what it still has; and what was seen of it before
      for row in ${worker_family[@]+"${worker_family[@]}"}; do
        [[ $row == *" $2" ]] || worker_escaped+=("$row")
      done
      okstra_worker_end_group "$2"
      okstra_worker_end_escaped
      worker_state=failed worker_code=137 worker_cause=crashed
      okstra_worker_status || :
      return
    fi
    size=$(exec wc -c <"$worker_log") || size=$last
    if ((size == last)); then ((silent += 1)) || :; else silent=0 last=$size; fi
    if [[ -n $told ]]; then
      : # once: Bash would nest the answer to a second
    elif ((size > OKSTRA_WORKER_LOG)); then
      told=yes
      printf -- '\n--- okstra: ended: its transcript has more than %s bytes\n' "$OKSTRA_WORKER_LOG" >>"$worker_log" || :
      kill -ALRM "$1" 2>/dev/null || :
    elif ((worker_idle > 0 && silent >= (tick ? worker_idle : worker_idle * 5))); then
      told=yes
      kill -USR1 "$1" 2>/dev/null || :
    elif ((worker_deadline > 0 && age >= (tick ? worker_deadline : worker_deadline * 5))); then
      told=yes
      kill -USR2 "$1" 2>/dev/null || :
    fi
    ((beat += 1)) || :
    if ((beat >= (tick ? OKSTRA_WORKER_HEARTBEAT : OKSTRA_WORKER_HEARTBEAT * 5))); then
      beat=0
      okstra_worker_note_escaped "$1" "$2" "$self"
      okstra_worker_status || :
    fi
  done
}

okstra_worker_now() { # sets okstra_now
  if ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] >= 402)); then
    TZ=UTC0 printf -v okstra_now '%(%Y-%m-%dT%H:%M:%SZ)T' -1 # allowed: Bash 4.2 knows it
  else
    okstra_now=$(date -u +%Y-%m-%dT%H:%M:%SZ)
  fi
}

# Each program that is started here costs as much as all the rest, and a dispatch waits for it.
okstra_worker_status() { # [exec]; writes the status sidecar whole (D-115); with the word, as its last act
  local ended=null code=null size=0 row escaped=''
  okstra_worker_now
  [[ ! -s $worker_log ]] || size=$(exec wc -c <"$worker_log") || size=0
  [[ $worker_state == running ]] || ended="\"$okstra_now\"" code=$worker_code
  for row in ${worker_escaped[@]+"${worker_escaped[@]}"}; do
    row=${row% *}
    escaped+="${escaped:+, }{\"pid\": ${row%% *}, \"processStartedAt\": \"${row#* }\"}"
  done
  {
    printf '{\n  "schemaVersion": 1,\n  "provider": "%s",\n  "model": "%s",\n  "promptPath": "%s",\n  "logPath": "%s",\n' \
      "$worker_provider" "$worker_model_json" "$worker_prompt_json" "$worker_log_json"
    printf '  "wrapperPid": %s,\n  "wrapperStartedAt": "%s",\n' "$$" "$worker_wrapper_start"
    printf '  "pid": %s,\n  "processStartedAt": "%s",\n  "processGroup": %s,\n' \
      "${worker_pid:-null}" "$worker_start" "${worker_pid:-null}"
    printf '  "status": "%s",\n  "startedAt": "%s",\n  "heartbeatAt": "%s",\n  "logBytes": %s,\n' \
      "$worker_state" "$worker_began" "$okstra_now" "$((size))"
    printf '  "endedAt": %s,\n  "exitCode": %s,\n  "reason": "%s",\n  "escaped": [%s]\n}\n' \
      "$ended" "$code" "$worker_cause" "$escaped"
  } >"$worker_scratch" 2>/dev/null && "$@" mv -f "$worker_scratch" "$worker_status"
}

okstra_worker_json() { # <name> <text>; sets the name to the text as it stands between the quotes of JSON
  local text=${2//\\/\\\\} quote='\"' newline='\n' tab='\t'
  text=${text//\"/$quote} text=${text//$'\n'/$newline}
  printf -v "$1" '%s' "${text//$'\t'/$tab}"
}
