load test_helper
load read_side

@test "a pipe gets JSON, a terminal a table; --json gives JSON on both" {
  project
  run -0 --separate-stderr okstra task-list
  [ "$(member '[it["ok"], it["projectId"], sorted(t["taskKey"] for t in it["tasks"])]')" = \
    "[True, 'shop', ['shop:a:DEV-1', 'shop:b:DEV-1', 'shop:b:결제']]" ]
  [ "$(member 'it["latestTask"]["taskKey"]')" = shop:a:DEV-1 ]
  run -0 on_terminal "$TREE/bin/okstra" task-list
  [[ ${lines[0]} == 'TASK '* && $output == *shop:a:DEV-1*shop:b:* && $output != *'{'* ]]
  run -0 on_terminal "$TREE/bin/okstra" task-list --json
  [ "$(member 'it["schemaVersion"]')" = 1 ]
}

@test "a project is found from below, and named; none is an error with the next step" {
  project
  mkdir -p deep/er
  cd deep/er
  run -0 okstra task-list
  cd "$HOME"
  run -0 okstra task-list --project-root='p q'
  [ "$(member 'len(it["tasks"])')" = 3 ]
  run -2 --separate-stderr okstra task-list --project-root=none
  [ "$stderr" = 'okstra-task-list: not a folder: --project-root=none' ]
}

@test "it changes nothing, and a broken manifest is shown beside the others" {
  project
  printf '{' >.okstra/tasks/a/dev-1/task-manifest.json
  before=$(tree_hash)
  run -0 okstra task-list
  [ "$(member '[len(it["tasks"]), sum("unreadable" in t for t in it["tasks"])]')" = '[3, 1]' ]
  [ "$before" = "$(tree_hash)" ]
  [ ! -e "$HOME/.okstra" ]
}

@test "bad words, a full disk and a gone reader" {
  project
  refuses_bad_words task-list
  run -2 okstra task-list x
  [[ $output == *'unexpected: x'* ]]
  fails_on_full_and_gone_stdout task-list
}
