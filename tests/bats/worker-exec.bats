# shellcheck disable=SC2030,SC2031,SC2154 # each test is a subshell; output is set by run
load test_helper

eval "$(declare -f setup | sed '1s/setup/seal/')" # the common one
setup() {
  seal
  export PATH="$PWD/bin:$PATH"
  mkdir -p bin '작업 dir'
  printf 'Do it.\n' >'prompt 1.md'
  a_cli 'printf "[%s]" "$@"; printf "\n"; cat'
}

a_cli() { # <what it does>; for all four
  local name
  for name in claude codex agy grok; do
    printf '#!/bin/bash\n%s\n' "$1" >"bin/$name"
    chmod +x "bin/$name"
  done
}

wrapper() { # <provider> <word>...
  "$BASH" -p "$TREE/bin/okstra-$1-exec.sh" "${@:2}" 3>&-
}

told() { # <expression>; of the status, named `it`
  "$OKSTRA_PYTHON" -IS -c 'import json, sys; it = json.load(open("prompt 1.status.json")); print(eval(sys.argv[1]))' "$1"
}

@test "the words of each CLI; default passes no model (D-101, D-105, D-106, D-107, D-110)" {
  while IFS='|' read -r provider model extra words; do
    rm -f 'prompt 1.log'
    # shellcheck disable=SC2086 # several words
    run -0 wrapper "$provider" '작업 dir' "$PWD/prompt 1.md" "$model" -- $extra
    [ "$output" = '' ]
    [ "$(sed -n 2p 'prompt 1.log')" = "${words//@/$PWD/prompt 1.md}" ]
    [ "$(sed -n 3p 'prompt 1.log')" = 'Do it.' ]
  done <<'TABLE'
claude|opus|--allowedTools=Edit|[-p][--model][opus][--allowedTools=Edit][--output-format=stream-json][--verbose]
claude|default||[-p][--output-format=stream-json][--verbose]
codex|gpt|-s workspace-write|[exec][--json][-m][gpt][-s][workspace-write][-]
codex|default||[exec][--json][-]
antigravity|default||[-p][Read @ and do what it says.]
antigravity|pro||[--model][pro][-p][Read @ and do what it says.]
grok|default|-d x|[-p][Read @ and do what it says.][-d][x]
grok|fast||[-p][Read @ and do what it says.][-m][fast]
TABLE
}

@test "each wrong argument has its code, and leaves no sidecar (D-103, D-109, D-248)" {
  : >empty.md
  mkdir -p none
  while IFS='|' read -r code message words; do
    eval "words=($words)"
    run "-$code" --separate-stderr wrapper claude "${words[@]}"
    echo "case: $words: $stderr"
    [[ $output == '' && $stderr == "okstra-claude-exec.sh: $message"* ]]
  done <<'TABLE'
64|expected: <work dir> <prompt> <model>|.
64|unexpected: --nope|. 'prompt 1.md' opus --nope
64|not a number of seconds: x|. 'prompt 1.md' opus --idle=x
64|not a number of seconds: |. 'prompt 1.md' opus --deadline=-1
71|not a folder: gone|gone 'prompt 1.md' opus
65|the prompt cannot be read: gone.md|. gone.md opus
65|the prompt cannot be read: none|. none opus
66|the prompt is empty: empty.md|. empty.md opus
67|the model is empty|. 'prompt 1.md' ''
TABLE
  run -68 env PATH=/usr/bin:/bin "$BASH" -p "$TREE/bin/okstra-grok-exec.sh" . 'prompt 1.md' x
  [ "$output" = 'okstra-grok-exec.sh: grok: command not found' ]
  mkdir 'prompt 1.log'
  run -69 wrapper claude . 'prompt 1.md' opus
  rmdir 'prompt 1.log'
  [ "$(find . -name 'prompt 1.*' | LC_ALL=C sort | tr '\n' ' ')" = './prompt 1.md ' ]
}

@test "the status is whole, the transcript private, the exit code the CLI's (D-104, D-115, D-116, Z-011a)" {
  a_cli 'echo out; echo err >&2; exit 7'
  run -7 wrapper codex '작업 dir' 'prompt 1.md' 'a"b\c'
  run -0 okstra validate 'prompt 1.status.json'
  [ "$(told '[it[n] for n in ("provider", "model", "status", "exitCode", "reason", "promptPath")]')" = \
    "['codex', 'a\"b\\\\c', 'failed', 7, '', 'prompt 1.md']" ]
  [ "$(sed 1d 'prompt 1.log')" = $'out\nerr' ]
  [ "$(find . -name 'prompt 1.*' -perm 600)" = './prompt 1.log' ]
}

