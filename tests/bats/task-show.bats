load test_helper
load read_side

@test "a task is shown by key and by id, as JSON or for a person" {
  project
  run -0 --separate-stderr okstra task-show shop:b:결제
  [ "$(member '[it["taskKey"], it["runs"], it["schemaVersion"]]')" = "['shop:b:결제', [], 1]" ]
  run -0 okstra task-show dev-1 --task-group=a
  [ "$(member 'it["taskKey"]')" = shop:a:DEV-1 ]
  run -0 on_terminal "$TREE/bin/okstra" task-show shop:a:DEV-1
  [ "${lines[0]}" = 'task      shop:a:DEV-1' ]
}

@test "no task and several are an answer off a terminal and an error on one; both exit 1" {
  project
  run -1 --separate-stderr okstra task-show DEV-1
  [ "$(member '[it["stage"], it["matches"]]')" = "['ambiguous', ['shop:a:DEV-1', 'shop:b:DEV-1']]" ]
  run -1 okstra task-show none
  [ "$(member 'it["stage"]')" = not-found ]
  run -1 on_terminal "$TREE/bin/okstra" task-show none
  [ "$output" = $'okstra-task-show: no task with the id \'none\'\nnext: okstra task-list' ]
}

@test "hostile ids name nothing outside and run nothing" {
  project
  # shellcheck disable=SC2016 # they stay as they are
  for id in '../x' '..' '/etc' 'a/b' '~' '$(touch ran)' '`touch ran`' ';touch ran' '%s' '{{X}}' \
    $'a\nb' $'a\e[2Jb' "it's" '"'; do
    run okstra task-show -- "$id"
    ((status == 1 || status == 2))
    [[ $output != *Traceback* && $output != *$'\e'* ]]
    run okstra task-show -- "shop:$id:x"
    ((status == 1 || status == 2))
  done
  [ ! -e ran ]
}

@test "bad words, a full disk and a gone reader" {
  project
  run -2 okstra task-show
  [[ $output == 'okstra-task-show: missing: <task>'* ]]
  refuses_bad_words task-show shop:a:DEV-1
  fails_on_full_and_gone_stdout task-show shop:a:DEV-1
}
