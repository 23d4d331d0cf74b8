load test_helper

# One real installation, with pip, for the whole file; the tests work on copies of it.
setup_file() {
  TREE=$(cd -P -- "$BATS_TEST_DIRNAME/../.." && pwd)
  export TEMPLATE="$BATS_FILE_TMPDIR/틀 home" SOURCE_TEMPLATE="$BATS_FILE_TMPDIR/틀 source"
  mkdir "$TEMPLATE" "$SOURCE_TEMPLATE"
  (cd "$TREE" && cp -Rp bin lib prompts validators VERSION LICENSE requirements.txt install.sh Makefile \
    "$SOURCE_TEMPLATE" && mkdir "$SOURCE_TEMPLATE/tests" && cp -Rp tests/rehearsal tests/bats "$SOURCE_TEMPLATE/tests")
  OKSTRA_HOME="$TEMPLATE/.okstra" "$SOURCE_TEMPLATE/install.sh" >&3 2>&1
}

# A copy of the installation in HOME, and of its source in ./source.
installed() {
  cp -Rp "$TEMPLATE/.okstra" "$HOME/.okstra"
  source_tree
}

source_tree() {
  cp -Rp "$SOURCE_TEMPLATE" source
}

# Python as a user has it, not the one that the tests name.
install_sh() { # [<argument>...]
  ./source/install.sh "$@"
}

new_version() { # <version>
  printf '%s\n' "$1" >source/VERSION
}

installed_okstra() { # [<argument>...]
  env -u OKSTRA_PYTHON "$HOME/.okstra/bin/okstra" "$@"
}

version_in_use() {
  installed_okstra --version | sed 's/^okstra \([^ ]*\) .*/\1/'
}

# Every name, mode, link and content in okstra's home; but who held a lock is no matter. What lies
# beside it may change: pip asks for a Rust compiler, which may write settings of its own.
snapshot() {
  (cd "$HOME/.okstra" && find . ! -path '*/.locks/*' -exec ls -ld {} + | awk '{ $6 = $7 = $8 = ""; print }' &&
    find . -type f ! -path '*/.locks/*' -exec cksum {} +)
}

files_left() {
  (cd "$HOME/.okstra" && find . ! -type d ! -path './.locks/*' | sort | tr '\n' ' ')
}

@test "what is installed works with the source gone, and only its owner can look in" {
  installed
  rm -r source
  [[ $(ls -ld "$HOME/.okstra") == drwx------* ]]
  root=$(cd -P "$HOME/.okstra/current" && pwd)
  run -0 installed_okstra --version
  [ "$output" = "okstra $(cat "$TREE/VERSION") ($root)" ]
  run -0 installed_okstra version --json
  for name in bin lib prompts validators venv; do
    [ "$(readlink "$HOME/.okstra/$name")" = "current/$name" ]
  done
  [ "$(cd "$root" && printf '%s ' *)" = 'BUILD.json LICENSE VERSION bin lib prompts requirements.txt tests validators venv ' ]
  [ "$(ls "$root/tests")" = rehearsal ]
  for folder in bin lib prompts validators tests/rehearsal; do
    diff -r -x __pycache__ "$SOURCE_TEMPLATE/$folder" "$root/$folder"
  done
  [ -n "$(find "$root/lib/python" -name 'okstra_boot.*.pyc')" ]
  run -0 installed_okstra rehearse --scenario=cut --scenario=denied # H-051
  [[ $output == *'all 5 as expected; of '*' 0 are alive; '* ]]
}

@test "an installation says where its source is gone, and what to do" {
  installed
  sed "s|$SOURCE_TEMPLATE|$HOME/none|" "$HOME/.okstra/current/BUILD.json" >BUILD.json
  cp BUILD.json "$HOME/.okstra/current/BUILD.json"
  run -2 installed_okstra install
  [ "${lines[0]}" = "okstra-install: the source that this okstra was installed from is gone: $HOME/none" ]
  [[ ${lines[1]} == 'next: '*install.sh* ]]
}

@test "the same content again changes nothing and says so" {
  installed
  before=$(snapshot)
  run -0 install_sh
  [[ $output == "nothing changed: okstra $(cat "$TREE/VERSION")-"* ]]
  [ "$(snapshot)" = "$before" ]
  run -0 installed_okstra install # which runs the source's installer
  [[ $output == 'nothing changed: '* ]]
}

