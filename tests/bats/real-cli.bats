load test_helper

@test "where the real CLIs cannot be had, their tests are skipped with the reason" {
  mkdir bin
  printf '#!/bin/sh\nexit 1\n' | tee bin/npm >bin/tmux
  cp bin/tmux bin/git && chmod +x bin/*
  export REAL_CLI_DIR=$PWD/none
  PATH=$PWD/bin:$PATH run -0 "$TREE/tests/real_cli/run"
  [ "$output" = 'skip    npm could not install @anthropic-ai/claude-code@2.1.332
real-cli: 0 passed, 0 failed, 1 skipped' ]
  rm bin/tmux && ln -s "$(type -P bash)" bin/bash && ln -s "$(type -P awk)" bin/awk
  PATH=$PWD/bin run -0 "$TREE/tests/real_cli/run"
  [ "$output" = 'skip    tmux is not here
real-cli: 0 passed, 0 failed, 1 skipped' ]
}
