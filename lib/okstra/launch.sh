# shellcheck shell=bash
# launch.sh: from a prepared bundle to a lead that runs. `bin/okstra.sh` sources it; it defines
# `prepare` (runs the Python program) and `record_answer`, and knows nothing of any provider (L-009).

# shellcheck source=interactive.sh
. "$OKSTRA_ROOT/lib/okstra/interactive.sh"

OKSTRA_LAUNCH_MARKER='__OKSTRA_LAUNCH__ '

# What the words mean is Python's to say: `--directive --yes` is a directive, and no consent.
okstra_launch() { # [<argument>...]
  local status=0 summary terminal=()
  [[ -t 1 ]] || terminal=(--no-terminal)
  okstra_handoff=$(mktemp "${TMPDIR:-/tmp}/okstra-launch.XXXXXX") || okstra_die 1 'no temporary file can be made'
  trap 'rm -f "$okstra_handoff"' EXIT
  summary=$(prepare okstra_python --handoff="$okstra_handoff" ${terminal[@]+"${terminal[@]}"} "$@") || status=$?
  ((status == 0)) || exit "$status"
  okstra_show_summary "$summary"
  okstra_start_lead "$summary"
}

okstra_show_summary() { # <what prepare printed>; all of it but the lines for machines (L-033)
  local line shown=
  while IFS= read -r line; do
    [[ $line == "$OKSTRA_LAUNCH_MARKER"* ]] || shown+=$line$'\n'
  done <<<"$1"
  okstra_print "${shown%$'\n'}"
}

# The hand-over holds one word, `render-only`; or `launch`, a word that is not empty for --yes, the
# project's root, the executable, the run manifest, the waiver's note and question, then the argv.
okstra_start_lead() { # <what prepare printed>
  local data=()
  okstra_read_argv data "$okstra_handoff" 2>/dev/null || data=('')
  rm -f "$okstra_handoff"
  [[ ${data[0]} != render-only ]] || exit 0
  [[ ${data[0]} == launch && ${#data[@]} -gt 7 && $'\n'$1 == *$'\n'"$OKSTRA_LAUNCH_MARKER"* ]] || okstra_die 1 \
    'prepare gave no launch metadata; the task bundle is prepared, run again to take it up'
  local yes=${data[1]} root=${data[2]} executable=${data[3]} manifest=${data[4]}
  # Before the question: nobody is asked about a program that is not there (L-047).
  local program
  program=$(type -P -- "$executable") || :
  [[ -f $program && -x $program ]] || okstra_die 1 \
    "$executable: command not found; the task bundle is prepared, install $executable and run again"
  [[ $program == /* ]] || program=$PWD/$program # what was looked at is what is started
  local granted=
  [[ -z ${data[5]} ]] || okstra_waive_sandbox "$yes" "$manifest" "${data[5]}" "${data[6]}"
  cd -- "$root" 2>/dev/null || okstra_die 1 "the project is gone: $root"
  [[ -z $granted ]] || (record_answer "$manifest" "$granted") || exit
  exec -a "${data[7]}" -- "$program" "${data[@]:8}"
}

okstra_waive_sandbox() { # <anything for --yes> <manifest> <note> <question>; into the caller's `granted`
  printf '\n%s\n' "$3" >&2
  if [[ -n $1 ]]; then
    printf 'going on without the sandbox, because of --yes\n\n' >&2
    granted=--yes
  elif okstra_confirm "$4"; then
    granted='tty'
  else
    (record_answer "$2" declined) || : # the answer holds, recorded or not
    okstra_die 1 'cancelled; the task bundle is prepared, run again to take it up'
  fi
}
