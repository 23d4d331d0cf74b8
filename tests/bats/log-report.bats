load test_helper

@test "transcripts are listed by size, archived ones too (D-190, R-161, R-162)" {
  runs=.okstra/tasks/g/dev-1/runs/error-analysis
  mkdir -p "shop 가게/$runs/prompts" "shop 가게/$runs/archive/run-001/prompts" "shop 가게/src" && cd "shop 가게"
  printf '{"schemaVersion": 1, "projectId": "p"}' >.okstra/project.json
  printf 12 >"$runs/prompts/w.md"
  printf 12345 >"$runs/prompts/w.log"
  printf 1234567 >"$runs/archive/run-001/prompts/w.log"
  run -0 okstra log-report --cwd=src --top=1
  [[ $output == *'"pairs": 1,'*'"transcriptBytes": 12,'*'"promptBytes": 2'*'"path": "'"$runs"'/archive/run-001/prompts/w.log", "sizeBytes": 7'* ]]
  [[ $output != *'"sizeBytes": 5'* ]]
  run -0 okstra log-report --project-root=. --cwd=/nonexistent
  [[ $output == *'"sizeBytes": 7'*'"sizeBytes": 5'*'"transcriptToPromptRatio": 2.5'* ]]
  run -2 okstra log-report --top=0
  [ "$output" = 'okstra-log-report: not a number of transcripts: --top=0' ]
}
