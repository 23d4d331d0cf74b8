load test_helper
load read_side

@test "a sound project, for a program and for a person" {
  project
  run -0 okstra check-project
  [ "$(member '{c["name"]: c["state"] for c in it["checks"]}')" = \
    "{'project-root': 'ok', 'project-json': 'ok', 'trust': 'warn', 'git-exclude': 'ok', 'tasks': 'ok', 'home': 'ok'}" ]
  run -0 on_terminal "$TREE/bin/okstra" check-project
  [ "${lines[0]}" = "ok    project-root  $PWD" ]
  [ ! -e "$HOME/.okstra" ]
}

@test "what is broken is named with a command that cures it" {
  project
  printf 'x' >.okstra/tasks/a/dev-1/task-manifest.json
  run -1 okstra check-project
  cure=$(member 'next(c["fix"] for c in it["checks"] if c["state"] == "fail")')
  eval "$cure"
  run -0 okstra check-project
  run -1 okstra check-project --project-root=none
}

@test "bad words, a full disk and a gone reader" {
  project
  refuses_bad_words check-project
  fails_on_full_and_gone_stdout check-project
}