@test "a limit ends the whole group: silence, a deadline; 010 is ten (D-108, Z-094)" {
  a_cli 'sleep 600 & echo $! >child; wait'
  run -124 wrapper claude . 'prompt 1.md' opus --idle=1
  [ "$(told '[it["status"], it["exitCode"], it["reason"]]')" = "['timeout', 124, 'idle-timeout']" ]
  [[ $(ps -o stat= -p "$(cat child)" || :) != [!Z]* ]] # ended, whether or not somebody waited for it
  a_cli 'while :; do echo x; sleep 0.1; done'
  run -124 wrapper claude . 'prompt 1.md' opus --idle=010 --deadline=1
  [ "$(told 'it["reason"]')" = deadline ]
  a_cli 'sleep 1'
  run -0 wrapper claude . 'prompt 1.md' opus --idle=010
}

@test "a signal ends the CLI and is written down, however early it comes (D-111)" {
  a_cli 'echo $$ >cli; exec sleep 600'
  # INT is ignored in the background of a shell without job control: started by Python.
  # Every millisecond of the first 24: a trap in the midst of $(...) once ended the wrapper with 2.
  run -0 --separate-stderr "$OKSTRA_PYTHON" -IS -c 'import json, os, signal, subprocess, sys, time
for name in "HUP", "INT": # whoever runs the tests may ignore them
    signal.signal(getattr(signal, "SIG" + name), signal.SIG_DFL)
for pause in [n / 1000 for n in range(24)] + [0.05, 0.3]:
    for name, code in ("TERM", 143), ("HUP", 129), ("INT", 130):
        for left in "cli", "prompt 1.status.json":
            os.path.exists(left) and os.unlink(left)
        wrapper = subprocess.Popen(sys.argv[1:], start_new_session=True)
        while not os.path.exists("prompt 1.status.json"): time.sleep(0.0005)
        time.sleep(pause)
        wrapper.send_signal(getattr(signal, "SIG" + name))
        ended = wrapper.wait(), json.load(open("prompt 1.status.json"))["reason"]
        if ended != (code, "cancelled"): print(name, "after", pause, *ended)
        if os.path.exists("cli"):
            pid = open("cli").read().strip()
            try: pid and os.kill(int(pid), 0) is None and print(name, "after", pause, "left", pid)
            except ProcessLookupError: pass
' "$BASH" -p "$TREE/bin/okstra-claude-exec.sh" . 'prompt 1.md' opus
  echo "$output"
  [ "$output" = '' ]
}

@test "a transcript is bounded: who prints without end is ended, and told so (XI-21, D-104)" {
  own_tree
  printf 'OKSTRA_WORKER_LOG=100000\n' >>tree/lib/okstra/worker-exec.sh
  a_cli 'while :; do echo nothing of use; done'
  run -143 "$BASH" -p tree/bin/okstra-claude-exec.sh . 'prompt 1.md' opus --idle=9 3>&-
  [ "$(told '[it["status"], it["exitCode"], it["reason"]]')" = "['failed', 143, 'crashed']" ]
  grep -q '^--- okstra: ended: its transcript has more than 100000 bytes$' 'prompt 1.log'
}

@test "a CLI that cannot be started is told by its name (D-109)" {
  : >bin/grok
  chmod -x bin/grok
  PATH=$PWD/bin:/usr/bin:/bin run -68 wrapper grok . 'prompt 1.md' x
  [[ $output == 'okstra-grok-exec.sh: grok: '* ]]
  printf '#!/nowhere/sh\n' >bin/grok
  chmod +x bin/grok
  "$BASH" -p "$TREE/bin/okstra-grok-exec.sh" . 'prompt 1.md' x 3>&- || code=$?
  [[ $code == 12[67] ]]
  grep -q "$PWD/bin/grok: " 'prompt 1.log'
}

@test "a CLI is written down before it runs, and never outlives its wrapper unseen (XF-05)" {
  a_cli 'cp "prompt 1.status.json" seen; sleep 600'
  wrapper claude . 'prompt 1.md' opus &
  until [[ -s seen ]]; do sleep 0.02; done
  run -0 grep -c '"pid": [0-9]' seen
  kill -KILL "$(told 'it["wrapperPid"]')"
  until [[ $(told 'it["status"]') == failed ]]; do sleep 0.1; done
  [ "$(told '[it["exitCode"], it["reason"]]')" = "[137, 'crashed']" ]
  [[ $(ps -o stat= -p "$(told 'it["pid"]')" || :) != [!Z]* ]]
}
