# shellcheck disable=SC2154 # output and stderr are set by run
load test_helper
load read_side
load report_helper

eval "$(declare -f setup | sed '1s/setup/seal/')" # the common one
setup() { seal && finished_run; }

spawn() { # <report> [<key>]
  okstra spawn-followups "$1" --project-root=. --task-group=g --parent-task-key="${2:-shop:g:T1}"
}

@test "a row becomes a task, and again it is left alone (R-112 to R-114)" {
  local before
  run -0 --separate-stderr spawn "$DATA"
  [ "$(member "[(r['id'], r['taskKey'], r['result']) for r in it['rows']]")" = \
    "[('FU-001', 'shop:g:결제-2', 'created')]" ]
  run -0 okstra task-list
  [[ $output == *'shop:g:결제-2'* ]]
  before=$(tree_hash)
  run -0 --separate-stderr spawn "$REPORT"
  [ "$(member "it['rows'][0]['result']")" = existing ]
  [ "$(tree_hash)" = "$before" ]
}

@test "a task can be prepared from its brief" {
  run -0 spawn "$DATA"
  run -0 okstra render-bundle --project-id=shop --task-group=g --task-id=결제-2 --render-only \
    --task-type=requirements-discovery --task-brief=.okstra/tasks/g/"$(segment 결제-2)"/task-brief.md \
    --lead-runtime=external
  run -0 okstra task-show shop:g:결제-2
  [[ $output == *'"parentTaskKey": "shop:g:T1"'* || $output == *requirements-discovery* ]]
}

@test "a hostile id is named by its row, and none is made (Z-053)" {
  sed 's/"taskId": "결제-2"/"taskId": "..\/..\/..\/evil"/' "$DATA" >x && cat x >"$DATA" && rm x
  run -2 --separate-stderr spawn "$DATA"
  [[ $stderr == 'okstra-spawn-followups: follow-up FU-001: not a task id: '* ]]
  [ "$(ls .okstra/tasks/g)" = t1 ]
}

@test "another task's report, and a project that is none, are refused" {
  run -2 --separate-stderr spawn "$DATA" shop:g:T2
  [[ $stderr == *'the report of shop:g:T1, not of shop:g:T2'* ]]
  run -2 --separate-stderr okstra spawn-followups "$DATA" --project-root=none --task-group=g --parent-task-key=a:b:c
  [[ $stderr == *'--project-root=none'* ]]
  run -2 --separate-stderr spawn none.data.json
  [[ $stderr == *none.data.json* ]]
}
