# shellcheck shell=bash
# worker-processes.sh: the processes of a worker's turn: who they are, who still runs, how they are ended
# (Z-011). Sourced by worker-exec.sh, whose variables it uses. Builtins only where /proc is: a turn ends
# without starting a program for it.
# shellcheck disable=SC2154 # worker_status, worker_log, worker_scratch are worker-exec.sh's

OKSTRA_WORKER_GRACE=10 # seconds between TERM and KILL

okstra_worker_end_group() { # <group>; TERM, then KILL after a grace, until none is left
  local n
  okstra_worker_start "$1" # its number may be another's by now (XT-05)
  [[ -z $okstra_started || -z $worker_start || $okstra_started == "$worker_start" ]] || return 0
  kill -TERM -- "-$1" 2>/dev/null || return 0
  for ((n = 0; n < OKSTRA_WORKER_GRACE * 10; n++)); do
    okstra_worker_group_runs "$1" || return 0
    sleep 0.1
  done
  kill -KILL -- "-$1" 2>/dev/null || : # allowed: a group that this wrapper made
}

# Those that have ended and that nobody waited for do not count: in a container nobody may ever.
okstra_worker_group_runs() { # <group>
  local row
  kill -0 -- "-$1" 2>/dev/null || return
  [[ -r /proc/self/stat ]] || return 0
  okstra_worker_table
  for row in ${worker_table[@]+"${worker_table[@]}"}; do
    [[ $row != *" $1" ]] || return 0
  done
  return 1
}

# In worker_table: `<pid> <parent> <group>` of each process that runs. With a pid only of those with a
# higher one, which its descendants have, unless numbers may have begun anew: in a short turn they have not.
okstra_worker_table() { # [<pid>]
  local file stat state parent rest least=0
  worker_table=()
  if [[ -n ${1-} ]] && ((SECONDS < 10)); then
    { read -r stat </proc/loadavg; } 2>/dev/null || stat=0
    ((${stat##* } < $1)) || least=$1
  fi
  for file in /proc/[0-9]*/stat; do
    rest=${file#/proc/}
    ((${rest%/stat} >= least)) || continue
    stat=''
    { IFS= read -r -d '' stat <"$file"; } 2>/dev/null || [[ -n $stat ]] || continue
    rest=${stat##*) }
    state=${rest%% *} rest=${rest#* }
    parent=${rest%% *} rest=${rest#* }
    [[ $state == [ZX] ]] || worker_table+=("${stat%% *} $parent ${rest%% *}")
  done
}

# What a process started and that still runs, in worker_family: `<pid> <start> <group>`. Linux gives what
# left its group and lost its parents back to a wrapper whom dispatch told it to (ADR 7); elsewhere it
# cannot be found.
okstra_worker_family() { # <pid>
  local row pid parent group found=" $1 " grown=1
  worker_family=()
  [[ -r /proc/self/stat ]] || return 0
  okstra_worker_table "$1"
  while ((grown)); do
    grown=0
    for row in ${worker_table[@]+"${worker_table[@]}"}; do
      pid=${row%% *} group=${row##* } parent=${row#* }
      parent=${parent% *}
      if [[ $found == *" $parent "* && $found != *" $pid "* ]]; then
        found+="$pid " grown=1
        okstra_worker_start "$pid"
        [[ -z $okstra_started ]] || worker_family+=("$pid $okstra_started $group")
      fi
    done
  done
}

okstra_worker_end_escaped() { # ends those of worker_escaped, and says so in the transcript
  local n sign=TERM row named='' left
  ((${#worker_escaped[@]})) || return 0
  for row in "${worker_escaped[@]}"; do named+=" ${row%% *}"; done
  printf -- '\n--- okstra: ended what had left its group:%s\n' "$named" >>"$worker_log" 2>/dev/null || :
  for ((n = 0; n < 30; n++)); do
    ((n < 20)) || sign=KILL
    left=''
    for row in "${worker_escaped[@]}"; do
      row=${row% *}
      okstra_worker_start "${row%% *}"
      [[ -n $okstra_started && $okstra_started == "${row#* }" ]] || continue
      left=yes
      kill "-$sign" "${row%% *}" 2>/dev/null || :
    done
    [[ -n $left ]] || return 0
    sleep 0.1
  done
}

# Which of the wrapper's family is in none of these groups, in worker_escaped.
okstra_worker_note_escaped() { # <pid of the wrapper> <group of the CLI> <group of the watcher>
  local row
  okstra_worker_family "$1"
  worker_escaped=()
  for row in ${worker_family[@]+"${worker_family[@]}"}; do
    case ${row##* } in
      "$1" | "$2" | "$3") ;;
      *) worker_escaped+=("$row") ;;
    esac
  done
}

okstra_worker_runs() { # <pid>; one that has ended and that nobody waited for does not
  local stat=
  kill -0 "$1" 2>/dev/null || return
  if [[ -r /proc/$1/stat ]]; then
    { IFS= read -r -d '' stat <"/proc/$1/stat"; } 2>/dev/null || :
    [[ ${stat##*) } != [ZX]* ]]
  else
    stat=$(ps -o stat= -p "$1" 2>/dev/null) && [[ $stat != Z* ]]
  fi
}

okstra_worker_start() { # <pid>; sets okstra_started as okstra_kernel/processes.py has it
  local stat=
  okstra_started=
  if [[ -r /proc/self/stat ]]; then
    { IFS= read -r -d '' stat <"/proc/$1/stat"; } 2>/dev/null || :
    # shellcheck disable=SC2086 # the fields after the name
    set -- ${stat##*) }
    okstra_started=${20-}
  else
    ps -o lstart= -p "$1" 2>/dev/null | tr -s ' ' | sed 's/^ //; s/ $//' >"$worker_scratch" || :
    IFS= read -r okstra_started <"$worker_scratch" || :
    rm -f "$worker_scratch"
  fi
}

okstra_worker_name_self() { # sets worker_pid and worker_start to those of this very process
  { IFS= read -r -d ' ' worker_pid </proc/self/stat; } 2>/dev/null ||
    worker_pid=$(exec sh -c 'echo $PPID') # allowed: a fixed text; Bash 3.2 knows no other way
  okstra_worker_start "$worker_pid"
  worker_start=$okstra_started
}
