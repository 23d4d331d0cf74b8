# shellcheck shell=bash
# interactive.sh: questions that Bash asks.

# Asks on the terminal itself, whatever stdin is. Only `y` or `Y` is a yes: not an empty line, not
# the end of input, not a missing terminal (L-044).
okstra_confirm() { # <question>
  local answer
  printf '%s' "$1" >&2
  { IFS= read -r answer </dev/tty; } 2>/dev/null || {
    printf '\n' >&2
    return 1
  }
  [[ $answer == [yY] ]]
}
