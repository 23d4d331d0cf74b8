load test_helper
load read_side

@test "trust is asked for on the terminal, with what it allows; only y is a yes" {
  project
  for typed in '' n yes 'y ' Yes; do
    TYPED=$typed run -1 on_terminal "$TREE/bin/okstra" trust
    [[ $output == *'settings and commands: .okstra/project.json'*'[y/N] '*'the answer was no'* ]]
  done
  [ ! -e "$HOME/.okstra/trust.jsonl" ]
  LANG=ko_KR.UTF-8 TYPED=y run -0 on_terminal "$TREE/bin/okstra" trust
  [[ $output == *'[y/N] '*"trusted: $PWD" && $output == *.okstra* ]]
  run -0 okstra trust --show
  [ "$(member 'it["trusted"]')" = True ]
  run -0 okstra validate "$HOME/.okstra/trust.jsonl"
  run -0 okstra trust --revoke
  [ "$output" = "not trusted: $PWD" ]
  run -1 okstra trust --show
}

@test "off a terminal the flag is named, whatever stdin says" {
  project
  run -2 no_terminal "$TREE/bin/okstra" trust
  [ "$output" = $'okstra-trust: there is no terminal to ask on\nnext: pass --yes' ]
  [ ! -e "$HOME/.okstra" ]
  run -0 no_terminal "$TREE/bin/okstra" trust --yes --json
  [ "$(member '[it["trusted"], it["changed"]]')" = '[True, True]' ]
}

@test "a folder without .okstra says so" {
  mkdir bare
  run -1 okstra trust bare --yes
  [[ $output == "okstra-trust: nothing to trust yet: no .okstra/ in $PWD/bare"* ]]
  run -1 okstra trust bare --show
  [ "$(member 'it["present"]')" = False ]
}

@test "bad words, a full disk and a gone reader" {
  project
  for word in --y --ye --rev; do
    run -2 okstra trust "$word"
    [[ $output == "okstra-trust: unknown option: $word"* ]]
  done
  run -2 okstra trust --show --revoke
  refuses_bad_words trust --show
  run -0 okstra trust --yes
  fails_on_full_and_gone_stdout trust --show
}
