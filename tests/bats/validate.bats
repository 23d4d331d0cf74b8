load test_helper
load read_side

@test "valid files, invalid ones and strangers" {
  project
  run -0 okstra validate .okstra/project.json
  [ "$output" = '.okstra/project.json: valid project' ]
  printf '{"schemaVersion": 1, "projectId": 5}' >.okstra/project.json
  run -1 okstra validate .okstra/project.json
  [ "$output" = '.okstra/project.json: $.projectId: expected text, found 5' ]
  echo '{}' >x.json
  run -2 okstra validate x.json .okstra/project.json none --json
  [ "$(member '[it["ok"], [f["ok"] for f in it["files"]]]')" = '[False, [False, False, False]]' ]
  [[ $output == *'known: active-run-context, build, '* ]]
}

@test "another generation is refused by name; rows are judged one by one" {
  echo '{"schemaVersion": 9}' >run-manifest-x-001.json
  run -1 okstra validate run-manifest-x-001.json
  [[ $output == *'this okstra reads run-manifest 1, found 9' ]]
  printf '{"schemaVersion":1}\n\n{"cut' >trust.jsonl
  run -1 okstra validate trust.jsonl
  [[ $output == *'trust.jsonl:1: $.uid: missing'*'trust.jsonl:3:2: '* ]]
}

@test "bad words, a full disk and a gone reader" {
  project
  run -2 okstra validate
  [[ $output == 'okstra-validate: missing: <file>'* ]]
  refuses_bad_words validate .okstra/project.json
  fails_on_full_and_gone_stdout validate .okstra/project.json
}
