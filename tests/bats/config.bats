load test_helper
load read_side

@test "a setting is set, shown, explained and unset" {
  project
  run -1 okstra config get pr-template-path
  [ "$output" = "" ]
  run -0 okstra config set pr-template-path '서식 1.md' --scope=global
  run -0 okstra config get pr-template-path
  [ "$output" = '서식 1.md' ]
  run -0 okstra config get pr-template-path --show-origin
  [ "$output" = "user:$HOME/.okstra/config.json"$'\t''서식 1.md' ]
  run -0 okstra config set pr-template-path project.md
  run -0 okstra config get pr-template-path
  [ "$output" = '서식 1.md' ] # the project is not trusted
  run -0 okstra trust --yes
  run -0 okstra config get pr-template-path --json
  [ "$(member '[it["value"], it["origin"]]')" = "['project.md', 'project']" ]
  run -0 okstra config explain pr-template-path
  [[ $output == *'now: project.md (project)' ]]
  for word in show list; do
    run -0 okstra config $word
    [ "$(member '[s["value"] for s in it["settings"]]')" = "['project.md', None]" ]
    run -0 on_terminal "$TREE/bin/okstra" config $word
    [[ ${lines[0]} == 'setting '* ]]
  done
  run -0 okstra config unset pr-template-path
  run -0 okstra config unset pr-template-path --scope=global
  run -1 okstra config get pr-template-path
}

@test "the environment comes before what is kept" {
  run -0 okstra config set language ko
  OKSTRA_LANG=en run -0 okstra config get language --show-origin
  [ "$output" = $'environment:OKSTRA_LANG\ten' ]
}

@test "unusable words are named and exit 2" {
  project
  while IFS='|' read -r words message; do
    # shellcheck disable=SC2086 # several words
    run -2 okstra config $words
    [[ $output == "okstra-config: $message"* ]]
  done <<'TABLE'
|missing: get or set or unset or show or list or explain
gte x|unknown command: gte; did you mean get?
get|missing: <key>
set pr-template-path|missing: <value>
get foo|unknown setting: 'foo'; known: pr-template-path, language
set foo x|unknown setting: 'foo'; known: pr-template-path, language
set pr-template-path x --scope=all|a value is kept in one scope
get language --scope=x|unknown scope: 'x'; known: project, global, all
set language fr|not a value of language: 'fr'; it is en or ko
TABLE
  [ ! -e "$HOME/.okstra/config.json" ]
  refuses_bad_words config list
  fails_on_full_and_gone_stdout config list
}
