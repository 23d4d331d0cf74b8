load test_helper
load read_side

@test "one hit is the key, several are ambiguous, none is not found" {
  project
  run -0 okstra resolve-task-key 결제
  [ "$(member 'it["taskKey"]')" = shop:b:결제 ]
  run -0 on_terminal "$TREE/bin/okstra" resolve-task-key dev-1 --task-group=b
  [ "$output" = shop:b:DEV-1 ]
  run -1 okstra resolve-task-key DEV-1
  [ "$(member '[it["ok"], it["stage"]]')" = "[False, 'ambiguous']" ]
  run -1 okstra resolve-task-key none
  [ "$(member 'it["stage"]')" = not-found ]
}

@test "bad words, a full disk and a gone reader" {
  project
  refuses_bad_words resolve-task-key 결제
  fails_on_full_and_gone_stdout resolve-task-key 결제
}
