# shellcheck shell=bash
# launch.sh: from a prepared bundle to a lead that runs. `bin/okstra.sh` sources it; it defines
# `prepare` (runs the Python program) and `record_answer`, and knows nothing of any provider (L-009).

# shellcheck source=interactive.sh
. "$OKSTRA_ROOT/lib/okstra/interactive.sh"

OKSTRA_LAUNCH_MARKER='__OKSTRA_LAUNCH__ '

okstra_launch() { # [<argument>...]
  local render_only='' assume_yes='' word status=0 summary
  for word; do
    case $word in
      --) break ;;
      --render-only) render_only=1 ;;
      --yes) assume_yes=1 ;;
    esac
  done
  # A claude that does not see a terminal becomes one-shot in silence; codex fails (Z-095).
  [[ -n $render_only || -t 1 ]] || okstra_die 1 \
    'stdout is not a terminal, so no lead can be started; run it on one, or use: okstra run external'

  okstra_handoff=$(mktemp "${TMPDIR:-/tmp}/okstra-launch.XXXXXX") || okstra_die 1 'no temporary file can be made'
  trap 'rm -f "$okstra_handoff"' EXIT
  summary=$(prepare okstra_python --handoff="$okstra_handoff" "$@") || status=$?
  ((status == 0)) || exit "$status"
  okstra_show_summary "$summary"
  [[ -z $render_only ]] || exit 0
  okstra_start_lead "$assume_yes" "$summary"
}

okstra_show_summary() { # <what prepare printed>; all of it but the lines for machines (L-033)
  local line shown=
  while IFS= read -r line; do
    [[ $line == "$OKSTRA_LAUNCH_MARKER"* ]] || shown+=$line$'\n'
  done <<<"$1"
  okstra_print "${shown%$'\n'}"
}

# The hand-over holds: project root, executable, run manifest, waiver note, question, then the argv.
okstra_start_lead() { # <1 for --yes> <what prepare printed>
  local data=()
  if [[ $'\n'$2 != *$'\n'"$OKSTRA_LAUNCH_MARKER"* ]] || ! okstra_read_argv data "$okstra_handoff" 2>/dev/null ||
    ((${#data[@]} < 6)); then
    okstra_die 1 'prepare gave no launch metadata; the bundle is prepared, run again to take it up'
  fi
  rm -f "$okstra_handoff"
  local root=${data[0]} executable=${data[1]} manifest=${data[2]} note=${data[3]} question=${data[4]}
  # Before the question: nobody is asked about a program that is not there (L-047).
  [[ -n $(type -P -- "$executable") ]] || okstra_die 1 \
    "$executable: command not found; the task bundle is prepared, install $executable and run again"
  [[ -z $note ]] || okstra_waive_sandbox "$1" "$manifest" "$note" "$question"
  cd -- "$root" || okstra_die 1 "the project is gone: $root"
  exec -- "${data[@]:5}"
}

okstra_waive_sandbox() { # <1 for --yes> <manifest> <note> <question>
  printf '\n%s\n' "$3" >&2
  if [[ -n $1 ]]; then
    printf 'going on without the sandbox, because of --yes\n\n' >&2
    (record_answer "$2" --yes) || exit
  elif okstra_confirm "$4"; then
    (record_answer "$2" tty) || exit
  else
    (record_answer "$2" declined) || : # the answer holds, recorded or not
    okstra_die 1 'cancelled; the task bundle is prepared, run again to take it up'
  fi
}
