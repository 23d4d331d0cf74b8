load test_helper
load read_side

@test "a status and a note are set, and shown" {
  project
  run -0 okstra set-work-status shop:a:DEV-1 blocked --note='waits for 결제'
  [ "$(member '[it["workStatus"], it["workStatusNote"]]')" = "['blocked', 'waits for 결제']" ]
  run -0 okstra set-work-status 결제 in-progress
  run -0 okstra task-list
  [ "$(member 'sorted(str(t["workStatus"]) for t in it["tasks"])')" = "['None', 'blocked', 'in-progress']" ]
  run -0 on_terminal "$TREE/bin/okstra" set-work-status 결제 'done'
  [ "$output" = 'shop:b:결제: done' ]
  run -0 okstra validate .okstra/project.json
}

@test "nothing is written for an unknown status, an ambiguous id or no task" {
  project
  before=$(tree_hash)
  run -2 --separate-stderr okstra set-work-status shop:a:DEV-1 finished
  [ "$stderr" = "okstra-set-work-status: unknown work status: 'finished'; known: todo, in-progress, blocked, done" ]
  run -1 okstra set-work-status DEV-1 'done'
  [ "$(member 'it["stage"]')" = ambiguous ]
  run -1 okstra set-work-status none 'done'
  [ "$before" = "$(tree_hash)" ]
}

@test "a task that is a link is not written through" {
  project
  mkdir ../victim
  mv .okstra/tasks/a/dev-1/task-manifest.json ../victim
  rmdir .okstra/tasks/a/dev-1
  ln -s "$PWD/../victim" .okstra/tasks/a/dev-1
  before=$(cksum <../victim/task-manifest.json)
  run okstra set-work-status shop:a:DEV-1 'done'
  ((status != 0))
  [ "$before" = "$(cksum <../victim/task-manifest.json)" ]
}

@test "many at once lose nothing" {
  project
  for id in {1..12}; do task c "t-$id" "T-$id"; done
  for id in {1..12}; do
    okstra set-work-status "T-$id" 'done' >/dev/null &
    okstra set-work-status 결제 'done' --note="$id" >/dev/null &
  done
  wait
  run -0 okstra task-list
  [ "$(member 'sum(t["workStatus"] == "done" for t in it["tasks"])')" = 13 ]
}

@test "bad words" {
  project
  run -2 okstra set-work-status x
  [[ $output == 'okstra-set-work-status: missing: <status>'* ]]
  refuses_bad_words set-work-status 결제 'done'
}