@test "an upgrade is one switch, the version before stays, an older one goes; rollback and forward" {
  installed
  first=$(version_in_use)
  new_version 0.2.0
  run -0 --separate-stderr install_sh
  # shellcheck disable=SC2154 # stderr is set by run --separate-stderr
  [[ $stderr == *'taking the Python packages of the version in use'* ]]
  [[ ${lines[0]} == "installed: okstra 0.2.0-"* && ${lines[1]} == "kept: okstra $first-"* ]]
  [ "$(version_in_use)" = 0.2.0 ]
  for expected in "$first" 0.2.0; do
    before=$(snapshot)
    run -0 installed_okstra install --rollback --dry-run
    [ "$(snapshot)" = "$before" ]
    run -0 install_sh --rollback
    [[ ${lines[0]} == "switched: "*" -> $expected-"* ]]
    [ "$(version_in_use)" = "$expected" ]
  done
  new_version 0.3.0
  run -0 install_sh
  [ "$(version_in_use)" = 0.3.0 ]
  [ "$(cd "$HOME/.okstra/versions" && printf '%s ' * | sed 's/-[0-9a-f]* / /g')" = '0.2.0 0.3.0 ' ]
}

@test "nothing to roll back to is exit 1" {
  installed
  run -1 installed_okstra install --rollback
  [[ ${lines[0]} == 'okstra-install: no version before to go back to: '* ]]
}

@test "packages that cannot be had leave the version in use, and no half version" {
  installed
  echo ./none.whl >>source/requirements.txt
  before=$(snapshot)
  run -1 install_sh
  [[ $output == *'install.sh: cannot get the Python packages: '* ]]
  [ "$(snapshot)" = "$before" ]
}

@test "a source that lacks a file is refused, and what was installed goes on" {
  installed
  for file in LICENSE bin/okstra lib/okstra/command.sh; do
    mv "source/$file" lost
    run -2 install_sh
    [[ $output == "install.sh: not a whole okstra: "*" lacks $file" ]]
    mv lost "source/$file"
  done
  [ "$(version_in_use)" = "$(cat "$TREE/VERSION")" ]
}

@test "an edited file is kept by an installation over it and by an uninstall, and named" {
  installed
  edited=$(cd -P "$HOME/.okstra/current" && pwd)/lib/okstra/command.sh
  echo '# mine' >>"$edited"
  run -0 install_sh
  [[ $output == *"changed since it was installed, and left: $edited"* ]]
  [[ $output == *"installed: okstra $(cat "$TREE/VERSION")-"*".2 in "* ]]
  [[ $(tail -n 1 "$edited") == '# mine' ]]
  echo '{}' >"$HOME/.okstra/config.json"
  run -0 install_sh --uninstall
  [[ $output == *"kept (not as it was installed): $edited"* ]]
  [[ $output == *"kept (yours): $HOME/.okstra/config.json"* ]]
  [ "$(files_left)" = "./config.json ./${edited#"$HOME/.okstra/"} " ]
}

@test "uninstall leaves nothing but what is yours; of a fresh installation nothing at all" {
  installed
  before=$(snapshot)
  run -0 installed_okstra install --uninstall --dry-run
  [[ $output == 'would remove: okstra '* ]]
  [ "$(snapshot)" = "$before" ]
  run -0 installed_okstra install --uninstall
  [[ $output == 'removed: okstra '* ]]
  [ ! -e "$HOME/.okstra" ]
  run -0 install_sh --uninstall
  [ "$output" = "nothing is installed: $HOME/.okstra" ]
}

@test "a purge must be said twice, and spares worktrees with work in them" {
  installed
  mkdir -p "$HOME/.okstra/worktrees/p/task" "$HOME/.okstra/worktrees/empty" victim
  touch "$HOME/.okstra/worktrees/p/task/work" "$HOME/.okstra/index.jsonl" victim/file
  ln -s "$HOME/victim" "$HOME/.okstra/planted"
  before=$(snapshot)
  run -2 install_sh --uninstall --purge
  [[ $output == *'index.jsonl'*$'\nnext: install.sh --uninstall --purge --yes' ]]
  [ "$(snapshot)" = "$before" ]
  run -0 install_sh --uninstall --purge --yes
  [[ $output == *"kept (yours): $HOME/.okstra/worktrees"* ]]
  [ "$(files_left)" = './worktrees/p/task/work ' ]
  [ -e victim/file ]
}

@test "killed at some moment, the version in use works and the next installation is whole" {
  installed
  first=$(version_in_use)
  new_version 0.2.0
  for delay in 0.05 0.3 0.6 0.9 1.2; do
    "$BASH" -c 'exec ./source/install.sh' >/dev/null 2>&1 3>&- &
    sleep "$delay"
    kill -KILL $! 2>/dev/null || :
    wait $! || :
    [[ $(version_in_use) == "$first" || $(version_in_use) == 0.2.0 ]]
  done
  run -0 install_sh
  [ "$(version_in_use)" = 0.2.0 ]
  [ -z "$(find "$HOME/.okstra" -maxdepth 2 -name '.*.tmp' -o -maxdepth 2 -name '.build-*')" ]
}

