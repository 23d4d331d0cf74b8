load test_helper

@test "a task's errors become a report that the answer names (D-185, R-151, XI-13)" {
  task=.okstra/tasks/g/dev-1
  mkdir -p "shop 가게/$task/runs/error-analysis/logs" "shop 가게/src" && cd "shop 가게"
  printf '{"schemaVersion": 1, "projectId": "p"}' >.okstra/project.json
  printf '{"schemaVersion": 1, "projectId": "p", "taskGroup": "g", "taskId": "DEV-1", "taskKey": "p:g:DEV-1"}' \
    >"$task/task-manifest.json"
  run -0 okstra error-report
  [[ $output == *'"total": 0'* ]]
  log=$task/runs/error-analysis/logs/errors-error-analysis-001.jsonl
  okstra error-log append-observed --out="$log" --task-key=p:g:DEV-1 --phase=x --agent=codex \
    --agent-role=worker --error-type=tool-failure --message='HTTP 429' >/dev/null
  run -0 okstra error-report dev-1 --cwd=src
  [[ $output == *'"tool-failure": 1'* ]]
  report=$("$OKSTRA_PYTHON" -c 'import json, sys; print(json.loads(sys.argv[1])["reportPath"])' "$output")
  grep -q '^| 1 | tool-failure | codex \\(worker\\) | - | .* | HTTP 429 |$' "$report"
  printf '{"torn' >>"$log"
  run -1 okstra error-report --json
  [[ $output == *'"brokenLines": 1'* && $output == *'"total": 1'* ]]
  run -1 okstra error-report nope
  [[ $output == *'"stage": "not-found"'* ]]
}
