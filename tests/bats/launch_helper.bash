# shellcheck shell=bash
# shellcheck disable=SC2034,SC2153,SC2154 # RUN is for the tests, TREE and output come from others
# What tests of a launch stand on: a real project, scripted CLIs that write down what they were
# given, a terminal, and nobody at all. Loaded after `test_helper`.

# Called by `setup_file`: what all tests of a file copy or use.
launch_setup_file() {
  export CLIS="$BATS_FILE_TMPDIR/clis 둘" SHOP=$BATS_FILE_TMPDIR/shop
  mkdir -p "$CLIS" "$SHOP"
  local name
  for name in claude codex agy; do
    # shellcheck disable=SC2016 # the script expands
    printf '%s\n' '#!/bin/sh' 'printf "%s\0" "${0##*/}" "$@" >"$CLI_ARGV"' 'pwd >"$CLI_ARGV.cwd"' 'exit 7' >"$CLIS/$name"
    chmod +x "$CLIS/$name"
  done
  git -C "$SHOP" init -q
  printf '# 결제 fails\n\nKeyError\n\n## Expected\n\nIt is 3.\n' >"$SHOP/brief.md"
  git -C "$SHOP" add .
  git -C "$SHOP" -c user.name=a -c user.email=a@b.c commit -qm first
}

# Called by `setup` after that of `test_helper`: a fresh project to stand in.
launch_setup() {
  unset "${!OKSTRA_DEFAULT_@}" "${!CMUX_@}" OKSTRA_LANG OKSTRA_RUNTIME_HOST OKSTRA_RUN_SEQ_OVERRIDE
  unset TMUX TMUX_PANE CLAUDECODE CLAUDE_CODE_SESSION_ID CODEX_THREAD_ID CODEX_SESSION_ID
  export LC_ALL=C PATH="$CLIS:$PATH" CLI_ARGV=$BATS_TEST_TMPDIR/argv TMPDIR=$BATS_TEST_TMPDIR/tmp
  mkdir "$TMPDIR"
  PROJECT="$BATS_TEST_TMPDIR/가게 shop"
  cp -R "$SHOP" "$PROJECT"
  cd "$PROJECT" || return
  RUN=$PROJECT/.okstra/tasks/checkout/dev-1/runs/error-analysis
  TASK=(--project-id=shop --task-group=checkout --task-id=DEV-1 --task-type=error-analysis --task-brief=brief.md)
  tree=$TREE
}

okstra_sh() { # [<argument>...]
  "$BASH" -p "$tree/bin/okstra.sh" "$@"
}

# Runs a command on a terminal of its own; what it answers comes before `--`, as pty_run.py has it.
on_pty() { # [--answer=<text>]... [--key=<escape>]... -- <command>...
  "$OKSTRA_PYTHON" "$TREE/tests/support/pty_run.py" "$@"
}

launch() { # [--answer=<text>]... -- [<argument of okstra.sh>...]; on a terminal
  local answers=()
  while [[ $1 != -- ]]; do
    answers+=("$1")
    shift
  done
  on_pty ${answers[@]+"${answers[@]}"} -- "$BASH" -p "$tree/bin/okstra.sh" "${TASK[@]}" "${@:2}"
}

alone() { # <command>...; without a terminal to ask on
  "$OKSTRA_PYTHON" -c 'import subprocess, sys
sys.exit(subprocess.call(sys.argv[1:], start_new_session=True))' "$@"
}

listing() { # every file of project, home and temporary folder, with its content's sum
  find "$PROJECT" "$HOME" "$TMPDIR" -type f -exec cksum {} + 2>/dev/null | sort
  find "$PROJECT" "$HOME" ! -type f | sort
}

read_words() { # <file>; into `words`: what a scripted CLI was given
  words=()
  local word
  while IFS= read -r -d '' word; do words+=("$word"); done <"$1"
}

whole() { # <file>; into `text`, with all newlines at its end
  text=$(cat "$1" && printf .)
  text=${text%.}
}

no_traceback() {
  [[ $output != *Traceback* && $output != *'a fault of okstra'* ]]
}
