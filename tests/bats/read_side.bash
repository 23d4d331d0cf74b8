# shellcheck shell=bash
# Parts for the tests of commands that read a project.

project() { # makes one with the tasks shop:a:DEV-1, shop:b:DEV-1 and shop:b:결제 in ./p, goes there
  mkdir -p 'p q/.okstra'
  cd 'p q' || return
  printf '{"schemaVersion": 1, "projectId": "shop"}' >.okstra/project.json
  task a dev-1 DEV-1
  task b dev-1 DEV-1
  task b "$(segment 결제)" 결제
}

task() { # <group> <folder> <id>
  mkdir -p ".okstra/tasks/$1/$2"
  printf '{"schemaVersion": 1, "taskKey": "shop:%s:%s", "projectId": "shop", "taskGroup": "%s",
    "taskId": "%s", "updatedAt": "2026-03-01T00:00:00Z"}' "$1" "$3" "$1" "$3" \
    >".okstra/tasks/$1/$2/task-manifest.json"
}

python() { # <program> [<argument>...]; with okstra's packages
  "$OKSTRA_PYTHON" -I -X utf8 -c "import sys; sys.path.insert(0, sys.argv.pop(1)); $1" \
    "$TREE/lib/python" "${@:2}"
}

segment() { # <id>
  python 'from okstra_project.slug import slugify; print(slugify(sys.argv[1]))' "$1"
}

member() { # <expression>; of the one JSON value in $output, named `it`
  # shellcheck disable=SC2154 # output is set by run
  printf '%s' "$output" | python 'import json; it = json.load(sys.stdin); print(eval(sys.argv[1]))' "$1"
}

on_terminal() { # <command...>; prints what a person sees, and returns the status
  "$OKSTRA_PYTHON" -I -c '
import os, pty, sys
pid, screen = pty.fork()
if not pid:
    os.execvp(sys.argv[1], sys.argv[1:])
shown = b""
while True:
    try:
        part = os.read(screen, 4096)
    except OSError:
        break
    if not part:
        break
    shown += part
    if b"[y/N] " in shown and os.environ.get("TYPED") is not None:
        os.write(screen, os.environ.pop("TYPED").encode() + b"\n")
sys.stdout.buffer.write(shown.replace(b"\r\n", b"\n"))
sys.stdout.flush()
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
' "$@"
}

no_terminal() { # <command...>; without a controlling terminal
  "$OKSTRA_PYTHON" -I -c '
import os, subprocess, sys
sys.exit(subprocess.run(sys.argv[1:], stdin=subprocess.DEVNULL, start_new_session=True).returncode)
' "$@"
}

tree_hash() { # of all files below the current folder
  find . -type f -exec cksum {} + | LC_ALL=C sort | cksum
}

# What every reading command must do; each test file calls it with its command and good words.
refuses_bad_words() { # <command> <good word>...
  local begin=$SECONDS many words=("${@:2}")
  while IFS='|' read -r more message; do
    # shellcheck disable=SC2086 # several words
    run -2 --separate-stderr okstra "$1" ${words[@]+"${words[@]}"} $more
    [ "$output" = "" ]
    # shellcheck disable=SC2154 # stderr is set by run --separate-stderr
    [[ $stderr == "okstra-$1: $message"*$'\nUsage:\n  okstra '*"see okstra $1 --help" ]]
  done <<'TABLE'
--json --json|given more than once: --json
--jso|unknown option: --jso; did you mean --json?
--json=x|option takes no value: --json
--nope|unknown option: --nope
TABLE
  many=$(printf ' w%.0s' {1..5000})
  # shellcheck disable=SC2086 # five thousand words
  run -2 okstra "$1" ${words[@]+"${words[@]}"} --nope $many
  ((SECONDS - begin < 30))
}

fails_on_full_and_gone_stdout() { # <command> <word>...; U-13, U-14
  # shellcheck disable=SC2329 # run calls it
  full() { okstra "$@" >/dev/full; }
  # shellcheck disable=SC2329 # likewise
  gone() {
    set -o pipefail
    { sleep 0.2 && okstra "$@"; } | :
  }
  if [[ -c /dev/full ]]; then
    run -1 full "$@"
    [[ $output == *"cannot write to stdout"* && $output != *Traceback* ]]
  fi
  run -141 gone "$@"
  [ "$output" = "" ]
}