@test "planted links and other people's things are refused, and their targets stay as they are" {
  source_tree
  mkdir victim
  echo precious >victim/file
  while IFS='|' read -r plant message; do
    rm -rf .okstra && mkdir .okstra
    (cd .okstra && eval "$plant")
    for words in '' --uninstall --rollback; do
      # shellcheck disable=SC2086 # one word, or none
      run -1 install_sh $words
      [[ $output == *"$message"* ]]
    done
    [ "$(cat victim/file) $(find victim | tr '\n' ' ')" = 'precious victim victim/file ' ]
  done <<'TABLE'
ln -s ../victim versions|does not write through links
ln -s ../victim .locks|does not write through links
ln -s ../victim/file install-manifest.json|does not write through links
ln -s ../victim current|not a link of okstra's
ln -s ../victim bin|not a link of okstra's
mkdir lib|not a link of okstra's
TABLE
}

@test "a home of another user's is refused" {
  ((EUID == 0)) || skip 'only root can give a folder away'
  source_tree
  mkdir .okstra
  chown 12345 .okstra
  run -1 install_sh
  [[ $output == *"belongs to another user (uid 12345): $HOME/.okstra"* ]]
}

@test "a home that cannot be one is exit 2, a link to a folder is as good as the folder" {
  source_tree
  touch file
  ln -s none dangling
  for bad in relative "$HOME/file" "$HOME/dangling"; do
    OKSTRA_HOME=$bad run -2 install_sh --dry-run
    [[ $output == *"$bad" ]]
  done
  run -2 env -u HOME ./source/install.sh --dry-run
  installed_elsewhere="$HOME/other disk"
  cp -Rp "$TEMPLATE/.okstra" "$installed_elsewhere"
  ln -s "$installed_elsewhere" link
  OKSTRA_HOME=$HOME/link run -0 install_sh
  [[ ${lines[0]} == "nothing changed: "*" in $installed_elsewhere" ]]
  [[ $output == *"export PATH='$installed_elsewhere/bin':\$PATH"* ]]
}

@test "a Python that is too old or lacks a module is named, with the command that puts it right" {
  source_tree
  mkdir path
  export OKSTRA_PYTHON="$HOME/path/python3"
  while IFS='|' read -r answer message; do
    # shellcheck disable=SC2016 # the file expands it
    printf '#!/bin/sh\n%s\n' "$answer" >path/python3
    chmod +x path/python3
    run -1 install_sh
    [ "${lines[0]}" = "install.sh: Python 3.10 or newer with venv and pip is needed: $HOME/path/python3 $message" ]
    [[ ${lines[1]} == 'install.sh: next: '* ]]
  done <<'TABLE'
echo 'is too old: 3.8.1'|is too old: 3.8.1
echo '3.11.2 lacks the module ensurepip'|3.11.2 lacks the module ensurepip
exit 9|does not start
TABLE
}

@test "the package command is that of the system" {
  # shellcheck source=../../lib/okstra/find-python.sh
  . "$TREE/lib/okstra/find-python.sh"
  while IFS='|' read -r fields ostype command; do
    # shellcheck disable=SC2059 # the line breaks are in it
    printf "$fields" >os-release
    OSTYPE=$ostype run -0 okstra_python_package os-release
    [ "${output#sudo }" = "$command" ]
  done <<'TABLE'
ID=debian\n|linux-gnu|apt-get install python3-venv python3-pip
NAME=x\nID=mint\nID_LIKE="ubuntu debian"\n|linux-gnu|apt-get install python3-venv python3-pip
ID=fedora|linux-gnu|dnf install python3 python3-pip
ID=nothing\n|linux-gnu|install Python 3.10 or newer with its modules venv, ensurepip and pip
ID=debian\n|darwin23|brew install python
TABLE
}

@test "an unknown or misplaced option is exit 2 and does nothing" {
  source_tree
  for words in --y --roll '--rollback --uninstall' '--purge' '--probe --uninstall' x; do
    # shellcheck disable=SC2086 # several words
    run -2 install_sh $words
    [[ $output == 'install.sh: '* ]]
  done
  [ ! -e .okstra ]
}

@test "make install and make uninstall do the same, in a place of your choice" {
  installed
  mv .okstra 'the place'
  run -0 make -C source install PREFIX='/the place' DESTDIR="$HOME"
  [[ $output == *"nothing changed: "*" in $HOME/the place"* ]]
  run -0 make -C source uninstall PREFIX="$HOME/the place"
  [ ! -e 'the place' ]
}

@test "a probe stores what the installed AI CLIs can do, beside an installation" {
  installed
  mkdir path
  printf '#!/bin/sh\necho "codex-cli 9.9.9"\n' >path/codex
  chmod +x path/codex
  PATH=$HOME/path:/usr/bin:/bin run -0 installed_okstra install --probe
  [[ $output == *codex*9.9.9* ]]
  grep -q 9.9.9 "$HOME/.okstra/capabilities.json"
}

@test "the help of both front ends needs no Python" {
  source_tree
  OKSTRA_PYTHON=$HOME/none run -0 install_sh --help
  [[ $output == 'Install okstra for yourself'*'Exit status: 0'* ]]
}
